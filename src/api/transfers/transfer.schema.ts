import { z } from "@hono/zod-openapi";
import { amount, eventId, hidden, lowercaseAddress, txHash } from "../http/answer.schema.ts";

export const transfer = z
  .object({
    id: eventId,
    mint: lowercaseAddress.openapi({ description: "The token's contract address." }),
    chainId: z.int(),
    name: z.string().openapi({ description: "The token's name. Untrusted text." }),
    symbol: z.string().openapi({ description: "The token's symbol. Untrusted text." }),
    hidden,
    from: lowercaseAddress.openapi({ description: "Who had the tokens; the zero address for a mint." }),
    to: lowercaseAddress.openapi({ description: "Who got the tokens; the zero address for a burn." }),
    amountRaw: amount(
      "Base units (18 decimals), without those that the same movement carried for a trade or a change of liquidity.",
    ),
    block: z.int(),
    timestamp: z.iso.datetime().openapi({ description: "The time of the block." }),
    tx: txHash,
    logIndex: z.int().min(0).openapi({ description: "The log index of the Transfer event." }),
  })
  .openapi("Transfer");

export type Transfer = z.input<typeof transfer>;
