import { blockLength, createWriter, headerLength } from "@ipld/car/buffer-writer";
import type { Dag } from "./dag.ts";

/** Writes the DAG as a CARv1 file, in one buffer of the exact size: https://ipld.io/specs/transport/car/carv1/ */
export function writeCar({ root, blocks }: Dag): Uint8Array {
  const headerSize = headerLength({ roots: [root] });
  const size = blocks.reduce((sum, block) => sum + blockLength(block), headerSize);
  const writer = createWriter(new ArrayBuffer(size), { roots: [root], headerSize });
  for (const block of blocks) writer.write(block);
  return writer.close();
}
