import type { RegistrationContent, StoredRegistration } from "../../../../offchain/store.ts";
import { ProblemException } from "../../lib/problem.ts";

/** A registration that the chain confirms. `issuedAt` in seconds, with a signature only. */
export type Wanted = RegistrationContent & { signature: string | null; issuedAt: number | null };

/** `unchanged`: it says what is there. `write`: it is new, or what the creator signed replaces what was there. */
export type Decision = "unchanged" | "write";

/**
 * What becomes of a registration beside the one that is there. Throws a problem (409) when it may not replace it: only
 * what the creator has signed replaces anything, and only what was signed later replaces what was signed.
 */
export function decide(existing: StoredRegistration | undefined, wanted: Wanted): Decision {
  if (existing === undefined) return "write";
  const isSame = sameContent(existing, wanted);
  if (wanted.issuedAt === null) {
    if (isSame) return "unchanged";
    throw conflict(
      "already_registered",
      "This token is registered already, with other content. Only its creator can replace that, with a signature.",
    );
  }
  if (existing.issuedAt === null || wanted.issuedAt > existing.issuedAt) return "write";
  if (isSame) return "unchanged";
  throw conflict(
    "signature_not_newer",
    `The creator has signed this token's registration at ${existing.issuedAt} already: issuedAt must be later than that.`,
  );
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

function conflict(code: string, detail: string): ProblemException {
  return new ProblemException({ status: 409, code, title: "Already registered", detail });
}
