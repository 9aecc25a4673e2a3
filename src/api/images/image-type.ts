import { ImageError } from "./image-error.ts";

export const mimeTypes = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
} as const;

export type ImageType = keyof typeof mimeTypes;
export type MimeType = (typeof mimeTypes)[ImageType];

const stillAvifBrands = ["avif", "mif1", "miaf"];

/**
 * Detects the type from the first bytes. The declared type and the file's name are ignored. Throws an ImageError 415 for anything but
 * PNG, JPEG, GIF, WebP and AVIF.
 */
export function detectType(bytes: Buffer): ImageType {
  const text = (start: number, end: number) => bytes.toString("latin1", start, end);
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (text(0, 3) === "\xff\xd8\xff") return "jpeg";
  if (text(0, 6) === "GIF87a" || text(0, 6) === "GIF89a") return "gif";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp";
  if (text(4, 8) === "ftyp" && isStillAvif(bytes)) return "avif";
  throw new ImageError(
    415,
    "unsupported_image_type",
    "Send a PNG, JPEG, GIF, WebP or AVIF: the bytes of this file are none of them. Animated AVIF is not accepted either.",
  );
}

function isStillAvif(bytes: Buffer): boolean {
  if (bytes.length < 16) return false;
  const size = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  const brands = [bytes.toString("latin1", 8, 12)];
  for (let at = 16; at + 4 <= size; at += 4) brands.push(bytes.toString("latin1", at, at + 4));
  // A sequence ("avis") may look like a still picture too, but decoders disagree on what it shows.
  return stillAvifBrands.includes(brands[0] ?? "") && brands.includes("avif") && !brands.includes("avis");
}
