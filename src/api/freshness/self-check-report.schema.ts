import { z } from "@hono/zod-openapi";
import { lowercaseAddress } from "../http/field.schema.ts";

export const selfCheckReport = z
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
