import type { AvifOptions, GifOptions, JpegOptions, Metadata, PngOptions, WebpOptions } from "sharp";
import type { ImageType } from "../image-type.ts";

export type Encoding = JpegOptions | PngOptions | WebpOptions | GifOptions | AvifOptions;

/** Larger PNGs lose their palette: computing it again takes a microsecond per pixel. */
const PALETTE_PNG_PIXELS = 4_000_000;

/** Larger WebPs are never encoded losslessly: that takes 25 bytes of memory and a microsecond per pixel. */
const LOSSLESS_WEBP_PIXELS = 4_000_000;

/**
 * Returns the options for encoding an image of this type, the best first; the next ones are for an image that comes out too large.
 * They favour low memory and time over the last percent of size.
 */
export function encodingsFor(type: ImageType, metadata: Metadata, source: Buffer): Encoding[] {
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
