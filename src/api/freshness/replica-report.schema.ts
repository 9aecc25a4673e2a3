import { z } from "@hono/zod-openapi";

export const replicaReport = z
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
