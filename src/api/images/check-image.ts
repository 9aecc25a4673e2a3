import type { ImageDecoder } from "./decoder/decoder.ts";
import { brokenImage } from "./image-error.ts";
import { detectType, type MimeType, mimeTypes } from "./image-type.ts";
import { imageLimits } from "./limits.ts";

/** An image that may be kept and served: decoded in full, and with nothing in it but the picture. */
export type CheckedImage = {
  bytes: Buffer;
  mimeType: MimeType;
  /** Pixels of one frame. */
  width: number;
  height: number;
};

/**
 * Checks what a client sent by decoding it, and returns it encoded anew in its own type, without metadata. Nothing but the
 * first bytes is looked at here: the rest is for the decoder, which is a process of its own.
 *
 * Throws an ImageError: 415 for another type, 422 for a broken image, one with too many pixels or frames, or one that
 * takes too much to decode, 413 for one that comes out too large, 503 when too many wait.
 */
export async function checkImage(
  decoder: ImageDecoder,
  received: Buffer,
  client?: string,
): Promise<CheckedImage> {
  const type = detectType(received);
  const { bytes, width, height } = await decoder.decode({ bytes: received, type }, client);
  const checked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The decoder has handled hostile bytes, so what it says counts no more than they do.
  if (detectType(checked) !== type || checked.length > imageLimits.bytes)
    throw brokenImage("it does not decode");
  return { bytes: checked, mimeType: mimeTypes[type], width, height };
}
