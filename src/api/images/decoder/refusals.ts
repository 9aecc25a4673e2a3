import { ImageError } from "../image-error.ts";
import { imageLimits } from "../limits.ts";

export function tooComplex(resource: "memory" | "time"): ImageError {
  return new ImageError(
    422,
    "image_too_complex",
    `Decoding the image takes too much ${resource}: send it smaller, or with fewer frames.`,
  );
}

export function stillTooLarge(): ImageError {
  return new ImageError(
    413,
    "image_too_large",
    `Saved without metadata, the image takes more than ${imageLimits.bytes} bytes: send it smaller.`,
  );
}

export function tooManyPixels(found: string): ImageError {
  const { side, framePixels, frames, animationPixels } = imageLimits;
  const limits = [
    `${side} pixels a side`,
    `${framePixels.jpeg} pixels in all (${framePixels.webp} for WebP, ${framePixels.avif} for AVIF)`,
    `${frames} frames and ${animationPixels} pixels in all frames together`,
  ];
  return new ImageError(
    422,
    "too_many_pixels",
    `An image may have ${limits.join(", ")}. This one has ${found}.`,
  );
}
