import { encode, picture } from "../service/sample-images.ts";
import { type PngChunk, readPngChunks, writePngChunk } from "./png-chunks.ts";

/** Creates an animated PNG with this number of identical frames. */
export async function animatedPng(frames: number): Promise<Buffer> {
  const still = await encode(picture(), "png");
  const chunks = [...readPngChunks(still)];
  const header = chunks[0]?.data ?? Buffer.alloc(13);
  const pixels = Buffer.concat(chunks.filter(({ name }) => name === "IDAT").map(({ data }) => data));
  let sequence = 0;
  const number = () => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(sequence++);
    return bytes;
  };
  const control = (): PngChunk => ({
    name: "fcTL",
    data: Buffer.concat([number(), header.subarray(0, 8), Buffer.alloc(8), Buffer.from([0, 1, 0, 10, 0, 0])]),
  });
  const count = Buffer.alloc(8);
  count.writeUInt32BE(frames);
  const all: PngChunk[] = [
    { name: "IHDR", data: header },
    { name: "acTL", data: count },
    control(),
    { name: "IDAT", data: pixels },
  ];
  for (let frame = 1; frame < frames; frame++)
    all.push(control(), { name: "fdAT", data: Buffer.concat([number(), pixels]) });
  all.push({ name: "IEND", data: Buffer.alloc(0) });
  return Buffer.concat([still.subarray(0, 8), ...all.map(writePngChunk)]);
}
