import { parseEther } from "viem";
import { z } from "zod";
import { quoteRoute } from "../../quotes/quote.routes.ts";
import { type TokenDetails, tokenDetails } from "../../tokens/entry/token-entry.schema.ts";
import { listTokensRoute } from "../../tokens/list/list-tokens.routes.ts";
import type { CompactToken } from "../../tokens/list/token-page.schema.ts";
import { whole } from "../amount.ts";
import { chainId, mint } from "../inputs.ts";
import { readingTool, type ToolContext, ToolError } from "../tool.ts";
import { toUntrustedEntry, untrustedEntry } from "../untrusted.ts";
import { lookAlike, readToken, toLookAlike } from "./token-result.ts";

/** What it takes over from the token. */
const facts = tokenDetails.pick({
  creator: true,
  progress: true,
  graduated: true,
  holderCount: true,
  risk: true,
  creatorRecord: true,
  windows: true,
  liquidityBnb: true,
  liquidityUsd: true,
  sameSymbolTokens: true,
});

const sizes = ["0.01", "0.1"];

/** Errors of a quote that say that the trade can't be made. Any other, such as "busy", says nothing about the token. */
const refusals = ["no_liquidity", "amount_too_small", "amount_too_large", "dex_not_supported"];

const impact = z.object({
  amountBnb: z.string(),
  priceImpactPercent: z.number().nullable().describe("Null if such a buy can't be made."),
  getsTokens: z.string().nullable().describe("Whole tokens."),
  graduates: z.boolean(),
});

export const assessToken = readingTool({
  name: "assess_token",
  title: "Assess a token",
  description:
    "Call it before buying: who holds a token, its creator's record, liquidity, activity, price impact of 0.01 and 0.1 BNB, the token it may be mistaken for, and warnings. Measures, not advice: one person may have many accounts. Not for prices over time: get_candles.",
  isOpenWorld: true,
  input: z.object({ mint, chainId }),
  output: z.object({
    mint: z.string(),
    ...facts.shape,
    sameSymbol: z
      .array(
        z.object({
          mint: z.string(),
          createdAt: z.string().nullable(),
          graduated: z.boolean(),
          holderCount: facts.shape.holderCount,
        }),
      )
      .describe(
        "Up to 10 of these that are registered, those with the most holders first: any of them may be the one that was meant. Some may be missing if more than 1000 tokens mention the symbol.",
      ),
    lookAlike: lookAlike.nullable(),
    buys: z.array(impact),
    flags: z
      .array(z.string())
      .describe(
        "Warnings, each with its code. An empty list proves nothing: it only means that none of our checks applies.",
      ),
    untrusted: untrustedEntry,
  }),
  async run({ mint, chainId }, context) {
    const entry = await readToken(context.ask, mint, chainId);
    const [sameSymbol, buys] = await Promise.all([
      tokensWithSymbol(context, entry, chainId),
      Promise.all(sizes.map((size) => readImpact(context, mint, size, chainId))),
    ]);
    return {
      mint,
      ...facts.parse(entry),
      sameSymbol,
      lookAlike: toLookAlike(entry.lookAlike),
      buys,
      flags: findFlags(entry, buys),
      untrusted: toUntrustedEntry(entry),
    };
  },
});

const maxSameSymbol = 10;
/** Of the tokens that mention a symbol, in pages of 100. */
const maxPages = 10;

/** Returns the tokens with the same symbol that are listed, those with the most holders first. */
export async function tokensWithSymbol(
  { ask }: Pick<ToolContext, "ask">,
  { mint, symbol, sameSymbolTokens }: Pick<TokenDetails, "mint" | "symbol" | "sameSymbolTokens">,
  chainId?: number,
) {
  const wanted = symbol.trim().toLowerCase();
  // REST refuses control characters, and blanks find nothing.
  if (wanted === "" || wanted.length > 200 || /\p{Cc}/u.test(wanted) || !wanted.isWellFormed()) return [];
  const expected = Math.min(maxSameSymbol, sameSymbolTokens);
  const found: CompactToken[] = [];
  // Imitations are mostly newer than what they imitate, and may be many.
  const query = { q: wanted, sort: "holders", limit: 100, view: "compact", chainId };
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && found.length < expected; page++) {
    const list = await ask(listTokensRoute, { query: { ...query, cursor } });
    if (!("view" in list)) throw new Error("Invariant(list): rows are not compact, as requested");
    found.push(
      ...list.tokens.filter((other) => other.mint !== mint && other.symbol.trim().toLowerCase() === wanted),
    );
    if (list.nextCursor === null) break;
    cursor = list.nextCursor;
  }
  return found.slice(0, maxSameSymbol).map(({ mint, createdAt, progress, holderCount }) => ({
    mint,
    createdAt,
    graduated: progress === 100,
    holderCount,
  }));
}

/** Quotes a buy. Its numbers are null if it can't be made. Throws if that is not known. */
export async function readImpact({ ask }: ToolContext, mint: string, size: string, chainId?: number) {
  const query = { side: "buy", amount: String(parseEther(size)), chainId };
  try {
    const quote = await ask(quoteRoute, { path: { mint }, query });
    const { priceImpactPercent, amountOutRaw, graduates } = quote;
    return { amountBnb: size, priceImpactPercent, getsTokens: whole(amountOutRaw ?? "0"), graduates };
  } catch (error) {
    if (!(error instanceof ToolError && refusals.includes(error.code))) throw error;
    return { amountBnb: size, priceImpactPercent: null, getsTokens: null, graduates: false };
  }
}

type Buy = { amountBnb: string; priceImpactPercent: number | null };

type Facts = Pick<
  TokenDetails,
  "risk" | "creatorRecord" | "holderCount" | "verified" | "registered" | "lastTradeAt"
> & { lookAlike: Pick<NonNullable<TokenDetails["lookAlike"]>, "mint" | "same" | "reason"> | null };

/** Returns warnings about a token, in our own words, each starting with its code. */
export function findFlags(token: Facts, buys: Buy[]): string[] {
  const { risk, creatorRecord, holderCount, verified, registered, lastTradeAt, lookAlike } = token;
  const { snipers, bundlers, insiders, effectiveHolders, creatorSoldOut, creatorGraduated } = risk;
  const { creatorPercent, top10Percent, snipersPercent, bundlersPercent, insidersPercent } =
    knownShares(risk);
  const { tokensCreated, tokensGraduated, tokensSoldOut } = creatorRecord;
  const costly = buys.find(
    ({ priceImpactPercent }) => priceImpactPercent !== null && priceImpactPercent >= 10,
  );
  const untradable = buys.every(({ priceImpactPercent }) => priceImpactPercent === null);

  const flags: [boolean, string][] = [
    [
      creatorPercent >= 10,
      `creator_holds_much: the creator holds ${creatorPercent} % of the circulating supply.`,
    ],
    [
      top10Percent >= 50,
      `concentrated: the ten largest holders have ${top10Percent} % of the circulating supply.`,
    ],
    [
      holderCount >= 10 && effectiveHolders !== null && effectiveHolders < 5,
      `few_effective_holders: its ${holderCount} holders are as concentrated as ${effectiveHolders} equal ones.`,
    ],
    [
      snipersPercent >= 15,
      `snipers: the ${snipers} accounts that bought in the first three blocks, without the creator, hold ${snipersPercent} % of the circulating supply.`,
    ],
    [
      bundlersPercent >= 10,
      `bundled: the ${bundlers} accounts that bought in the block of the launch, without the creator, hold ${bundlersPercent} % of the circulating supply.`,
    ],
    [
      insidersPercent >= 10,
      `insiders: the ${insiders} accounts that got it from the creator, directly or over others, hold ${insidersPercent} % of the circulating supply.`,
    ],
    [creatorSoldOut, "creator_left: the creator held this token and no longer holds any."],
    [creatorGraduated === true, "creator_graduated_it: the creator made the buy that graduated it."],
    [
      tokensSoldOut >= 1,
      `creator_sold_out: the creator has sold out of ${tokensSoldOut} of its ${tokensCreated} tokens.`,
    ],
    [
      tokensCreated >= 5 && tokensGraduated === 0,
      `serial_creator: none of the creator's ${tokensCreated} tokens has graduated.`,
    ],
    [holderCount < 10, `few_holders: fewer than 10 accounts hold it (${holderCount}).`],
    [lastTradeAt === null, "never_traded: nobody has traded it."],
    [
      lookAlike !== null,
      `look_alike: its ${lookAlike?.same.join(" and ")} looks like that of ${lookAlike?.mint}, which is ${lookAlike?.reason}. Compare mints.`,
    ],
    [!registered, "not_registered: nobody has registered it, so it has no description."],
    [registered && !verified, "not_verified: its description and links are not signed by its creator."],
    [untradable, "not_tradable: a small buy can't be made now."],
    [
      costly !== undefined,
      `thin_liquidity: a buy of ${costly?.amountBnb} BNB brings ${costly?.priceImpactPercent} % fewer tokens than at the price before it.`,
    ],
  ];
  return flags.flatMap(([applies, text]) => (applies ? [text] : []));
}

/** Shares in percent, with 0 for unknown ones. */
function knownShares({
  creatorPercent,
  top10Percent,
  snipersPercent,
  bundlersPercent,
  insidersPercent,
}: Facts["risk"]) {
  return {
    creatorPercent: creatorPercent ?? 0,
    top10Percent: top10Percent ?? 0,
    snipersPercent: snipersPercent ?? 0,
    bundlersPercent: bundlersPercent ?? 0,
    insidersPercent: insidersPercent ?? 0,
  };
}
