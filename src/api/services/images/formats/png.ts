import { deflateSync, inflateSync } from "node:zlib";
import { brokenImage } from "../image-error.ts";
import { plainProfile } from "./colour-profile.ts";
import { exifOrientation } from "./exif-orientation.ts";
import { type Cleaned, cleaned } from "./format.ts";
import { readAnimation } from "./png-animation.ts";
import { type Chunk, pngSignature, readPngChunks, writePngChunk } from "./png-chunks.ts";

const MAX_PROFILE_BYTES = 1 << 20;

// Ancillary chunks that change how the picture looks, with the lengths that they may have.
const lookChunks: Record<string, (length: number) => boolean> = {
  bKGD: (length) => length === 1 || length === 2 || length === 6,
  cHRM: (length) => length === 32,
  cICP: (length) => length === 4,
  gAMA: (length) => length === 4,
  pHYs: (length) => length === 9,
  sBIT: (length) => length <= 4,
  sRGB: (length) => length === 1,
  tRNS: (length) => length <= 256,
};
const animationChunks = ["acTL", "fcTL", "fdAT"];

/**
 * Keeps the picture, its animation, what changes its look and a plain colour profile. Texts, EXIF, times and
 * unknown chunks go, and so does what follows IEND. Format: PNG, third edition.
 */
export function cleanPng(bytes: Buffer): Cleaned {
  const kept: Chunk[] = [];
  let orientation = 1;
  let foreignColours = false;
  for (const { name, data } of readPngChunks(bytes)) {
    if (["IHDR", "PLTE", "IDAT", "IEND", ...animationChunks].includes(name)) {
      kept.push({ name, data });
    } else if (name === "iCCP") {
      const profile = readProfile(data);
      if (profile === undefined) continue;
      const plain = plainProfile(profile);
      foreignColours = plain === undefined;
      kept.push({ name, data: plain === undefined ? data : writeProfile(plain) });
    } else if (name === "eXIf") {
      orientation = exifOrientation(data);
    } else if (lookChunks[name]?.(data.length)) {
      kept.push({ name, data });
    } else if (/^[A-Z]/.test(name)) {
      throw brokenImage("it has a chunk of an unknown kind");
    }
  }
  if (kept[0]?.name !== "IHDR" || kept[0].data.length !== 13 || kept.at(-1)?.data.length !== 0)
    throw brokenImage("its first or last chunk is wrong");

  const hasAnimation = kept.some(({ name }) => name === "acTL");
  // Encoding would leave one frame of an animation, which rather loses its profile.
  const dropped = hasAnimation ? (foreignColours ? ["iCCP"] : []) : animationChunks;
  const chunks = kept.filter(({ name }) => !dropped.includes(name));
  const { frames, hiddenFrames } = hasAnimation ? readAnimation(chunks) : { frames: 1, hiddenFrames: [] };
  return cleaned(bytes, [pngSignature, ...chunks.map(writePngChunk)], {
    orientation,
    foreignColours: foreignColours && !hasAnimation,
    frames,
    hiddenFrames,
  });
}

function readProfile(data: Buffer): Buffer | undefined {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 1 || nameEnd > 79) return undefined;
  try {
    return inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: MAX_PROFILE_BYTES });
  } catch {
    return undefined;
  }
}

function writeProfile(profile: Buffer): Buffer {
  return Buffer.concat([Buffer.from("icc\0\0", "latin1"), deflateSync(profile, { level: 9 })]);
}
