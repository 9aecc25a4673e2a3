import { crc32 } from "node:zlib";

export type PngChunk = { name: string; data: Buffer };

/** Encodes a chunk with its length and checksum. */
export function writePngChunk({ name, data }: PngChunk): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Yields the chunks of a well-formed PNG. */
export function* readPngChunks(png: Buffer): Generator<PngChunk> {
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield { name: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}
