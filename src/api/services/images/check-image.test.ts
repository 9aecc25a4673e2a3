import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import {
  animation,
  encode,
  formats,
  picture,
  pixelsOf,
  type SampleFormat,
  withSecrets,
} from "../../../../test/support/sample-images.ts";
import { checkImage } from "./check-image.ts";
import { readPngChunks, writePngChunk } from "./formats/png-chunks.ts";
import { imageLimits } from "./limits.ts";

const withMetadata = formats.filter((format) => format !== "gif");

describe.each(formats)("%s", (format) => {
  test("keeps the bytes of an image that has nothing but a picture in it", async () => {
    const bytes = await encode(picture(), format);
    const checked = await checkImage(bytes);
    expect(checked).toMatchObject({ mimeType: `image/${format}`, width: 60, height: 40 });
    expect(checked.bytes.equals(bytes)).toBe(true);
  });

  test("cuts off what follows the picture", async () => {
    const bytes = await encode(picture(), format);
    for (const tail of ["PK\x03\x04 zipped", "<script>alert(1)</script>", "\0".repeat(999), "%PDF-1.7"]) {
      const { bytes: checked } = await checkImage(Buffer.concat([bytes, Buffer.from(tail, "latin1")]));
      expect(checked.equals(bytes)).toBe(true);
    }
  });

  test("refuses every part of a file", async () => {
    const bytes = await encode(picture(), format);
    for (let length = 0; length < bytes.length; length += 1 + Math.floor(bytes.length / 60)) {
      await expect(checkImage(bytes.subarray(0, length))).rejects.toMatchObject({
        name: "ImageError",
        status: expect.toSatisfy((status) => status === 415 || status === 422),
      });
    }
  });
});

describe.each(withMetadata)("%s with metadata", (format) => {
  test("loses EXIF, GPS and XMP, and not a pixel", async () => {
    const bytes = await encode(withSecrets(picture()), format);
    expect(bytes.includes("SECRET")).toBe(true);
    const { bytes: checked } = await checkImage(bytes);
    expect(checked.includes("SECRET")).toBe(false);
    const metadata = await sharp(checked).metadata();
    expect([metadata.exif, metadata.xmp, metadata.iptc]).toEqual([undefined, undefined, undefined]);
    expect((await pixelsOf(checked)).equals(await pixelsOf(bytes))).toBe(true);
    expect((await checkImage(checked)).bytes.equals(checked)).toBe(true);
  });

  test("keeps the colours of a profile and nothing else of it", async () => {
    const bytes = await encode(picture().withIccProfile("p3"), format);
    const { bytes: checked } = await checkImage(bytes);
    const { icc } = await sharp(checked).metadata();
    expect(icc?.includes("CC0")).toBe(false);
    expect(icc?.toString("latin1", 36, 40)).toBe("acsp");
    // Converted to sRGB with the profile that it has now, the picture is the same as before.
    expect(await difference(bytes, checked)).toBeLessThan(0.5);
    expect((await checkImage(checked)).bytes.equals(checked)).toBe(true);
  });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "a JPEG that EXIF turns by %i is upright afterwards",
  async (orientation) => {
    const bytes = await picture({ width: 64, height: 48 })
      .withMetadata({ orientation })
      .jpeg({ quality: 98, chromaSubsampling: "4:4:4" })
      .toBuffer();
    const checked = await checkImage(bytes);
    const upright = await sharp(bytes).autoOrient().png().toBuffer();
    expect(checked).toMatchObject(orientation > 4 ? { width: 48, height: 64 } : { width: 64, height: 48 });
    expect(await difference(checked.bytes, upright)).toBeLessThan(6);
    expect((await sharp(checked.bytes).metadata()).exif).toBeUndefined();
  },
);

test.each(["png", "webp"] as const)("a %s that EXIF turns is upright afterwards", async (format) => {
  const bytes = await encode(picture().withMetadata({ orientation: 6 }), format);
  const checked = await checkImage(bytes);
  expect(checked).toMatchObject({ width: 40, height: 60 });
  expect(await difference(checked.bytes, await sharp(bytes).autoOrient().png().toBuffer())).toBeLessThan(6);
});

test("colours of a profile with tables are converted to sRGB", async () => {
  const bytes = await picture().toColourspace("cmyk").withIccProfile("cmyk").jpeg({ quality: 95 }).toBuffer();
  const checked = await checkImage(bytes);
  const metadata = await sharp(checked.bytes).metadata();
  expect([metadata.space, metadata.icc]).toEqual(["srgb", undefined]);
  expect(checked.bytes.length).toBeLessThan(bytes.length);
  expect(await difference(checked.bytes, bytes)).toBeLessThan(4);
});

describe.each(["gif", "webp"] as const)("animated %s", (format) => {
  test("keeps its frames, their times and its loop", async () => {
    const bytes = await animation(format, 5);
    const checked = await checkImage(bytes);
    expect(checked).toMatchObject({ width: 40, height: 40 });
    expect(checked.bytes.equals(bytes)).toBe(true);
    const metadata = await sharp(checked.bytes, { pages: -1 }).metadata();
    expect(metadata).toMatchObject({ pages: 5, loop: 0, delay: Array(5).fill(100) });
  });

  test("may have as many frames as the limit says, and as many pixels in all of them", async () => {
    const bytes = await animation(format, 3, 8);
    await expect(checkImage(manyFrames(format, bytes, imageLimits.frames + 1))).rejects.toMatchObject({
      code: "too_many_pixels",
    });
  });
});

test("a GIF loses comments and other applications' data, and keeps its loop", async () => {
  const bytes = await animation("gif");
  const comment = Buffer.from("\x21\xfe\x0bSECRET-text\0", "latin1");
  const application = Buffer.from("\x21\xff\x0bXMP DataXMP\x0aSECRET-xmp\0", "latin1");
  const at = bytes.indexOf(Buffer.from("\x21\xff\x0bNETSCAPE2.0", "latin1"));
  const dirty = Buffer.concat([bytes.subarray(0, at), comment, application, bytes.subarray(at)]);
  expect((await checkImage(dirty)).bytes.equals(bytes)).toBe(true);
});

test("a JPEG loses comments, thumbnails and unknown segments", async () => {
  const bytes = await encode(picture(), "jpeg");
  const segment = (marker: number, text: string) =>
    Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), Buffer.from(text, "latin1")]);
  const dirty = Buffer.concat([
    bytes.subarray(0, 2),
    segment(0xfe, "SECRET comment"),
    segment(0xe0, "JFXX\0\x13SECRET thumbnail"),
    segment(0xed, "Photoshop 3.0\0SECRET"),
    segment(0xe2, "MPF\0SECRET"),
    bytes.subarray(2),
  ]);
  expect((await checkImage(dirty)).bytes.equals(bytes)).toBe(true);
});

test("a PNG loses texts, times and unknown chunks", async () => {
  const bytes = await encode(picture(), "png");
  const extra = [
    { name: "tEXt", data: Buffer.from("Comment\0SECRET") },
    { name: "zTXt", data: Buffer.concat([Buffer.from("Comment\0\0"), deflateSync("SECRET")]) },
    { name: "iTXt", data: Buffer.from("Comment\0\0\0\0\0SECRET") },
    { name: "tIME", data: Buffer.from([7, 208, 1, 1, 0, 0, 0]) },
    { name: "prVt", data: Buffer.from("SECRET") },
    { name: "gAMA", data: Buffer.from("SECRET that is no gamma") },
  ];
  const dirty = Buffer.concat([bytes.subarray(0, 33), ...extra.map(writePngChunk), bytes.subarray(33)]);
  expect((await checkImage(dirty)).bytes.equals(bytes)).toBe(true);
});

describe("an animated PNG", () => {
  test("is kept as it is", async () => {
    const bytes = await animatedPng(4);
    const checked = await checkImage(bytes);
    expect(checked.bytes.equals(bytes)).toBe(true);
  });

  test("keeps its frames though EXIF turns it and its profile has tables", async () => {
    const bytes = await animatedPng(4);
    const { icc } = await sharp(
      await picture().toColourspace("cmyk").withIccProfile("cmyk").jpeg().toBuffer(),
    ).metadata();
    const added = [
      {
        name: "iCCP",
        data: Buffer.concat([Buffer.from("p\0\0"), deflateSync((icc ?? Buffer.alloc(0)).subarray(0, 132))]),
      },
      { name: "eXIf", data: Buffer.from("49492a0008000000010012010300010000000600000000000000", "hex") },
    ];
    const dirty = Buffer.concat([bytes.subarray(0, 33), ...added.map(writePngChunk), bytes.subarray(33)]);
    const checked = await checkImage(dirty);
    expect(checked.bytes.equals(bytes)).toBe(true);
  });

  test.each([
    ["a frame that does not decode", (chunk: PngChunk) => (chunk.name === "fdAT" ? noise(chunk) : chunk)],
    ["a frame that does not fit in", (chunk: PngChunk) => (chunk.name === "fcTL" ? wider(chunk) : chunk)],
    ["other numbers", (chunk: PngChunk) => (chunk.name === "acTL" ? wider(chunk) : chunk)],
  ])("is refused with %s", async (_, change) => {
    const bytes = await animatedPng(4);
    const changed = [...readPngChunks(bytes)].map((chunk) => writePngChunk(change(chunk)));
    await expect(checkImage(Buffer.concat([bytes.subarray(0, 8), ...changed]))).rejects.toMatchObject({
      code: "broken_image",
    });
  });

  type PngChunk = { name: string; data: Buffer };
  const noise = ({ name, data }: PngChunk) => ({
    name,
    data: Buffer.concat([data.subarray(0, 4), Buffer.alloc(data.length - 4, 0xa5)]),
  });
  const wider = ({ name, data }: PngChunk) => {
    const changed = Buffer.from(data);
    changed.writeUInt32BE(900, name === "acTL" ? 0 : 4);
    return { name, data: changed };
  };
});

test("types that we don't take are refused whatever they are called", async () => {
  const tiff = await picture().tiff().toBuffer();
  const others = [
    tiff,
    Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
    Buffer.from("<?xml version='1.0'?><svg/>"),
    Buffer.from("%PDF-1.7\n"),
    Buffer.from("BM\x36\0\0\0"),
    Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"),
    Buffer.from("\0\0\0\x1cftypavis\0\0\0\0avifavismsf1", "latin1"),
    Buffer.from("GIF90a"),
    Buffer.from("hello"),
    Buffer.alloc(0),
  ];
  for (const bytes of others)
    await expect(checkImage(bytes)).rejects.toMatchObject({ status: 415, code: "unsupported_image_type" });
});

test.each([
  ...formats.map((format) => [format, imageLimits.side + 1, 8] as const),
  ["png", 5_001, 5_000] as const,
  ["avif", 4_001, 4_000] as const,
])("a %s of %i x %i pixels is refused", async (format, width, height) => {
  const image = sharp({ create: { width, height, channels: 3, background: "red" } });
  await expect(checkImage(await encode(image, format))).rejects.toMatchObject({
    status: 422,
    code: "too_many_pixels",
  });
});

test("a JPEG with a scan over and over again is refused", async () => {
  const bytes = await picture().jpeg({ progressive: true }).toBuffer();
  const starts: number[] = [];
  for (
    let at = bytes.indexOf("\xff\xda", 0, "latin1");
    at > 0;
    at = bytes.indexOf("\xff\xda", at + 2, "latin1")
  )
    starts.push(at);
  expect(starts.length).toBeGreaterThan(3);
  const scan = bytes.subarray(starts[1], starts[2]);
  const many = Buffer.concat([
    bytes.subarray(0, starts[2]),
    ...Array(200).fill(scan),
    bytes.subarray(starts[2]),
  ]);
  await expect(checkImage(many)).rejects.toMatchObject({
    message: expect.stringContaining("too many scans"),
  });
});

/** The mean difference between two pictures in sRGB, in steps of 256. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes).toColourspace("srgb").removeAlpha().raw().toBuffer()),
  );
  if (a === undefined || b === undefined || a.length !== b.length) throw new Error("they differ in size");
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0));
  return sum / a.length;
}

/** The animation with its last frame repeated. */
function manyFrames(format: SampleFormat, bytes: Buffer, frames: number): Buffer {
  if (format === "gif") {
    const start = bytes.lastIndexOf(Buffer.from("\x21\xf9\x04", "latin1"));
    const frame = bytes.subarray(start, bytes.length - 1);
    return Buffer.concat([bytes.subarray(0, start), ...Array(frames).fill(frame), Buffer.from(";")]);
  }
  const start = bytes.lastIndexOf("ANMF");
  const body = Buffer.concat([bytes.subarray(0, start), ...Array(frames).fill(bytes.subarray(start))]);
  body.writeUInt32LE(body.length - 8, 4);
  return body;
}

async function animatedPng(frames: number): Promise<Buffer> {
  const still = await encode(picture(), "png");
  const chunks = [...readPngChunks(still)];
  const header = chunks[0]?.data ?? Buffer.alloc(13);
  const picked = (name: string) =>
    Buffer.concat(chunks.filter((chunk) => chunk.name === name).map((c) => c.data));
  let sequence = 0;
  const number = () => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(sequence++);
    return bytes;
  };
  const control = () => ({
    name: "fcTL",
    data: Buffer.concat([number(), header.subarray(0, 8), Buffer.alloc(8), Buffer.from([0, 1, 0, 10, 0, 0])]),
  });
  const all = [
    { name: "IHDR", data: header },
    { name: "acTL", data: Buffer.from([0, 0, 0, frames, 0, 0, 0, 0]) },
    ...chunks.filter(({ name }) => name === "PLTE"),
    control(),
    { name: "IDAT", data: picked("IDAT") },
  ];
  for (let frame = 1; frame < frames; frame++)
    all.push(control(), { name: "fdAT", data: Buffer.concat([number(), picked("IDAT")]) });
  all.push({ name: "IEND", data: Buffer.alloc(0) });
  return Buffer.concat([still.subarray(0, 8), ...all.map(writePngChunk)]);
}
