import { z } from "@hono/zod-openapi";

/** The schemas of fields that many answers have. */

/** An address as answers have it. */
export const plainAddress = z.string().regex(/^0x[0-9a-f]{40}$/);

/** Wei or base units. */
export const amount = (description: string) => z.string().regex(/^\d+$/).openapi({ description });

/** Whole BNB, USD or tokens. */
export const decimal = (description: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .openapi({ description });

/** Whole BNB or USD of a result, which may be a loss. */
export const signed = (description: string) =>
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .openapi({ description });

/** USD, which are there when there is a rate. */
export const usd = (description: string) =>
  decimal(
    `${description} Absent without a BNB/USD rate: no feed is configured, or it had no answer yet.`,
  ).optional();

/** Of what tells of chain data of hidden tokens too. */
export const hidden = z.literal(true).optional().openapi({
  description:
    "Present if the operator has hidden the token. Its chain data is still here, but pages for people should not show its name and symbol.",
});
