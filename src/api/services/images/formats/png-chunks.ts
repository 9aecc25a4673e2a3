import { crc32 } from "node:zlib";
import { brokenImage } from "../image-error.ts";

export type Chunk = { name: string; data: Buffer };

export const pngSignature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** The chunks up to and with IEND. Throws an ImageError 422 at a wrong checksum or an early end. */
export function* readPngChunks(bytes: Buffer): Generator<Chunk> {
  let at = pngSignature.length;
  for (;;) {
    if (at + 12 > bytes.length) throw brokenImage("the file ends early");
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) throw brokenImage("the file ends early");
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
      throw brokenImage("a checksum in it is wrong");
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(name)) throw brokenImage("it has a chunk of an unknown kind");
    yield { name, data: bytes.subarray(at + 8, end) };
    if (name === "IEND") return;
    at = end + 4;
  }
}

export function writePngChunk({ name, data }: Chunk): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(name, 4, "latin1");
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0);
  return Buffer.concat([head, data, checksum]);
}
