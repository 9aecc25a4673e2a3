import { z } from "@hono/zod-openapi";
import { decimal, lowercaseAddress, usd } from "../../http/answer.schema.ts";
import {
  buyImpact,
  creatorRecord,
  graduationExit,
  liquidity,
  risk,
  tokenWindows,
  tradeTotalsShape,
} from "../../market/market.schema.ts";

const time = z.iso.datetime();

/** A token, as in lists and in the response to a registration. */
export const tokenEntry = z
  .object({
    mint: lowercaseAddress.openapi({ description: "The token's contract address." }),
    chainId: z.int(),
    name: z.string(),
    symbol: z.string(),
    creator: lowercaseAddress,
    burnPercent: z.int().openapi({ description: "Percent of the supply burned at launch." }),
    description: z.string().nullable(),
    imageUrl: z.string().nullable().openapi({ description: "The URL as registered." }),
    imageHttpUrl: z.string().nullable().openapi({
      description:
        "The same image on this service's own gateway, which returns 404 if it was not uploaded here. Add `?width=64`, `128`, `256` or `512` for a resized one. Null if imageUrl is not the IPFS address of such an image.",
    }),
    twitterUrl: z.string().nullable(),
    telegramUrl: z.string().nullable(),
    websiteUrl: z.string().nullable(),
    launchpadAddress: lowercaseAddress,
    registered: z
      .boolean()
      .openapi({ description: "Whether anyone has registered the token. True in lists." }),
    verified: z.boolean().openapi({ description: "Whether the token's creator signed this entry." }),
    registeredAt: time.nullable().openapi({ description: "Null if nobody has registered the token." }),
    createdAt: time.nullable().openapi({
      description:
        "When the token was created on the chain. Null only in the response to a registration of a token whose block is not indexed yet; holders and trades are empty then, too.",
    }),
    createdBlock: z
      .int()
      .nullable()
      .openapi({ description: "Block of the creation. Null whenever createdAt is." }),
    progress: z.number().min(0).max(100).openapi({
      description: "Percent of the curve that is sold, up to 4 decimals. 100 if and only if graduated.",
    }),
    graduated: z.boolean(),
    graduatedAt: time.nullable().openapi({
      description:
        "When it graduated. Null before, and in the response to a registration of a token whose block is not indexed yet.",
    }),
    priceBnb: decimal("BNB for one token, on the curve or, after graduation, on the DEX pair."),
    priceUsd: usd("USD for one token: priceBnb at the BNB/USD feed's last answer."),
    marketCapBnb: decimal("BNB for the whole supply at that price."),
    marketCapUsd: usd("USD for the whole supply at that price."),
    holderCount: z.int().min(0),
    ...liquidity,
    pair: lowercaseAddress.nullable().openapi({ description: "The DEX pair, once graduated." }),
    lastTradeAt: time.nullable().openapi({ description: "Null if nobody has traded the token." }),
    ...tradeTotalsShape,
    netVolumeBnb: decimal(
      "volumeBnb without back and forth trading of one account, which costs next to nothing: for each account, what it paid less what it received, or the other way round, all added up.",
    ),
    windows: tokenWindows,
    risk,
    creatorRecord,
  })
  .openapi("Token");

export type TokenEntry = z.input<typeof tokenEntry>;

/** A token that another one looks like. */
export const lookAlike = z
  .object({
    mint: lowercaseAddress,
    name: z.string(),
    symbol: z.string(),
    createdAt: time,
    graduated: z.boolean(),
    liquidityBnb: liquidity.liquidityBnb,
    same: z.array(z.enum(["symbol", "name"])).openapi({ description: "What looks alike." }),
    reason: z.enum(["older", "larger"]).openapi({
      description:
        "Why this is rather the token that is meant: `older` was created first and is not much smaller, `larger` has graduated and at least twice the liquidity.",
    }),
  })
  .openapi("LookAlike");

/** A token, as in the response to a request for one. */
export const tokenDetails = tokenEntry
  .extend({
    sameSymbolTokens: z.int().min(0).openapi({
      description:
        "Other tokens of the chain with the same symbol, registered or not. Case and surrounding blanks are ignored.",
    }),
    lookAlike: z.union([lookAlike, z.null()]).openapi({
      description:
        "The largest older or much larger token of the chain whose symbol or name looks the same, also with other letters that look alike. Null if there is none.",
    }),
    graduationExit: z.union([graduationExit, z.null()]).openapi({
      description: "What graduation costs holders. Null once the token has graduated.",
    }),
    buyImpacts: z.array(buyImpact).openapi({
      description: "The price impact of buying for 0.01 BNB and for 0.1 BNB now.",
    }),
  })
  .openapi("TokenDetails");

export type TokenDetails = z.input<typeof tokenDetails>;

export const tokenField = tokenEntry.keyof();
export type TokenField = z.infer<typeof tokenField>;

const detailField = tokenDetails.keyof();

/** The query parameter that chooses fields: names separated by commas. */
function fieldNames<Name extends string>(names: z.ZodType<Name>, known: string, description: string) {
  return z
    .string()
    .transform((text) => text.split(",").map((name) => name.trim()))
    .transform((wanted, c): Name[] =>
      [...new Set(wanted)].map((name) => {
        const field = names.safeParse(name);
        if (field.success) return field.data;
        c.addIssue({ code: "custom", message: `must be names of fields, separated by commas: ${known}` });
        return z.NEVER;
      }),
    )
    .optional()
    .openapi({ type: "string", example: "symbol,priceUsd,windows", description });
}

const ofEntry = tokenField.options.join(", ");
const ofDetails = detailField.options.join(", ");

/** Chooses fields of the entries of a list. */
export const tokenFields = fieldNames(
  tokenField,
  ofEntry,
  `Only these fields of each full entry, and \`mint\`: names separated by commas, out of ${ofEntry}. Not together with \`view=compact\`.`,
);

/** Chooses fields of one token. */
export const detailFields = fieldNames(
  detailField,
  ofDetails,
  `Only these fields, and \`mint\`: names separated by commas, out of ${ofDetails}.`,
);

/** An entry with only the chosen fields. */
export const chosenToken = tokenEntry.partial().required({ mint: true }).openapi("ChosenToken", {
  description: "The requested fields of a Token, and `mint`.",
});

/** One token with only the chosen fields. */
export const chosenDetails = tokenDetails
  .partial()
  .required({ mint: true })
  .extend({ fields: z.array(detailField) })
  .openapi("ChosenTokenDetails", {
    description: "The response with `fields`, which it repeats, and `mint`.",
  });
