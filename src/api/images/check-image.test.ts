import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { animatedPng } from "../../../test/fuzz/animated-png.ts";
import { writePngChunk } from "../../../test/fuzz/png-chunks.ts";
import { startDecoder } from "../../../test/service/image-decoder.ts";
import { imageDifference } from "../../../test/service/image-difference.ts";
import {
  animation,
  encode,
  formats,
  picture,
  pixelsOf,
  type SampleFormat,
  withSecrets,
} from "../../../test/service/sample-images.ts";
import type { ImageDecoder } from "./decoder/decoder.ts";
import { type CheckedImage, checkImage } from "./image-service.ts";
import { imageLimits } from "./limits.ts";

const withMetadata = formats.filter((format) => format !== "gif");
const lossless: SampleFormat[] = ["png", "gif"];

let decoder: ImageDecoder;
let other: ImageDecoder;
beforeAll(() => {
  [decoder, other] = [startDecoder(), startDecoder()];
});
afterAll(() => Promise.all([decoder.close(), other.close()]));
const check = (bytes: Buffer): Promise<CheckedImage> => checkImage(decoder, bytes);

describe.each(formats)("%s", (format) => {
  test("stays the same picture, and gets the same bytes from every decoder", async () => {
    const bytes = await encode(picture(), format);
    const checked = await check(bytes);
    expect(checked).toMatchObject({ mimeType: `image/${format}`, width: 60, height: 40 });
    expect(await imageDifference(checked.bytes, bytes)).toBeLessThan(lossless.includes(format) ? 0.1 : 6);

    const again = [await check(bytes), await checkImage(other, bytes)];
    for (const { bytes: same } of again) expect(same.equals(checked.bytes)).toBe(true);
  });

  test("loses what follows the picture", async () => {
    const bytes = await encode(picture(), format);
    const { bytes: plain } = await check(bytes);
    for (const tail of ["PK\x03\x04 zipped", "<script>alert(1)</script>", "\0".repeat(999), "%PDF-1.7"]) {
      const { bytes: checked } = await check(Buffer.concat([bytes, Buffer.from(tail, "latin1")]));
      expect(checked.equals(plain)).toBe(true);
    }
  });

  test("is refused if it is truncated", async () => {
    const bytes = await encode(picture(), format);
    for (let length = 0; length < bytes.length - 2; length += 1 + Math.floor(bytes.length / 30)) {
      await expect(check(bytes.subarray(0, length))).rejects.toMatchObject({
        name: "ImageError",
        status: expect.toSatisfy((status) => status === 415 || status === 422),
      });
    }
  });
});

describe.each(withMetadata)("%s with metadata", (format) => {
  test("loses EXIF, GPS and XMP", async () => {
    const bytes = await encode(withSecrets(picture()), format);
    expect(bytes.includes("SECRET")).toBe(true);
    const { bytes: checked } = await check(bytes);
    expect(checked.includes("SECRET")).toBe(false);
    const metadata = await sharp(checked).metadata();
    expect([metadata.exif, metadata.xmp, metadata.iptc]).toEqual([undefined, undefined, undefined]);
  });

  test("in wide-gamut colours is converted to sRGB, and loses its profile", async () => {
    const red = sharp({ create: { width: 60, height: 40, channels: 3, background: "#e01020" } });
    const bytes = await encode(red.withIccProfile("p3"), format);
    const { bytes: checked } = await check(bytes);
    expect((await sharp(checked).metadata()).icc).toBeUndefined();
    expect(await imageDifference(bytes, checked)).toBeLessThan(3);
    // Without the conversion they would be far from it.
    const unconverted = await sharp(bytes, { ignoreIcc: true }).png().toBuffer();
    expect(await imageDifference(bytes, unconverted)).toBeGreaterThan(6);
  });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])("a JPEG that EXIF turns by %i is upright afterwards", async (turn) => {
  const bytes = await picture({ width: 64, height: 48 })
    .withMetadata({ orientation: turn })
    .jpeg({ quality: 98, chromaSubsampling: "4:4:4" })
    .toBuffer();
  const checked = await check(bytes);
  const upright = await sharp(bytes).autoOrient().png().toBuffer();
  expect(checked).toMatchObject(turn > 4 ? { width: 48, height: 64 } : { width: 64, height: 48 });
  expect(await imageDifference(checked.bytes, upright)).toBeLessThan(6);
  expect((await sharp(checked.bytes).metadata()).exif).toBeUndefined();
});

test.each(["png", "webp"] as const)("a %s that EXIF turns is upright afterwards", async (format) => {
  const bytes = await encode(picture().withMetadata({ orientation: 6 }), format);
  const checked = await check(bytes);
  expect(checked).toMatchObject({ width: 40, height: 60 });
  expect(await imageDifference(checked.bytes, await sharp(bytes).autoOrient().png().toBuffer())).toBeLessThan(
    6,
  );
});

test("a CMYK JPEG becomes sRGB", async () => {
  const bytes = await picture().toColourspace("cmyk").withIccProfile("cmyk").jpeg({ quality: 95 }).toBuffer();
  const checked = await check(bytes);
  const { space, icc, channels } = await sharp(checked.bytes).metadata();
  expect([space, icc, channels]).toEqual(["srgb", undefined, 3]);
  expect(checked.bytes.length).toBeLessThan(bytes.length);
  expect(await imageDifference(checked.bytes, bytes)).toBeLessThan(6);
});

test("a PNG of 16 bits becomes one of 8, and a grey one stays grey", async () => {
  const deep = await picture().toColourspace("rgb16").png().toBuffer();
  expect((await sharp(deep).metadata()).depth).toBe("ushort");
  const shallow = await check(deep);
  expect((await sharp(shallow.bytes).metadata()).depth).toBe("uchar");
  expect(await imageDifference(shallow.bytes, deep)).toBeLessThan(1);

  const grey = await check(await picture().toColourspace("b-w").png().toBuffer());
  expect((await sharp(grey.bytes).metadata()).space).toBe("b-w");
});

test("a PNG with a palette keeps one, with the same colours, and does not grow", async () => {
  const bytes = await picture({ width: 300, height: 200 }).png({ palette: true, colours: 64 }).toBuffer();
  const { bytes: checked } = await check(bytes);
  expect((await sharp(checked).metadata()).isPalette).toBe(true);
  expect((await pixelsOf(checked)).equals(await pixelsOf(bytes))).toBe(true);
  expect(checked.length).toBeLessThan(bytes.length * 1.2);
});

test.each(["png", "webp", "avif", "gif"] as const)("transparency of a %s is kept", async (format) => {
  const half = sharp({ create: { width: 20, height: 20, channels: 4, background: "#0000" } }).composite([
    { input: await picture({ width: 10, height: 20 }).png().toBuffer(), left: 0, top: 0 },
  ]);
  const { bytes: checked } = await check(await encode(half, format));
  const alpha = await sharp(checked).extractChannel("alpha").raw().toBuffer();
  expect([alpha.at(20 * 10 + 2), alpha.at(20 * 10 + 17)]).toEqual([255, 0]);
});

describe.each(["gif", "webp"] as const)("animated %s", (format) => {
  test("keeps its frames, their times and its loop", async () => {
    const times = [50, 100, 150, 200, 1_000];
    const bytes = await animation(format, { frames: 5, delay: times, loop: 3 });
    const checked = await check(bytes);
    expect(checked).toMatchObject({ width: 40, height: 40 });
    const metadata = await sharp(checked.bytes, { pages: -1 }).metadata();
    expect(metadata).toMatchObject({ pages: 5, loop: 3, delay: times });
    expect(await imageDifference(checked.bytes, bytes)).toBeLessThan(6);
  });

  test("is refused with more frames than the limit", async () => {
    const bytes = await animation(format, { size: 8 });
    await expect(check(manyFrames(format, bytes, imageLimits.frames + 1))).rejects.toMatchObject({
      code: "too_many_pixels",
    });
  });

  test("is refused with more pixels in all frames than the limit", async () => {
    const bytes = await animation(format, { frames: 2, size: 500 });
    const frames = Math.ceil(imageLimits.animationPixels / 500 ** 2) + 1;
    await expect(check(manyFrames(format, bytes, frames))).rejects.toMatchObject({ code: "too_many_pixels" });
  });
});

test("a GIF loses comments and other applications' data, and keeps its loop", async () => {
  const bytes = await animation("gif");
  const comment = Buffer.from("\x21\xfe\x0bSECRET-text\0", "latin1");
  const application = Buffer.from("\x21\xff\x0bXMP DataXMP\x0aSECRET-xmp\0", "latin1");
  const at = bytes.indexOf(Buffer.from("\x21\xff\x0bNETSCAPE2.0", "latin1"));
  const dirty = Buffer.concat([bytes.subarray(0, at), comment, application, bytes.subarray(at)]);
  const { bytes: checked } = await check(dirty);
  expect(checked.includes("SECRET")).toBe(false);
  expect(checked.equals((await check(bytes)).bytes)).toBe(true);
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
  expect((await check(dirty)).bytes.equals((await check(bytes)).bytes)).toBe(true);
});

test("a PNG loses texts, times and unknown chunks", async () => {
  const bytes = await encode(picture(), "png");
  const extra = [
    { name: "tEXt", data: Buffer.from("Comment\0SECRET") },
    { name: "zTXt", data: Buffer.concat([Buffer.from("Comment\0\0"), deflateSync("SECRET")]) },
    { name: "iTXt", data: Buffer.from("Comment\0\0\0\0\0SECRET") },
    { name: "tIME", data: Buffer.from([7, 208, 1, 1, 0, 0, 0]) },
    { name: "prVt", data: Buffer.from("SECRET") },
  ];
  const dirty = Buffer.concat([bytes.subarray(0, 33), ...extra.map(writePngChunk), bytes.subarray(33)]);
  expect((await check(dirty)).bytes.equals((await check(bytes)).bytes)).toBe(true);
});

test("an animated PNG becomes its first frame", async () => {
  const bytes = await animatedPng(4);
  const { bytes: checked } = await check(bytes);
  expect(checked.includes("fdAT") || checked.includes("acTL")).toBe(false);
  expect((await pixelsOf(checked)).equals(await pixelsOf(bytes))).toBe(true);
});

test("unsupported types are refused whatever they are called", async () => {
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
    await expect(check(bytes)).rejects.toMatchObject({ status: 415, code: "unsupported_image_type" });
});

test.each([
  ...formats.map((format) => [format, imageLimits.side + 1, 8] as const),
  ["png", 5_001, 5_000] as const,
  ["webp", 2_501, 2_000] as const,
  ["avif", 1_601, 2_000] as const,
])("a %s of %i x %i pixels is refused", async (format, width, height) => {
  const image = sharp({ create: { width, height, channels: 3, background: "red" } });
  await expect(check(await encode(image, format))).rejects.toMatchObject({
    status: 422,
    code: "too_many_pixels",
  });
});

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
