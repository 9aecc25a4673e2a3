import { servesChainState } from "./state-paths.ts";

const indexBlock = {
  schema: { type: "string" as const, pattern: "^\\d+:\\d+$", examples: ["56:12345678"] },
  description:
    "Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one.",
};

type Operation = { responses?: Record<string, { headers?: object }> };

/** Adds the X-Index-Block header to all reads of chain state in an OpenAPI document. */
export function addIndexBlock(paths: Record<string, { get?: Operation }> | undefined): void {
  for (const [path, { get }] of Object.entries(paths ?? {})) {
    const answer = get?.responses?.[200];
    if (answer === undefined || !servesChainState(path)) continue;
    answer.headers = { ...answer.headers, "X-Index-Block": indexBlock };
  }
}
