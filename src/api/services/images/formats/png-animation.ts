import { brokenImage } from "../image-error.ts";
import { type Chunk, pngSignature, writePngChunk } from "./png-chunks.ts";

/**
 * The frames of an animated PNG. The decoder looks at the first picture only, so the others are given back as
 * files of their own to be decoded too. Throws an ImageError 422 where they don't follow the rules (PNG, third
 * edition, 11.3.5).
 */
export function readAnimation(chunks: Chunk[]): { frames: number; hiddenFrames: Buffer[] } {
  const header = chunks[0]?.data ?? Buffer.alloc(13);
  const shared = chunks.filter(({ name }) => name === "PLTE" || name === "tRNS");
  const hidden: { header: Buffer; data: Buffer[] }[] = [];
  let frames = 0;
  let sequence = 0;
  let hasPicture = false;
  const nextIs = (data: Buffer) => {
    if (data.length < 4 || data.readUInt32BE(0) !== sequence++)
      throw brokenImage("the frames of its animation are out of order");
  };

  for (const { name, data } of chunks) {
    if (name === "IDAT") hasPicture = true;
    if (name === "fcTL") {
      nextIs(data);
      if (data.length !== 26) throw brokenImage("a frame of its animation is wrong");
      frames++;
      const frameHeader = sizedHeader(header, data);
      if (hasPicture) hidden.push({ header: frameHeader, data: [] });
      else if (!frameHeader.equals(header)) throw brokenImage("a frame of its animation is wrong");
    }
    if (name === "fdAT") {
      nextIs(data);
      const frame = hidden.at(-1);
      if (frame === undefined) throw brokenImage("the frames of its animation are out of order");
      frame.data.push(data.subarray(4));
    }
  }
  const control = chunks.find(({ name }) => name === "acTL")?.data;
  if (control?.length !== 8 || frames === 0 || control.readUInt32BE(0) !== frames)
    throw brokenImage("its animation has another number of frames than it says");

  const hiddenFrames = hidden.map((frame) =>
    Buffer.concat([
      pngSignature,
      writePngChunk({ name: "IHDR", data: frame.header }),
      ...shared.map(writePngChunk),
      writePngChunk({ name: "IDAT", data: Buffer.concat(frame.data) }),
      writePngChunk({ name: "IEND", data: Buffer.alloc(0) }),
    ]),
  );
  return { frames, hiddenFrames };
}

/** The picture's header with the size of one frame, which has to lie inside the picture. */
function sizedHeader(header: Buffer, control: Buffer): Buffer {
  const [width, height, left, top] = [4, 8, 12, 16].map((at) => control.readUInt32BE(at)) as [
    number,
    number,
    number,
    number,
  ];
  if (left + width > header.readUInt32BE(0) || top + height > header.readUInt32BE(4))
    throw brokenImage("a frame of its animation does not fit in");
  const sized = Buffer.from(header);
  sized.writeUInt32BE(width, 0);
  sized.writeUInt32BE(height, 4);
  return sized;
}
