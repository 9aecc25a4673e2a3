import sharp, { type Sharp } from "sharp";

export const formats = ["png", "jpeg", "gif", "webp", "avif"] as const;
export type SampleFormat = (typeof formats)[number];

/** An irregular picture, the same for the same seed, so that a pixel out of place shows. */
export function picture({ width = 60, height = 40, seed = 1 } = {}): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  let state = seed;
  for (let index = 0; index < pixels.length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // Mostly smooth, so that it compresses as pictures do, with some noise.
    pixels[index] = ((index / 3) * 7 + (state >>> 28)) & 255;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** The least effort is quick, and good enough for a test. */
const quickly: Partial<Record<SampleFormat, object>> = {
  avif: { effort: 0 },
  gif: { effort: 1 },
  webp: { effort: 0 },
};

export function encode(image: Sharp, format: SampleFormat): Promise<Buffer> {
  return image.toFormat(format, quickly[format]).toBuffer();
}

/** An animation of square frames. `delay` is in milliseconds. */
export async function animation(
  format: "gif" | "webp",
  { frames = 3, size = 40, delay = Array(frames).fill(100), loop = 0 }: AnimationOptions = {},
): Promise<Buffer> {
  const pictures = Array.from({ length: frames }, (_, index) =>
    picture({ width: size, height: size, seed: index + 1 })
      .png({ compressionLevel: 0 })
      .toBuffer(),
  );
  return await sharp(await Promise.all(pictures), { join: { animated: true } })
    .toFormat(format, { ...quickly[format], delay, loop })
    .toBuffer();
}

type AnimationOptions = { frames?: number; size?: number; delay?: number[]; loop?: number };

/** Adds every kind of metadata that sharp can write, each with a text that a test can search for. */
export function withSecrets(image: Sharp): Sharp {
  return image
    .withExif({
      IFD0: { Copyright: "SECRET-exif", Artist: "SECRET-artist" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 3230/100", GPSLongitudeRef: "W" },
    })
    .withXmp(
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">SECRET-xmp</rdf:RDF></x:xmpmeta>',
    );
}

/** The decoded pixels of every frame. */
export function pixelsOf(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes, { pages: -1 }).raw().toBuffer();
}
