import type { Dag } from "./dag.ts";
import { varint } from "./protobuf.ts";

/**
 * The DAG as a CARv1 file: a header in DAG-CBOR, then each block behind its length and its CID.
 * Format: https://ipld.io/specs/transport/car/carv1/
 */
export function writeCar({ root, blocks }: Dag): Uint8Array {
  const header = Buffer.concat([
    // { "roots": [cid], "version": 1 }: a map of 2, a text of 5, an array of 1, tag 42, 37 bytes with a 0 in front.
    Buffer.from("a265726f6f747381d82a582500", "hex"),
    root.bytes,
    Buffer.from("6776657273696f6e01", "hex"),
  ]);
  const sections = blocks.flatMap(({ cid, bytes }) => [
    varint(cid.bytes.length + bytes.length),
    cid.bytes,
    bytes,
  ]);
  return Buffer.concat([varint(header.length), header, ...sections]);
}
