import { z } from "zod";

const hex = z.string().regex(/^0x([0-9a-f]{2})*$/);
const quantity = z.string().regex(/^0x(0|[1-9a-f][0-9a-f]*)$/);

/** A transaction to sign, with a description decoded from its bytes. */
export const step = z.object({
  does: z
    .string()
    .describe("What the transaction does, decoded from its bytes and checked against the quote."),
  transaction: z
    .object({
      from: hex.optional(),
      to: hex,
      data: hex,
      value: quantity.describe("Wei, hexadecimal."),
      gas: quantity.describe("The gas limit to set. Don't estimate: an estimate may be too low by then."),
      chainId: quantity,
    })
    .describe("Unsigned, in the form that eth_sendTransaction takes. Sign and send it unchanged."),
});

export type Step = z.input<typeof step>;
