import type { RegistrationContent, StoredRegistration } from "./store.ts";

/** What is said of a token. `issuedAt`, in seconds, where its creator has signed it. */
export type Wanted = RegistrationContent & { issuedAt: number | null };

/** `unchanged`: that is there already. `write`: it is new, or replaces what is there. The others: it may not. */
export type Decision = "unchanged" | "write" | "already_registered" | "signature_not_newer";

/**
 * What becomes of a registration beside the one that is there. Only what the creator has signed replaces anything, and
 * only what was signed later replaces what was signed.
 */
export function decide(existing: StoredRegistration | undefined, wanted: Wanted): Decision {
  if (existing === undefined) return "write";
  const isSame = sameContent(existing, wanted);
  if (wanted.issuedAt === null) return isSame ? "unchanged" : "already_registered";
  if (existing.issuedAt === null || wanted.issuedAt > existing.issuedAt) return "write";
  return isSame ? "unchanged" : "signature_not_newer";
}

function sameContent(left: RegistrationContent, right: RegistrationContent): boolean {
  return (
    left.description === right.description &&
    left.imageUrl === right.imageUrl &&
    left.twitterUrl === right.twitterUrl &&
    left.telegramUrl === right.telegramUrl &&
    left.websiteUrl === right.websiteUrl
  );
}
