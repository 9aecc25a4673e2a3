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
 * The version of a list, from what is on it and from `moderated`, the registry's version with which the operator last hid a token or
 * showed one again (0: never), so that every replica tells the same one. It follows the rules of the standard: up by a major when a
 * token leaves, by a minor when one comes, by a patch when one changes.
 *
 * Until the list is full, only the operator takes a token off it; that and its return count as a major change. Minor counts the
 * tokens, and patch grows with each registration that is written and each graduation. Once the list is full, each change may push a
 * token off the end, and counts as a major one.
 */
export function listVersion(
  tokens: VersionedToken[],
  { moderated, capacity = mostTokens }: { moderated: number; capacity?: number },
): ListVersion {
  // More than all that ranks can add up to.
  const step = 3 * capacity + 1;
  if (tokens.length < capacity) {
    const graduated = tokens.filter((token) => token.graduated).length;
    const major = moderated === 0 ? 1 : 2 + moderated * step;
    return { major, minor: tokens.length, patch: lastWritten(tokens) + graduated };
  }
  // First what only a written registration can lower again, then what it counts within: so the number only grows.
  const ranks = tokens.reduce((sum, token) => sum + rankOf(token), 0);
  const written = Math.max(moderated, lastWritten(tokens.filter((token) => rankOf(token) > 0)));
  return { major: 2 + written * step + ranks, minor: tokens.length, patch: 0 };
}

const rankOf = ({ verified, graduated }: VersionedToken) => (verified ? 2 : 0) + (graduated ? 1 : 0);

const lastWritten = (tokens: VersionedToken[]) =>
  tokens.reduce((last, { version }) => Math.max(last, version), 0);
