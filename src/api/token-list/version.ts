import { mostTokens } from "./rules.ts";

/** What a token on the list brings to the list's version. */
export type VersionedToken = {
  verified: boolean;
  graduated: boolean;
  /** The registry's version with which its registration was last written. */
  version: number;
};

export type ListVersion = { major: number; minor: number; patch: number };

/**
 * The version of a list, from what is on it alone, so that every replica tells the same one. It follows the rules of the
 * standard: up by a major when a token leaves, by a minor when one comes, by a patch when one changes.
 *
 * Until the list is full no token leaves: minor counts the tokens, and patch grows with each registration that is written
 * and each graduation. Once it is full, each change may push a token off the end, and counts as a major one.
 */
export function listVersion(tokens: VersionedToken[], capacity: number = mostTokens): ListVersion {
  if (tokens.length < capacity) {
    const graduated = tokens.filter((token) => token.graduated).length;
    return { major: 1, minor: tokens.length, patch: lastWritten(tokens) + graduated };
  }
  // First what only a written registration can lower again, then what it counts within: so the number only grows.
  const ranks = tokens.reduce((sum, token) => sum + rankOf(token), 0);
  const written = lastWritten(tokens.filter((token) => rankOf(token) > 0));
  return { major: 2 + written * (3 * capacity + 1) + ranks, minor: tokens.length, patch: 0 };
}

const rankOf = ({ verified, graduated }: VersionedToken) => (verified ? 2 : 0) + (graduated ? 1 : 0);

const lastWritten = (tokens: VersionedToken[]) =>
  tokens.reduce((last, { version }) => Math.max(last, version), 0);
