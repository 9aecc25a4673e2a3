import type { RegistrationContent, StoredRegistration } from "./store.ts";

/** The content of a registration. `issuedAt`, in seconds, if its creator signed it. */
export type RequestedRegistration = RegistrationContent & { issuedAt: number | null };

/** `unchanged`: it is stored already. `write`: it is new or replaces the stored one. The others are refusals. */
export type Decision = "unchanged" | "write" | "already_registered" | "signature_not_newer";

/**
 * Decides between a registration and the stored one. Only a signed registration replaces another, and a signed one is only
 * replaced by one that was signed later.
 */
export function decide(existing: StoredRegistration | undefined, requested: RequestedRegistration): Decision {
  if (existing === undefined) return "write";
  const isSame = sameContent(existing, requested);
  if (requested.issuedAt === null) return isSame ? "unchanged" : "already_registered";
  if (existing.issuedAt === null || requested.issuedAt > existing.issuedAt) return "write";
  return isSame ? "unchanged" : "signature_not_newer";
}

function sameContent(left: RegistrationContent, right: RegistrationContent): boolean {
  return (
    // Earlier versions stored an empty description as it was sent.
    (left.description || null) === (right.description || null) &&
    left.imageUrl === right.imageUrl &&
    left.twitterUrl === right.twitterUrl &&
    left.telegramUrl === right.telegramUrl &&
    left.websiteUrl === right.websiteUrl
  );
}
