import { brokenImage } from "../image-error.ts";
import { plainProfile } from "./colour-profile.ts";
import { exifOrientation } from "./exif-orientation.ts";
import { type Cleaned, cleaned } from "./format.ts";

type Chunk = { name: string; data: Buffer };

/* Flags of the VP8X chunk. */
const HAS_PROFILE = 0x20;
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

const frameChunks = ["ALPH", "VP8 ", "VP8L"];

/**
 * Keeps the picture, its frames and a plain colour profile; EXIF, XMP and unknown chunks go, and so does what
 * follows the RIFF container. Format: RFC 9649.
 */
export function cleanWebp(bytes: Buffer): Cleaned {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length || end < 20) throw brokenImage("the file ends early");

  const kept: Chunk[] = [];
  let orientation = 1;
  let foreignColours = false;
  let hasProfile = false;
  let frames = 0;
  for (const { name, data } of readChunks(bytes.subarray(12, end))) {
    if (name === "EXIF") {
      const start = data.toString("latin1", 0, 6) === "Exif\0\0" ? 6 : 0;
      orientation = exifOrientation(data.subarray(start));
    } else if (name === "ICCP") {
      const plain = plainProfile(data);
      foreignColours = plain === undefined;
      hasProfile = true;
      kept.push({ name, data: plain ?? data });
    } else if (name === "ANMF") {
      if (data.length < 24) throw brokenImage("a frame of it ends early");
      frames++;
      const picture = [...readChunks(data.subarray(16))].filter((chunk) => frameChunks.includes(chunk.name));
      kept.push({ name, data: Buffer.concat([data.subarray(0, 16), ...picture.map(writeChunk)]) });
    } else if (name === "VP8X" || name === "ANIM" || frameChunks.includes(name)) {
      kept.push({ name, data });
    }
  }

  const first = kept[0];
  if (first?.name === "VP8X" && first.data.length >= 10) {
    const data = Buffer.from(first.data.subarray(0, 10));
    const flags = (data[0] ?? 0) & ~(HAS_EXIF | HAS_XMP | HAS_PROFILE);
    data[0] = flags | (hasProfile ? HAS_PROFILE : 0);
    kept[0] = { name: "VP8X", data };
  }
  const body = Buffer.concat(kept.map(writeChunk));
  const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  head.writeUInt32LE(body.length + 4, 4);
  return cleaned(bytes, [head, body], { orientation, foreignColours, frames: Math.max(1, frames) });
}

function* readChunks(bytes: Buffer): Generator<Chunk> {
  let at = 0;
  while (at < bytes.length) {
    if (at + 8 > bytes.length) throw brokenImage("a part of it ends early");
    const start = at + 8;
    const end = start + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) throw brokenImage("a part of it ends early");
    yield { name: bytes.toString("latin1", at, at + 4), data: bytes.subarray(start, end) };
    at = end + (end % 2 === start % 2 ? 0 : 1);
  }
}

function writeChunk({ name, data }: Chunk): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
