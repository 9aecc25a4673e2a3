import { parseEther } from "viem";
import { z } from "zod";
import { quoteRoute } from "../../quotes/quote.routes.ts";
import { tokenDetails } from "../../tokens/entry/token-entry.schema.ts";
import { listTokensRoute } from "../../tokens/list/list-tokens.routes.ts";
import { whole } from "../amount.ts";
import { chainId, mint } from "../inputs.ts";
import { readingTool, type ToolContext, ToolError } from "../tool.ts";
import { toUntrustedEntry, untrustedEntry } from "../untrusted.ts";
import { findFlags } from "./token-flags.ts";
import { lookAlike, readToken, toLookAlike } from "./token-result.ts";

const {
  risk,
  creatorRecord,
  windows,
  progress,
  graduated,
  holderCount,
  creator,
  liquidityBnb,
  liquidityUsd,
} = tokenDetails.shape;

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
    creator,
    progress,
    graduated,
    holderCount,
    risk,
    creatorRecord,
    windows,
    liquidityBnb,
    liquidityUsd,
    sameSymbolTokens: tokenDetails.shape.sameSymbolTokens,
    sameSymbol: z
      .array(
        z.object({ mint: z.string(), createdAt: z.string().nullable(), graduated: z.boolean(), holderCount }),
      )
      .describe(
        "Up to 10 of these that are registered, those with the most holders first: any of them may be the one that was meant.",
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
      tokensWithSymbol(context, entry.symbol, mint, chainId),
      Promise.all(sizes.map((size) => readImpact(context, mint, size, chainId))),
    ]);
    const { creator, progress, graduated, holderCount, risk, creatorRecord, windows } = entry;
    const { liquidityBnb, liquidityUsd, sameSymbolTokens } = entry;
    return {
      mint,
      creator,
      progress,
      graduated,
      holderCount,
      risk,
      creatorRecord,
      windows,
      liquidityBnb,
      liquidityUsd,
      sameSymbolTokens,
      sameSymbol,
      lookAlike: toLookAlike(entry.lookAlike),
      buys,
      flags: findFlags(entry, buys),
      untrusted: toUntrustedEntry(entry),
    };
  },
});

async function tokensWithSymbol({ ask }: ToolContext, symbol: string, mint: string, chainId?: number) {
  const wanted = symbol.trim().toLowerCase();
  // REST refuses control characters, and blanks find nothing.
  if (wanted === "" || wanted.length > 200 || /\p{Cc}/u.test(wanted) || !wanted.isWellFormed()) return [];
  // Imitations are mostly newer than what they imitate, and may be many.
  const query = { q: wanted, sort: "holders", limit: 100, view: "compact", chainId };
  const page = await ask(listTokensRoute, { query });
  if (!("view" in page)) throw new Error("Invariant(list): rows are not compact, as requested");
  return page.tokens
    .filter((other) => other.mint !== mint && other.symbol.trim().toLowerCase() === wanted)
    .slice(0, 10)
    .map(({ mint, createdAt, progress, holderCount }) => ({
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
