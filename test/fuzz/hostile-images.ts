import { deflateSync } from "node:zlib";
import { animation, encode, formats, picture, withSecrets } from "../service/sample-images.ts";
import { writePngChunk } from "./png-chunks.ts";

/** A hostile upload. If `refuse` is set it must be refused; otherwise it may also be sanitised. */
export type HostileFile = { kind: string; name: string; bytes: Buffer; refuse: boolean };

/** A text that no stored file may contain. */
export const payloadMark = "HOSTILE-PAYLOAD";

const payloads = [
  `<html><script>alert("${payloadMark}")</script></html>`,
  `PK\x03\x04\x14\0\0\0\0\0${payloadMark}PK\x05\x06${"\0".repeat(18)}`,
  `<?php system("${payloadMark}"); ?>`,
  `MZ\x90\0\x03\0\0\0${payloadMark}`,
  `%PDF-1.7\n${payloadMark}\n%%EOF`,
  `\x7fELF\x02\x01\x01${payloadMark}`,
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${payloadMark}"/>`,
  `Rar!\x1a\x07\0${payloadMark}`,
];

const names = [
  "../../../../etc/passwd",
  "..\\..\\..\\windows\\win.ini",
  "/etc/shadow",
  "a\0.png",
  "%00",
  "..%2f..%2fetc%2fpasswd",
  "a".repeat(10_000),
  "\u202egnp.exe",
  'a"; filename="b',
  "CON",
  ".htaccess",
  "image.png.php",
  "",
  "\r\nX-Evil: 1",
];

/** A seeded generator of random integers, so that the same seed gives the same files. */
function createRandomBelow(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Generates `count` hostile files, of each kind in turn, from images of every type. */
export async function* hostileFiles(count: number, seed = 1): AsyncGenerator<HostileFile> {
  const below = createRandomBelow(seed);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const bases = await samples();
  const kinds = [truncated, wrongMagic, polyglot, flipped, patched, spliced, inMetadata, bomb, prefixed];
  for (let index = 0; index < count; index++) {
    const make = kinds[index % kinds.length] ?? truncated;
    yield { kind: make.name, name: pick(names), ...make(pick(bases)) };
  }

  function truncated(base: Buffer) {
    // A GIF that ends after a whole frame is still valid.
    return { bytes: base.subarray(0, below(base.length)), refuse: base[0] !== 0x47 };
  }
  function wrongMagic(base: Buffer) {
    const bytes = Buffer.from(base);
    const others = [
      "II*\0",
      "%PDF",
      "<svg",
      "BM\0\0",
      "\0\0\0\0",
      "PK\x03\x04",
      "\xff\xd8\xff\xe0",
      "\x89PNG",
      "GIF8",
    ];
    bytes.write(pick(others), 0, "latin1");
    // The chosen magic may be the file's own, which wouldn't be wrong.
    return bytes.equals(base)
      ? { bytes: bytes.subarray(1), refuse: true }
      : { bytes, refuse: !keepsItsMagic(bytes, base) };
  }
  function polyglot(base: Buffer) {
    return { bytes: Buffer.concat([base, Buffer.from(pick(payloads), "latin1")]), refuse: false };
  }
  function prefixed(base: Buffer) {
    return { bytes: Buffer.concat([Buffer.from(pick(payloads), "latin1"), base]), refuse: true };
  }
  function flipped(base: Buffer) {
    const bytes = Buffer.from(base);
    for (let flips = 1 + below(20); flips > 0; flips--) {
      const at = below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
    }
    return { bytes, refuse: false };
  }
  function patched(base: Buffer) {
    const bytes = Buffer.from(base);
    const at = below(Math.min(bytes.length - 4, 400));
    bytes.writeUInt32BE(pick([0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x0100_0000]), at);
    return { bytes, refuse: false };
  }
  function spliced(base: Buffer) {
    const other = pick(bases);
    const at = below(base.length);
    return {
      bytes: Buffer.concat([base.subarray(0, at), other.subarray(below(other.length))]),
      refuse: false,
    };
  }
  function inMetadata(base: Buffer) {
    const payload = pick(payloads);
    return { bytes: withPayload(base, Buffer.from(payload, "latin1")), refuse: false };
  }
  function bomb() {
    return { bytes: pick([...bombs, avifOf])(1 + below(60_000)), refuse: true };
  }
  function avifOf(size: number): Buffer {
    const bytes = Buffer.from(bases[formats.indexOf("avif")] ?? "");
    const at = bytes.indexOf("ispe");
    bytes.writeUInt32BE(4_001 + size * size, at + 8);
    bytes.writeUInt32BE(4_001 + size, at + 12);
    return bytes;
  }
}

async function samples(): Promise<Buffer[]> {
  const plain = formats.map((format) => encode(picture(), format));
  const full = (["png", "jpeg", "webp", "avif"] as const).map((format) =>
    encode(withSecrets(picture({ seed: 5 })).withIccProfile("p3"), format),
  );
  const progressive = picture({ seed: 9 }).jpeg({ progressive: true }).toBuffer();
  const lossless = picture({ seed: 11 }).webp({ lossless: true }).toBuffer();
  const interlaced = picture({ seed: 12 }).png({ progressive: true, palette: true }).toBuffer();
  return await Promise.all([
    ...plain,
    ...full,
    progressive,
    lossless,
    interlaced,
    animation("gif"),
    animation("webp"),
  ]);
}

/** Whether the bytes still start as a file of their type, although the start was overwritten. */
function keepsItsMagic(bytes: Buffer, base: Buffer): boolean {
  return (
    bytes.subarray(0, 12).equals(base.subarray(0, 12)) ||
    bytes.toString("latin1", 4, 8) === "ftyp" ||
    bytes[0] === 0xff
  );
}

/** Puts the payload where comments or metadata belong, or at the end if the type has no such place that is easy to reach. */
function withPayload(base: Buffer, payload: Buffer): Buffer {
  if (base[0] === 0x89)
    return Buffer.concat([
      base.subarray(0, 33),
      writePngChunk({ name: "tEXt", data: Buffer.concat([Buffer.from("Comment\0"), payload]) }),
      base.subarray(33),
    ]);
  if (base[0] === 0xff) {
    const head = Buffer.from([0xff, 0xfe, 0, payload.length + 2]);
    return Buffer.concat([base.subarray(0, 2), head, payload, base.subarray(2)]);
  }
  if (base[0] === 0x47)
    return Buffer.concat([
      base.subarray(0, -1),
      Buffer.from([0x21, 0xfe, payload.length]),
      payload,
      Buffer.from([0, 0x3b]),
    ]);
  if (base[0] === 0x52) {
    const head = Buffer.from("EVIL\0\0\0\0");
    head.writeUInt32LE(payload.length, 4);
    const bytes = Buffer.concat([base, head, payload, Buffer.alloc(payload.length % 2)]);
    bytes.writeUInt32LE(bytes.length - 8, 4);
    return bytes;
  }
  const size = Buffer.alloc(4);
  size.writeUInt32BE(payload.length + 8);
  return Buffer.concat([base, size, Buffer.from("uuid"), payload]);
}

/* Small files that decode to large images: by dimensions, frames or compressed metadata. `size` varies them. */
const bombs: ((size: number) => Buffer)[] = [
  (size) => png({ width: 8_193 + size, height: 8_193 + size }),
  (size) => png({ width: 0x7fff_ffff, height: size }),
  // The dimensions are allowed, but the data don't match them.
  (size) => png({ width: 4_000, height: 4_000, data: deflateSync(Buffer.alloc(size)) }),
  (size) => Buffer.concat([gifHead(0xffff, 0xffff), ...gifFrames(1 + (size % 5), 0xffff), Buffer.from(";")]),
  (size) => Buffer.concat([gifHead(600, 600), ...gifFrames(1_001 + (size % 500), 1), Buffer.from(";")]),
  (size) => Buffer.concat([gifHead(8_000, 8_000), ...gifFrames(2 + (size % 200), 8_000), Buffer.from(";")]),
  (size) => webpCanvas(16_384, 16_384 - (size % 9)),
  (size) => webpCanvas(0xff_ffff, 1 + (size % 99)),
  (size) => jpegFrame(0xffff, 0xffff - (size % 999)),
  (size) => jpegFrame(9_000, 9_000 + (size % 999)),
];

function png({
  width,
  height,
  data = deflateSync(Buffer.alloc(1_000)),
}: {
  width: number;
  height: number;
  data?: Buffer;
}) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const chunks = [
    { name: "IHDR", data: header },
    { name: "zTXt", data: Buffer.concat([Buffer.from("c\0\0"), deflateSync(Buffer.alloc(20_000_000))]) },
    { name: "IDAT", data },
    { name: "IEND", data: Buffer.alloc(0) },
  ];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks.map(writePngChunk)]);
}

function gifHead(width: number, height: number): Buffer {
  const head = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return head;
}

function gifFrames(count: number, side: number): Buffer[] {
  const frame = Buffer.from("\x21\xf9\x04\0\x0a\0\0\0\x2c\0\0\0\0\0\0\0\0\0\x02\x02\x44\x01\0", "latin1");
  frame.writeUInt16LE(side, 13);
  frame.writeUInt16LE(side, 15);
  return Array(count).fill(frame);
}

function webpCanvas(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30 + 34);
  bytes.write("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0", "latin1");
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  bytes.write("VP8L\x1a\0\0\0\x2f\xff\xff\xff\x0f", 30, "latin1");
  return bytes;
}

function jpegFrame(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const tables = Buffer.concat([Buffer.from([0xff, 0xdb, 0, 67, 0]), Buffer.alloc(64, 1)]);
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x55, 0x55, 0xff, 0xd9]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), tables, frame, scan]);
}
