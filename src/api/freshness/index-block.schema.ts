import { answersState } from "./state-paths.ts";

const indexBlock = {
  schema: { type: "string" as const, pattern: "^\\d+:\\d+$", examples: ["56:12345678"] },
  description:
    "Chain id and number of the last block that was indexed before the answer was read: the answer reflects it, and may reflect a newer one.",
};

type Operation = { responses?: Record<string, { headers?: object }> };

/** Adds the X-Index-Block header to every read of a chain's state in an OpenAPI document. */
export function addIndexBlock(paths: Record<string, { get?: Operation }> | undefined): void {
  for (const [path, { get }] of Object.entries(paths ?? {})) {
    const answer = get?.responses?.[200];
    if (answer === undefined || !answersState(path)) continue;
    answer.headers = { ...answer.headers, "X-Index-Block": indexBlock };
  }
}
