import { z } from "@hono/zod-openapi";

export const replicaReport = z
  .object({
    readsFrom: z.enum(["replica", "primary"]).openapi({
      description:
        "Where this process reads: from the primary after a registration of its own until the replica has it, and while the replica is away.",
    }),
    state: z.enum(["following", "away", "no_replica"]).openapi({
      description:
        "`away`: it does not answer. `no_replica`: it does not follow the primary any more, as after it was promoted.",
    }),
    lagBytes: z
      .int()
      .min(0)
      .nullable()
      .openapi({ description: "Bytes of the primary's log that it has not replayed. Null: not known." }),
    lagSeconds: z.int().min(0).nullable().openapi({
      description:
        "Seconds since the primary committed what it has replayed last; 0 where that is everything. Null: not known.",
    }),
  })
  .openapi("ReplicaReport");

export type ReplicaReport = z.input<typeof replicaReport>;
