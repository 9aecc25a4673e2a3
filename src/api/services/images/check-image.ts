import sharp, { type Sharp } from "sharp";
import { cleanAvif } from "./formats/avif.ts";
import { detectFormat } from "./formats/detect.ts";
import { type Cleaned, type Format, type MimeType, mimeTypes } from "./formats/format.ts";
import { cleanGif } from "./formats/gif.ts";
import { cleanJpeg } from "./formats/jpeg.ts";
import { cleanPng } from "./formats/png.ts";
import { cleanWebp } from "./formats/webp.ts";
import { brokenImage, ImageError } from "./image-error.ts";
import { imageLimits } from "./limits.ts";

/** An image that may be kept and served: decoded in full, and with nothing in it but the picture. */
export type CheckedImage = {
  bytes: Buffer;
  mimeType: MimeType;
  /** Pixels of one frame. */
  width: number;
  height: number;
};

const cleaners: Record<Format, (bytes: Buffer) => Cleaned> = {
  png: cleanPng,
  jpeg: cleanJpeg,
  gif: cleanGif,
  webp: cleanWebp,
  avif: cleanAvif,
};

// Uploads don't repeat, so a cache only holds memory; parallel work comes from several uploads.
sharp.cache(false);
sharp.concurrency(1);
// Whatever else libvips can read stays out of reach, should the bytes look like it to libvips alone.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Png", "Jpeg", "Nsgif", "Webp", "Heif"].map((name) => `VipsForeignLoad${name}Buffer`),
});

/**
 * Checks what a client sent and takes everything out that is not the picture: EXIF, GPS, XMP, texts, thumbnails,
 * trailing bytes, and all of a colour profile but its colours. Keeps the bytes exactly where there is nothing to
 * take out, and rewrites the container without touching the picture where there is. Encodes anew only a picture
 * that EXIF turns (and that has one frame), or whose colour profile is not of the plain kind (then to sRGB).
 *
 * Throws an ImageError: 415 for another type, 422 for a broken image or one with too many pixels or frames.
 */
export async function checkImage(bytes: Buffer): Promise<CheckedImage> {
  const format = detectFormat(bytes);
  const parsed = clean(format, bytes);
  const { width, height } = await readHeader(parsed, format);

  // The frames of an animation can't be turned one by one: it stays as it lies.
  const mustTurn = parsed.orientation > 1 && parsed.frames === 1;
  const mustEncode = mustTurn || parsed.foreignColours;
  if (!mustEncode) {
    await decode(parsed.bytes);
    for (const frame of parsed.hiddenFrames) await decode(frame);
    return { bytes: parsed.bytes, mimeType: mimeTypes[format], width, height };
  }
  const encoded = clean(format, await encode(parsed, format));
  const size = await readHeader(encoded, format);
  return { bytes: encoded.bytes, mimeType: mimeTypes[format], ...size };
}

function clean(format: Format, bytes: Buffer): Cleaned {
  try {
    return cleaners[format](bytes);
  } catch (error) {
    if (error instanceof ImageError) throw error;
    // A read behind the end, which the parsers leave to Buffer's own check.
    if (error instanceof RangeError) throw brokenImage("the file ends early", error);
    throw error;
  }
}

async function readHeader({ bytes, frames, canvas }: Cleaned, format: Format) {
  const metadata = await decoding(open(bytes).metadata());
  const expected = format === "avif" ? "heif" : format;
  if (metadata.format !== expected || (format === "avif" && metadata.compression !== "av1"))
    throw brokenImage("it is not of the type that it begins as");
  const width = Math.max(metadata.width, canvas?.width ?? 0);
  const height = Math.max(metadata.pageHeight ?? metadata.height, canvas?.height ?? 0);
  const count = Math.max(frames, metadata.pages ?? 1);
  const { side, pixels, avifPixels, framePixels, frames: maximum } = imageLimits;
  const area = width * height;
  if (width > side || height > side || area > (format === "avif" ? avifPixels : framePixels))
    throw tooManyPixels(`${width} x ${height}`);
  if (count > maximum || area * count > pixels)
    throw tooManyPixels(`${width} x ${height} in ${count} frames`);
  return { width, height };
}

/** Decodes every pixel of every frame; one channel of them is enough to have done so. */
async function decode(bytes: Buffer): Promise<void> {
  await decoding(open(bytes).extractChannel(0).raw().toBuffer());
}

async function encode({ bytes, orientation, frames }: Cleaned, format: Format): Promise<Buffer> {
  const turned = frames > 1 ? open(bytes) : turn(open(bytes), orientation);
  for (const quality of [95, 85, 75]) {
    const encoded = await decoding(encoder(turned.clone(), format, quality, bytes).toBuffer());
    if (encoded.length <= imageLimits.bytes) return encoded;
  }
  throw new ImageError(413, "image_too_large", "Turned upright, the image has more than 5 MB.");
}

function encoder(image: Sharp, format: Format, quality: number, source: Buffer): Sharp {
  if (format === "jpeg") return image.jpeg({ quality, chromaSubsampling: "4:4:4" });
  if (format === "webp") return image.webp({ quality, lossless: source.includes("VP8L") });
  if (format === "avif") return image.avif({ quality, effort: 2 });
  return format === "gif" ? image.gif() : image.png();
}

/** Turns as EXIF's orientation says (TIFF 6.0, page 36). sharp mirrors before it rotates. */
function turn(image: Sharp, orientation: number): Sharp {
  const angle = { 3: 180, 5: 90, 6: 90, 7: 270, 8: 270 }[orientation] ?? 0;
  const turned = angle === 0 ? image : image.rotate(angle);
  if (orientation === 2) return turned.flop();
  return [4, 5, 7].includes(orientation) ? turned.flip() : turned;
}

function open(bytes: Buffer): Sharp {
  return sharp(bytes, {
    pages: -1,
    failOn: "warning",
    limitInputPixels: imageLimits.pixels,
    sequentialRead: true,
  }).timeout({ seconds: imageLimits.decodingSeconds });
}

async function decoding<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ImageError) throw error;
    const message = error instanceof Error ? error.message : "";
    if (message.includes("exceeds pixel limit")) throw tooManyPixels("far more");
    if (message.startsWith("timeout"))
      throw new ImageError(422, "image_too_complex", "The image takes too long to decode.", { cause: error });
    throw brokenImage("it does not decode", error);
  }
}

function tooManyPixels(found: string): ImageError {
  const { side, framePixels, avifPixels, frames, pixels } = imageLimits;
  const limits = `${side} pixels a side, ${framePixels} pixels (${avifPixels} for AVIF), ${frames} frames and ${pixels} pixels in all frames together`;
  return new ImageError(422, "too_many_pixels", `An image may have ${limits}. This one has ${found}.`);
}
