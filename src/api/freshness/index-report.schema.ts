import { z } from "@hono/zod-openapi";
import { replicaReport } from "./replica-report.schema.ts";
import { selfCheckReport } from "./self-check-report.schema.ts";

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
