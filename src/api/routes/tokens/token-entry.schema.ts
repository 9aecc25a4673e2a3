import { z } from "@hono/zod-openapi";

const decimal = (description: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .openapi({ description });
const plainAddress = z.string().regex(/^0x[0-9a-f]{40}$/);

/** A registered token, as lists and registrations answer with it. */
export const tokenEntry = z
  .object({
    mint: plainAddress.openapi({ description: "The token's contract address." }),
    chainId: z.int(),
    name: z.string(),
    symbol: z.string(),
    creator: plainAddress,
    burnPercent: z.int().openapi({ description: "Percent of the supply burned at launch." }),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    twitterUrl: z.string().nullable(),
    telegramUrl: z.string().nullable(),
    websiteUrl: z.string().nullable(),
    launchpadAddress: plainAddress,
    verified: z.boolean().openapi({ description: "Whether the token's creator signed this entry." }),
    registeredAt: z.iso.datetime(),
    createdAt: z.iso.datetime().nullable().openapi({
      description:
        "When the token was created on the chain. Null only in the answer to a registration whose block is not indexed yet.",
    }),
    progress: z.number().min(0).max(100).openapi({
      description: "Percent of the curve that is sold, up to 4 decimals. 100 when and only when graduated.",
    }),
    graduated: z.boolean(),
    priceBnb: decimal("BNB for one token, after the last trade."),
    marketCapBnb: decimal("BNB for the whole supply at that price."),
    holderCount: z.int().min(0),
    pair: plainAddress.nullable().openapi({ description: "The DEX pair, once graduated." }),
  })
  .openapi("Token");
