export const mimeTypes = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
} as const;

export type Format = keyof typeof mimeTypes;
export type MimeType = (typeof mimeTypes)[Format];

/** A file taken apart and put together again from the parts that make up the picture, nothing else. */
export type Cleaned = {
  /** Without metadata and without anything behind the end. Equal to the upload where nothing had to go. */
  bytes: Buffer;
  /** How the picture has to be turned, 1 to 8 as in EXIF, where 1 is not at all. */
  orientation: number;
  /** True: the file still has a colour profile of a kind that we don't keep, so its colours must be converted. */
  foreignColours: boolean;
  /** Number of frames as the container has them; 1 for a still picture. */
  frames: number;
  /** The size in pixels that the container says, where the decoder may see another one. */
  canvas: { width: number; height: number } | undefined;
  /** Files of one frame each, for frames that the decoder does not look at (APNG). */
  hiddenFrames: Buffer[];
};

export function cleaned(bytes: Buffer, parts: Buffer[], rest: Partial<Omit<Cleaned, "bytes">> = {}): Cleaned {
  const joined = Buffer.concat(parts);
  return {
    bytes: joined.equals(bytes) ? bytes : joined,
    orientation: 1,
    foreignColours: false,
    frames: 1,
    canvas: undefined,
    hiddenFrames: [],
    ...rest,
  };
}
