import sharp, { type Metadata, type Sharp } from "sharp";
import { brokenImage } from "../image-error.ts";
import type { ImageType } from "../image-type.ts";
import { imageLimits } from "../limits.ts";
import { encodingsFor } from "./encodings.ts";
import type { ReencodedImage } from "./messages.ts";
import { tooLargeAgain, tooManyPixels } from "./refusals.ts";

// Uploads don't repeat, so a cache only holds memory; parallel work comes from several uploads.
sharp.cache(false);
sharp.concurrency(1);
// Whatever else libvips can read stays out of reach, should the bytes look like it to libvips alone.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Png", "Jpeg", "Nsgif", "Webp", "Heif"].map((name) => `VipsForeignLoad${name}Buffer`),
});

/** How much larger than what was sent an image may become before the next encoding is tried. */
const growth = (bytes: number) => bytes * 1.5 + 4_096;

/**
 * Decodes an image in full and encodes it anew in its own type: upright, in sRGB, and with nothing in it but the
 * picture. The same bytes always give the same bytes. Frames, delays and loops of GIF and WebP stay; of an animated
 * PNG its first picture is left.
 *
 * Throws an ImageError, 413 or 422.
 */
export async function reencode(bytes: Buffer, type: ImageType): Promise<ReencodedImage> {
  const metadata = await decoding(open(bytes, type).metadata());
  assertType(metadata, type);
  assertSize(metadata, type);

  const encodings = encodingsFor(type, metadata, bytes);
  let smallest: ReencodedImage | undefined;
  for (const options of encodings) {
    const image = prepare(open(bytes, type), metadata).toFormat(type, options);
    const { data, info } = await decoding(image.toBuffer({ resolveWithObject: true }));
    if (smallest === undefined || data.length < smallest.bytes.length)
      smallest = { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
    if (data.length <= Math.min(imageLimits.bytes, growth(bytes.length))) break;
  }
  if (smallest === undefined || smallest.bytes.length > imageLimits.bytes) throw tooLargeAgain();
  return smallest;
}

/** @param animated whether all frames are wanted; of a format without frames there is one */
export function open(bytes: Buffer, type: ImageType, animated = true): Sharp {
  return sharp(bytes, {
    animated: animated && (type === "gif" || type === "webp"),
    failOn: "error",
    limitInputPixels: imageLimits.framePixels[type] + imageLimits.animationPixels,
    sequentialRead: true,
  });
}

function prepare(image: Sharp, { pages = 1, space }: Metadata): Sharp {
  // sharp can't turn an animation, which has an orientation in EXIF hardly ever: it stays as it lies.
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

export async function decoding<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (message.includes("exceeds pixel limit")) throw tooManyPixels("far more");
    throw brokenImage("it does not decode", error);
  }
}
