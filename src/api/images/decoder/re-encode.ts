import sharp, { type Metadata, type Sharp } from "sharp";
import { brokenImage } from "../image-error.ts";
import type { ImageType } from "../image-type.ts";
import { imageLimits } from "../limits.ts";
import { encodingsFor } from "./encodings.ts";
import type { ReencodedImage } from "./messages.ts";
import { stillTooLarge, tooManyPixels } from "./refusals.ts";

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
export function openImage(bytes: Buffer, type: ImageType, animated = true): Sharp {
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

export async function mapDecodeErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (message.includes("exceeds pixel limit")) throw tooManyPixels("far more");
    throw brokenImage("it does not decode", error);
  }
}
