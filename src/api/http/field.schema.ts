import { z } from "@hono/zod-openapi";

/** Schemas of fields that many responses share. */

/** An address as responses have it: in lower case. */
export const lowercaseAddress = z.string().regex(/^0x[0-9a-f]{40}$/);

/** The id of a row that an event of the chain made. */
export const eventId = z.string().openapi({
  description: "Block and log index, zero-padded, so that text order is chain order.",
  example: "000045612378-000042",
});

/** A transaction's hash. */
export const txHash = z.string().regex(/^0x[0-9a-f]{64}$/);

/** An amount in wei or base units. */
export const amount = (description: string) => z.string().regex(/^\d+$/).openapi({ description });

/** An amount in whole BNB, USD or tokens. */
export const decimal = (description: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .openapi({ description });

/** A profit in whole BNB or USD, below 0 for a loss. */
export const signed = (description: string) =>
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .openapi({ description });

/** An amount in USD, present only if there is a BNB/USD rate. */
export const usd = (description: string) =>
  decimal(
    `${description} Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet.`,
  ).optional();

/** For responses that include chain data of hidden tokens. */
export const hidden = z.literal(true).optional().openapi({
  description:
    "Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.",
});
