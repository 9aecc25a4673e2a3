import type { ImageDecoder } from "./decoder/decoder.ts";
import { brokenImage } from "./image-error.ts";
import { detectType, type MimeType, mimeTypes } from "./image-type.ts";
import { imageLimits } from "./limits.ts";

/** An image that may be stored and served: fully decoded, and with nothing in it but the picture. */
export type CheckedImage = {
  bytes: Buffer;
  mimeType: MimeType;
  /** Pixels of one frame. */
  width: number;
  height: number;
};

/**
 * Checks an uploaded image by decoding it, and returns it re-encoded in the same type, without metadata. Only the first bytes are
 * inspected here; the rest is left to the decoder, which runs in a separate process.
 *
 * Throws an ImageError: 415 for another type, 422 for an image that is broken, has too many pixels or frames, or takes too much to
 * decode, 413 for one that is too large after re-encoding, 503 if too many are waiting.
 */
export async function checkImage(
  decoder: ImageDecoder,
  received: Buffer,
  client?: string,
): Promise<CheckedImage> {
  const type = detectType(received);
  const { bytes, width, height } = await decoder.decode({ bytes: received, type }, client);
  const checked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The decoder has handled hostile bytes, so its result is not trusted either.
  if (detectType(checked) !== type || checked.length > imageLimits.bytes)
    throw brokenImage("it does not decode");
  return { bytes: checked, mimeType: mimeTypes[type], width, height };
}
