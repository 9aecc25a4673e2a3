import { CID } from "multiformats/cid";

/**
 * Parses the CID of an image: CIDv1, sha2-256, raw or dag-pb, in base32 and in its canonical spelling. Returns undefined for
 * any other text, so that the result is safe as a file name.
 */
export function parseImageCid(text: string): string | undefined {
  if (!/^baf(?:krei|ybei)[a-z2-7]{52}$/.test(text)) return undefined;
  try {
    // The last character has spare bits, so several spellings parse to the same CID.
    return CID.parse(text).toString() === text ? text : undefined;
  } catch {
    return undefined;
  }
}
