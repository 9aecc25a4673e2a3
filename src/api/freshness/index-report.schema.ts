import { z } from "@hono/zod-openapi";
import { lowercaseAddress } from "../http/answer.schema.ts";
import { servesChainState } from "./ready.ts";

const replicaReport = z
  .object({
    readsFrom: z.enum(["replica", "primary"]).openapi({
      description:
        "Where this process reads: from the primary after it writes a registration until the replica has it, and while the replica is unavailable.",
    }),
    state: z.enum(["following", "away", "no_replica"]).openapi({
      description:
        "`away`: it does not answer. `no_replica`: it no longer follows the primary, for example since it was promoted.",
    }),
    lagBytes: z
      .int()
      .min(0)
      .nullable()
      .openapi({ description: "Bytes of the primary's WAL that it has not replayed. Null if unknown." }),
    lagSeconds: z.int().min(0).nullable().openapi({
      description:
        "Seconds since the primary committed what it replayed last; 0 if that is everything. Null if unknown.",
    }),
  })
  .openapi("ReplicaReport");

export type ReplicaReport = z.input<typeof replicaReport>;

const selfCheckReport = z
  .object({
    block: z.int().nullable().openapi({
      description: "The final block at which rows were last compared. Null before the first time.",
    }),
    checkedAt: z.iso.datetime().nullable().openapi({ description: "When that was." }),
    samples: z.int().min(0).openapi({ description: "How many answers of contracts were compared then." }),
    problem: z.string().nullable().openapi({
      description:
        "Why the last comparison was not possible, such as an RPC endpoint without the state of that block. Null if it was.",
    }),
    differences: z
      .array(
        z.object({
          token: lowercaseAddress,
          account: lowercaseAddress
            .nullable()
            .openapi({ description: "The holder, or the DEX pair. Null if the value is the token's." }),
          what: z.string().openapi({ description: "What differs, such as `balance`." }),
          ours: z.string().openapi({ description: "The value in the index." }),
          onChain: z.string().openapi({ description: "The value that the contract returned." }),
          block: z.int().openapi({ description: "The final block at which they last differed." }),
        }),
      )
      .openapi({
        description:
          "Values that differed at two final blocks, the last comparison's included: at most 20. Empty for a sound index.",
      }),
  })
  .openapi("SelfCheckReport");

export type SelfCheckReport = z.input<typeof selfCheckReport>;

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

const nullable = (schema: z.ZodInt, description: string) => schema.nullable().openapi({ description });

export const indexReport = z
  .object({
    writer: z.enum(["live", "gone"]).openapi({
      description: "`gone`: no process is indexing into this schema, so the data no longer changes.",
    }),
    chains: z.array(
      z.object({
        chainId: z.int(),
        block: nullable(
          z.int(),
          "The last indexed block, as this process reads it. Null if there is none yet.",
        ),
        headBlock: nullable(
          z.int(),
          "The chain's head, as the RPC endpoints last reported it. Null if not known yet.",
        ),
        lagBlocks: nullable(
          z.int().min(0),
          "How many blocks the index is behind the head. Null if not known yet.",
        ),
        lagSeconds: nullable(
          z.int().min(0),
          "Seconds since the first block that the index is missing; while no endpoint answers, at least the seconds since the last answer. 0 if the chain has no newer block. Null if not known yet.",
        ),
        endpointsAnswer: z.boolean().openapi({
          description: "Whether any of the chain's RPC endpoints answered the last request.",
        }),
        selfCheck: selfCheckReport.optional().openapi({
          description:
            "How the index compares with the contracts. Absent if this process doesn't compare them: only the one that indexes does.",
        }),
      }),
    ),
    replica: replicaReport.optional().openapi({
      description: "The replica that this process reads from. Absent if it reads from the primary only.",
    }),
  })
  .openapi("IndexReport");

export type IndexReport = z.input<typeof indexReport>;
