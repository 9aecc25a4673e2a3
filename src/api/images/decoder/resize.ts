import type { Metadata } from "sharp";
import type { ImageType } from "../image-type.ts";
import { resizedLimits } from "../limits.ts";
import type { ReencodedImage, Resizing } from "./messages.ts";
import { decoding, open } from "./re-encode.ts";
import { tooLargeAgain } from "./refusals.ts";

/** The best first; the next ones are for an image that comes out too large. What nothing compresses is made smaller. */
const attempts = [
  { quality: 82, scale: 1 },
  { quality: 60, scale: 1 },
  { quality: 30, scale: 1 },
  { quality: 30, scale: 1 / 2 },
  { quality: 30, scale: 1 / 4 },
];

/** An image that was stored in another width, in its own proportions and never enlarged. Throws an ImageError, 413 or 422. */
export async function resize(
  bytes: Buffer,
  type: ImageType,
  { width, format }: Resizing,
): Promise<ReencodedImage> {
  return format === "png" ? await toPng(bytes, type, width) : await toWebp(bytes, type, width);
}

async function toPng(bytes: Buffer, type: ImageType, width: number): Promise<ReencodedImage> {
  const image = open(bytes, type, false).resize({
    width,
    height: width,
    fit: "inside",
    withoutEnlargement: true,
  });
  const { data, info } = await decoding(image.png().toBuffer({ resolveWithObject: true }));
  return { bytes: data, width: info.width, height: info.height };
}

/** An animation stays one where that is cheap and small enough, and else becomes its first frame. */
async function toWebp(bytes: Buffer, type: ImageType, width: number): Promise<ReencodedImage> {
  const metadata = await decoding(open(bytes, type).metadata());
  if (canStayAnimated(metadata, width)) {
    const moving = await scaled(bytes, type, { width, quality: 82, animated: true });
    if (moving.bytes.length <= resizedLimits.bytes) return moving;
  }
  for (const { quality, scale } of attempts) {
    const still = await scaled(bytes, type, { width: width * scale, quality, animated: false });
    if (still.bytes.length <= resizedLimits.bytes) return still;
  }
  throw tooLargeAgain();
}

function canStayAnimated(
  { pages = 1, width, height, pageHeight = height }: Metadata,
  wanted: number,
): boolean {
  const scale = Math.min(1, wanted / width);
  return pages > 1 && pages * width * pageHeight * scale * scale <= resizedLimits.animationPixels;
}

type Scaling = { width: number; quality: number; animated: boolean };

async function scaled(
  bytes: Buffer,
  type: ImageType,
  { width, quality, animated }: Scaling,
): Promise<ReencodedImage> {
  const image = open(bytes, type, animated)
    .resize({ width, height: resizedLimits.heights * width, fit: "inside", withoutEnlargement: true })
    .webp({ quality, effort: 2 });
  const { data, info } = await decoding(image.toBuffer({ resolveWithObject: true }));
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
}
