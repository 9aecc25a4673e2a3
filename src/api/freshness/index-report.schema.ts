import { z } from "@hono/zod-openapi";
import { replicaReport } from "./replica-report.schema.ts";

const nullable = (schema: z.ZodInt, description: string) => schema.nullable().openapi({ description });

export const indexReport = z
  .object({
    writer: z.enum(["live", "gone"]).openapi({
      description: "`gone`: no process indexes into this schema. What is served stays as it is.",
    }),
    chains: z.array(
      z.object({
        chainId: z.int(),
        block: nullable(z.int(), "The last indexed block, as this process reads it. Null: none yet."),
        headBlock: nullable(z.int(), "The head as the endpoints last reported it. Null: not known yet."),
        lagBlocks: nullable(z.int().min(0), "Blocks that the index lacks. Null: not known yet."),
        lagSeconds: nullable(
          z.int().min(0),
          "Seconds since the first block that the index lacks; while no endpoint answers, at least the seconds since the last answer. 0 on a chain that has no newer block. Null: not known yet.",
        ),
        endpointsAnswer: z.boolean().openapi({
          description: "Whether one of the chain's RPC endpoints answered when last asked.",
        }),
      }),
    ),
    replica: replicaReport.optional().openapi({
      description: "The replica that this process reads from. Absent where it reads from the primary alone.",
    }),
  })
  .openapi("IndexReport");

export type IndexReport = z.input<typeof indexReport>;
