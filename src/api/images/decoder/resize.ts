import type { Metadata } from "sharp";
import type { ImageType } from "../image-type.ts";
import { resizedLimits } from "../limits.ts";
import { type ReencodedImage, type Resizing, stillTooLarge } from "./messages.ts";
import { mapDecodeErrors, openImage } from "./re-encode.ts";

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
