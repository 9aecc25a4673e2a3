import { CID } from "multiformats/cid";

/**
 * The CID of an image as a path may have it: CIDv1, sha2-256, raw or dag-pb, in base32 and in its one spelling.
 * Undefined for every other text, so that a CID can be used as a file's name.
 */
export function parseImageCid(text: string): string | undefined {
  if (!/^baf(?:krei|ybei)[a-z2-7]{52}$/.test(text)) return undefined;
  try {
    // The last character has spare bits, so several texts would be read as the same CID.
    return CID.parse(text).toString() === text ? text : undefined;
  } catch {
    return undefined;
  }
}
