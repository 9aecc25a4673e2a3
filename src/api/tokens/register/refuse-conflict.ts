import type { Decision } from "../../../../offchain/decide.ts";
import type { StoredRegistration } from "../../../../offchain/store.ts";
import { ProblemException } from "../../http/problem.ts";

/** Throws a problem (409) if the registration may not replace the existing one. */
export function refuseConflict(decision: Decision, existing: StoredRegistration | undefined): void {
  if (decision === "already_registered") {
    throw conflict(
      decision,
      "This token is already registered with other content. Only its creator can replace that, with a signature.",
    );
  }
  if (decision === "signature_not_newer") {
    throw conflict(
      decision,
      `The creator already signed this token's registration at ${existing?.issuedAt}: issuedAt must be later than that.`,
    );
  }
}

function conflict(code: "already_registered" | "signature_not_newer", detail: string): ProblemException {
  const title = code === "already_registered" ? "Already registered" : "Signature not newer";
  return new ProblemException({ status: 409, code, title, detail });
}
