import { deflateSync } from "node:zlib";
import { encode, picture } from "../service/sample-images.ts";
import { animatedPng } from "./animated-png.ts";
import { writePngChunk } from "./png-chunks.ts";

export type Attack = { name: string; bytes: Buffer };

/** Small files that once blocked the service's main thread for seconds, or used up its memory. */
export async function decoderAttacks(): Promise<Attack[]> {
  const [png, jpeg, gif] = await Promise.all([
    encode(picture(), "png"),
    encode(picture(), "jpeg"),
    encode(picture(), "gif"),
  ]);
  const insert = (bytes: Buffer, at: number, parts: Buffer[]) =>
    Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);
  const profile = writePngChunk({
    name: "iCCP",
    data: Buffer.concat([Buffer.from("p\0\0"), deflateSync(Buffer.alloc(2 ** 20))]),
  });
  const transparency = writePngChunk({ name: "tRNS", data: Buffer.alloc(0) });
  const times = (part: Buffer, count: number) => Array<Buffer>(count).fill(part);
  return [
    { name: "an AVIF of items with 65,535 empty extents each", bytes: avifOfExtents(3_000) },
    { name: "an AVIF of extents and boxes", bytes: avifOfExtents(100, 20_000) },
    { name: "a PNG of 4,000 colour profiles", bytes: insert(png, 33, times(profile, 4_000)) },
    { name: "a PNG of 100,000 empty chunks", bytes: insert(png, 33, times(transparency, 100_000)) },
    {
      name: "a JPEG of 1,200,000 empty segments",
      bytes: insert(jpeg, 2, times(Buffer.from("ffe50002", "hex"), 1_200_000)),
    },
    {
      name: "a GIF of 1,600,000 empty comments",
      bytes: insert(gif, 13 + gifPalette(gif), times(Buffer.from("21fe00", "hex"), 1_600_000)),
    },
    { name: "an animated PNG of 1,000 frames", bytes: await animatedPng(1_000) },
  ];
}

function gifPalette(gif: Buffer): number {
  const flags = gif[10] ?? 0;
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** An AVIF whose item locations have fields of zero bytes, so that it can list extents at no cost. */
function avifOfExtents(items: number, boxes = 1): Buffer {
  const locations = Buffer.alloc(4 + 2 + 2 + items * 6);
  locations.writeUInt16BE(items, 6);
  for (let item = 0; item < items; item++) {
    locations.writeUInt16BE(item + 1, 8 + item * 6);
    locations.writeUInt16BE(0xffff, 8 + item * 6 + 4);
  }
  const handler = Buffer.from("\0\0\0\0\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0", "latin1");
  const meta = box("meta", [
    Buffer.alloc(4),
    box("hdlr", [handler]),
    box("pitm", [Buffer.from([0, 0, 0, 0, 0, 1])]),
    box("iloc", [locations]),
  ]);
  const data = Array<Buffer>(boxes).fill(box("mdat", []));
  return Buffer.concat([box("ftyp", [Buffer.from("avif\0\0\0\0avifmif1", "latin1")]), meta, ...data]);
}

function box(name: string, parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.from(`\0\0\0\0${name}`, "latin1");
  head.writeUInt32BE(body.length + 8);
  return Buffer.concat([head, body]);
}
