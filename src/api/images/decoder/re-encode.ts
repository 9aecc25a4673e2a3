import sharp, {
  type AvifOptions,
  type GifOptions,
  type JpegOptions,
  type Metadata,
  type PngOptions,
  type Sharp,
  type WebpOptions,
} from "sharp";
import { brokenImage } from "../image-error.ts";
import type { ImageType } from "../image-type.ts";
import { imageLimits, resizedLimits } from "../limits.ts";
import { type ReencodedImage, type Resizing, stillTooLarge, tooManyPixels } from "./messages.ts";

// Uploads don't repeat, so a cache would only take memory. Parallelism comes from several decoder processes.
sharp.cache(false);
sharp.concurrency(1);
// Blocks all other loaders of libvips, in case it detects another type than we did.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Png", "Jpeg", "Nsgif", "Webp", "Heif"].map((name) => `VipsForeignLoad${name}Buffer`),
});

/** The largest size that an encoding of an uploaded file may have before the next encoding is tried. */
const maxEncodedBytes = (bytes: number) => bytes * 1.5 + 4_096;

/**
 * Fully decodes an image and re-encodes it in its own type: upright, in sRGB, and with nothing in it but the picture. Equal input gives
 * equal output. Frames, delays and loops of GIF and WebP are kept; an animated PNG becomes its first frame.
 *
 * Throws an ImageError, 413 or 422.
 */
export async function reencode(bytes: Buffer, type: ImageType): Promise<ReencodedImage> {
  const metadata = await mapDecodeErrors(openImage(bytes, type).metadata());
  assertType(metadata, type);
  assertSize(metadata, type);

  const encodings = encodingsFor(type, metadata, bytes);
  let smallest: ReencodedImage | undefined;
  for (const options of encodings) {
    const image = prepare(openImage(bytes, type), metadata).toFormat(type, options);
    const { data, info } = await mapDecodeErrors(image.toBuffer({ resolveWithObject: true }));
    if (smallest === undefined || data.length < smallest.bytes.length)
      smallest = { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
    if (data.length <= Math.min(imageLimits.bytes, maxEncodedBytes(bytes.length))) break;
  }
  if (smallest === undefined || smallest.bytes.length > imageLimits.bytes) throw stillTooLarge();
  return smallest;
}

/** @param animated whether to read all frames; formats without frames have one */
function openImage(bytes: Buffer, type: ImageType, animated = true): Sharp {
  return sharp(bytes, {
    animated: animated && (type === "gif" || type === "webp"),
    failOn: "error",
    limitInputPixels: imageLimits.framePixels[type] + imageLimits.animationPixels,
    sequentialRead: true,
  });
}

function prepare(image: Sharp, { pages = 1, space }: Metadata): Sharp {
  // sharp can't rotate an animation. Those hardly ever have an EXIF orientation, so it is ignored.
  const upright = pages > 1 ? image : image.autoOrient();
  return upright.toColourspace(space === "b-w" || space === "grey16" ? "b-w" : "srgb");
}

function assertType({ format, compression }: Metadata, type: ImageType): void {
  if (format !== (type === "avif" ? "heif" : type) || (type === "avif" && compression !== "av1"))
    throw brokenImage("it is not of the type that it begins as");
}

function assertSize({ width, height, pageHeight = height, pages = 1 }: Metadata, type: ImageType): void {
  const { side, framePixels, frames, animationPixels } = imageLimits;
  const area = width * pageHeight;
  if (width > side || pageHeight > side || area > framePixels[type])
    throw tooManyPixels(`${width} x ${pageHeight}`);
  if (pages > frames || (pages > 1 && area * pages > animationPixels))
    throw tooManyPixels(`${width} x ${pageHeight} in ${pages} frames`);
}

async function mapDecodeErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (message.includes("exceeds pixel limit")) throw tooManyPixels("far more");
    throw brokenImage("it does not decode", error);
  }
}

type Encoding = JpegOptions | PngOptions | WebpOptions | GifOptions | AvifOptions;

/** Larger PNGs lose their palette: computing it again takes a microsecond per pixel. */
const PALETTE_PNG_PIXELS = 4_000_000;

/** Larger WebPs are never encoded losslessly: that takes 25 bytes of memory and a microsecond per pixel. */
const LOSSLESS_WEBP_PIXELS = 4_000_000;

/**
 * Returns the options for encoding an image of this type, the best first; the next ones are for an image that comes out too large.
 * They favour low memory and time over the last percent of size.
 */
function encodingsFor(type: ImageType, metadata: Metadata, source: Buffer): Encoding[] {
  switch (type) {
    case "jpeg":
      return [90, 80, 70].map((quality) => ({ quality, ...subsampling(metadata), optimizeCoding: false }));
    case "png":
      return pngEncodings(metadata);
    case "webp":
      return webpEncodings(metadata, source);
    case "gif":
      // With an effort below 7 or with dithering, the colours of a palette would change.
      return [
        { effort: 7, dither: 0, interFrameMaxError: 0, interPaletteMaxError: 0 },
        { effort: 1, dither: 0, interFrameMaxError: 8, interPaletteMaxError: 16, colours: 128 },
      ];
    case "avif":
      return [70, 55].map((quality) => ({ quality, effort: 0, chromaSubsampling: "4:2:0" }));
  }
}

function subsampling({ chromaSubsampling }: Metadata): JpegOptions {
  return { chromaSubsampling: chromaSubsampling?.startsWith("4:4:4") ? "4:4:4" : "4:2:0" };
}

function pngEncodings({ isPalette, width, height }: Metadata): PngOptions[] {
  const plain = [{ compressionLevel: 6 }, { compressionLevel: 9, adaptiveFiltering: true }];
  if (!isPalette || width * height > PALETTE_PNG_PIXELS) return plain;
  return [{ palette: true, quality: 100, dither: 0, effort: 7, compressionLevel: 9 }, ...plain];
}

function webpEncodings({ width, height, pageHeight = height }: Metadata, source: Buffer): WebpOptions[] {
  const lossy = [90, 80, 65].map((quality) => ({ quality, effort: 1 }));
  // VP8L is the chunk of a lossless picture. If the bytes mean something else, the image is just larger than necessary.
  const isLossless = source.includes("VP8L") && width * pageHeight <= LOSSLESS_WEBP_PIXELS;
  return isLossless ? [{ lossless: true, effort: 0 }, ...lossy] : lossy;
}

/** The best first; the next ones are for an image that comes out too large. One that doesn't compress well is scaled down. */
const attempts = [
  { quality: 82, scale: 1 },
  { quality: 60, scale: 1 },
  { quality: 30, scale: 1 },
  { quality: 30, scale: 1 / 2 },
  { quality: 30, scale: 1 / 4 },
];

/** Resizes a stored image, keeping its proportions and never enlarging it. Throws an ImageError, 413 or 422. */
export async function resize(
  bytes: Buffer,
  type: ImageType,
  { width, format }: Resizing,
): Promise<ReencodedImage> {
  return format === "png" ? await toPng(bytes, type, width) : await toWebp(bytes, type, width);
}

async function toPng(bytes: Buffer, type: ImageType, width: number): Promise<ReencodedImage> {
  const image = openImage(bytes, type, false).resize({
    width,
    height: width,
    fit: "inside",
    withoutEnlargement: true,
  });
  const { data, info } = await mapDecodeErrors(image.png().toBuffer({ resolveWithObject: true }));
  return { bytes: data, width: info.width, height: info.height };
}

/** Keeps an animation animated if that is cheap and small enough, and otherwise uses its first frame. */
async function toWebp(bytes: Buffer, type: ImageType, width: number): Promise<ReencodedImage> {
  const metadata = await mapDecodeErrors(openImage(bytes, type).metadata());
  if (canStayAnimated(metadata, width)) {
    const animation = await scaleToWebp(bytes, type, { width, quality: 82, animated: true });
    if (animation.bytes.length <= resizedLimits.bytes) return animation;
  }
  for (const { quality, scale } of attempts) {
    const still = await scaleToWebp(bytes, type, { width: width * scale, quality, animated: false });
    if (still.bytes.length <= resizedLimits.bytes) return still;
  }
  throw stillTooLarge();
}

function canStayAnimated(
  { pages = 1, width, height, pageHeight = height }: Metadata,
  wanted: number,
): boolean {
  const scale = Math.min(1, wanted / width);
  return pages > 1 && pages * width * pageHeight * scale * scale <= resizedLimits.animationPixels;
}

type Scaling = { width: number; quality: number; animated: boolean };

async function scaleToWebp(
  bytes: Buffer,
  type: ImageType,
  { width, quality, animated }: Scaling,
): Promise<ReencodedImage> {
  const image = openImage(bytes, type, animated)
    .resize({ width, height: resizedLimits.heights * width, fit: "inside", withoutEnlargement: true })
    .webp({ quality, effort: 2 });
  const { data, info } = await mapDecodeErrors(image.toBuffer({ resolveWithObject: true }));
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
}
