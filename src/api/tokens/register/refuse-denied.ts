import { ProblemException } from "../../http/problem.ts";

/** Throws a problem (422) that names the fields refused by the operator's deny list. */
export function refuseDenied(fields: string[]): void {
  if (fields.length === 0) return;
  throw new ProblemException({
    status: 422,
    code: "denied",
    title: "Refused by the operator",
    detail: `The operator of this service does not accept the content of ${fields.join(", ")}.`,
    errors: fields.map((path) => ({ path, message: "is on the operator's deny list" })),
  });
}
