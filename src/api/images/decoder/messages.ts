import { once } from "node:events";
import type { Readable } from "node:stream";
import { ImageError } from "../image-error.ts";
import type { ImageType } from "../image-type.ts";
import { imageLimits } from "../limits.ts";

/** How to resize a stored image: to at most this width in pixels. A PNG is a still picture, even of an animation. */
export type Resizing = { width: number; format: "webp" | "png" };

/** An image to decode. Without `resize`, it is re-encoded in its own size. */
export type DecodeRequest = { bytes: Uint8Array; type: ImageType; resize?: Resizing | undefined };

export type ReencodedImage = {
  bytes: Uint8Array;
  /** Pixels of one frame. */
  width: number;
  height: number;
};

/** Bytes don't travel in messages, which block the sender until they are copied and sent, but through stdin and stdout. */
type WithSize<Type extends { bytes: unknown }> = Omit<Type, "bytes"> & { size: number };

/** A message from the service to a decoder process. */
export type RequestMessage = WithSize<DecodeRequest>;

export type ImageMessage = WithSize<ReencodedImage>;

export type Refusal = Pick<ImageError, "status" | "code" | "message">;

/** A decoder process's reply, one for each request. */
export type ReplyMessage = ({ image: ImageMessage } | { refusal: Refusal }) & {
  /** The resident memory of the process afterwards. */
  residentBytes: number;
  /** Whether the process ends itself after this reply. */
  isLast: boolean;
};

/** Reads that many bytes, and leaves what follows them. */
export async function readBytes(stream: Readable, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  for (let length = 0; length < size; ) {
    const chunk: Buffer | null = stream.read(Math.min(size - length, stream.readableLength));
    if (chunk === null) await once(stream, "readable");
    else length += chunk.copy(bytes, length);
  }
  return bytes;
}

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

export function tooManyPixels(size: string): ImageError {
  const { side, framePixels, frames, animationPixels } = imageLimits;
  const limits = [
    `${side} pixels a side`,
    `${framePixels.jpeg} pixels in all (${framePixels.webp} for WebP, ${framePixels.avif} for AVIF)`,
    `${frames} frames and ${animationPixels} pixels in all frames together`,
  ];
  return new ImageError(
    422,
    "too_many_pixels",
    `An image may have ${limits.join(", ")}. This one has ${size}.`,
  );
}
