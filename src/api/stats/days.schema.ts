import { z } from "@hono/zod-openapi";
import { tradeTotalsShape } from "../market/market.schema.ts";

const count = z.int().min(0);

const day = z.object({
  day: z.iso.date().openapi({ description: "The day in UTC." }),
  ...tradeTotalsShape,
  tokensCreated: count,
  tokensGraduated: count,
});

export const days = z
  .object({
    chainId: z.int(),
    asOf: z.object({ block: z.int(), time: z.iso.datetime() }).openapi({
      description: "All values are as of this block. It is in the last day, which is not over yet.",
    }),
    days: z
      .array(day)
      .openapi({ description: "Oldest first, each day once, including those on which nothing happened." }),
  })
  .openapi("DailyStats");

export type Days = z.input<typeof days>;
