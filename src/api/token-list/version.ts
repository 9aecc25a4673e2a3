import { maxTokens } from "./rules.ts";

/** The properties of a listed token that determine the list's version. */
export type VersionedToken = {
  verified: boolean;
  graduated: boolean;
  /** The registry's version when its registration was last written. */
  version: number;
};

export type ListVersion = { major: number; minor: number; patch: number };

/**
 * Computes the version of a list from its tokens and from `moderated`, the registry's version when the operator last hid a token
 * or showed one again (0: never). It depends on nothing else, so all replicas agree on it. It follows the rules of the standard:
 * major goes up when a token is removed, minor when one is added, patch when one changes.
 *
 * Until the list is full, only the operator removes tokens; hiding one and showing it again both count as major changes. Minor is
 * the number of tokens, and patch grows with each written registration and each graduation. Once the list is full, each change
 * may push a token off its end, so all changes are major.
 */
export function listVersion(
  tokens: VersionedToken[],
  { moderated, capacity = maxTokens }: { moderated: number; capacity?: number },
): ListVersion {
  // Greater than any sum of ranks.
  const step = 3 * capacity + 1;
  if (tokens.length < capacity) {
    const graduated = tokens.filter((token) => token.graduated).length;
    const major = moderated === 0 ? 1 : 2 + moderated * step;
    return { major, minor: tokens.length, patch: latestVersion(tokens) + graduated };
  }
  // The last write comes first: only a write can lower the sum of ranks, and it raises the first part by more. So major only grows.
  const ranks = tokens.reduce((sum, token) => sum + rankOf(token), 0);
  const lastVersion = Math.max(moderated, latestVersion(tokens.filter((token) => rankOf(token) > 0)));
  return { major: 2 + lastVersion * step + ranks, minor: tokens.length, patch: 0 };
}

const rankOf = ({ verified, graduated }: VersionedToken) => (verified ? 2 : 0) + (graduated ? 1 : 0);

const latestVersion = (tokens: VersionedToken[]) =>
  tokens.reduce((last, { version }) => Math.max(last, version), 0);
