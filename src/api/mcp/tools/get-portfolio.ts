import { parseEther } from "viem";
import { z } from "zod";
import { accountRoute, positionsRoute } from "../../accounts/account.routes.ts";
import { accountTotals, holding, position } from "../../accounts/account.schema.ts";
import { address, chainId, limit } from "../inputs.ts";
import { cursorInput, fitPage, nextCursor, readCursor } from "../pages.ts";
import { readingTool } from "../tool.ts";
import { toUntrustedNames, untrustedNames } from "../untrusted.ts";

const names = { name: true, symbol: true } as const;
const heldToken = holding.omit(names).extend({ untrusted: untrustedNames });
const tradedToken = position.omit(names).extend({ untrusted: untrustedNames });

export const getPortfolio = readingTool({
  name: "get_portfolio",
  title: "Get a portfolio",
  description:
    "What an account has: its BNB, its holdings and their value at spot prices and at exit (what selling them would bring), and its profits, realised and unrealised, in BNB and USD, all at one block. Works for any account. To sell, use prepare_trade.",
  isOpenWorld: true,
  otherNames: { address: "account" },
  input: z.object({
    account: address("The account."),
    limit: limit(50, 10),
    cursor: cursorInput.describe("nextCursor of the previous result: continues its positions."),
    chainId,
  }),
  output: z.object({
    account: z.string(),
    chainId: z.int(),
    nativeBalanceWei: z
      .string()
      .nullable()
      .describe(
        "Wei of BNB at block, from which gas is paid. Null if the chain's RPC endpoint does not answer, or no longer has that block's state.",
      )
      .optional(),
    nativeBalanceUsd: z.string().optional().describe("The same in USD, if there is a rate."),
    totals: accountTotals.optional(),
    holdings: z.array(heldToken).optional().describe("Most valuable first. On the first page only."),
    positions: z.array(tradedToken).describe("Results by token, most recently traded first."),
    nextCursor,
  }),
  async run({ account, limit, cursor, chainId }, { ask }) {
    const place = readCursor(cursor);
    const path = { address: account };
    if (cursor !== undefined) {
      const query = { limit, cursor: place.at, chainId };
      const answer = await ask(positionsRoute, { path, query });
      const rows = answer.positions.map(toRow);
      const fitted = fitPage({ rows, next: answer.nextCursor ?? undefined }, place);
      return {
        ...{ account, chainId: answer.chainId },
        ...{ positions: fitted.rows, nextCursor: fitted.nextCursor },
      };
    }
    const query = { limit: Math.min(limit, 10), chainId };
    const answer = await ask(accountRoute, { path, query });
    const { nativeBalanceBnb, nativeBalanceUsd } = answer;
    return {
      account,
      chainId: answer.chainId,
      nativeBalanceWei: nativeBalanceBnb === null ? null : String(parseEther(nativeBalanceBnb)),
      nativeBalanceUsd,
      totals: answer.totals,
      holdings: answer.holdings.map(toRow),
      ...firstPositions(answer.positions.map(toRow), answer.nextCursor.positions),
    };
  },
});

/** Returns fewer positions on the first page, which has holdings too. */
function firstPositions<Row>(rows: Row[], next: string | null) {
  const few = rows.slice(0, 4);
  const fitted = fitPage({ rows: few, next: next ?? undefined }, { at: undefined, skip: 0 });
  if (few.length === rows.length) return { positions: fitted.rows, nextCursor: fitted.nextCursor };
  const rest = Buffer.from(JSON.stringify({ at: undefined, skip: few.length })).toString("base64url");
  return { positions: few, nextCursor: rest };
}

function toRow<Entry extends { name: string; symbol: string }>({ name, symbol, ...entry }: Entry) {
  return { ...entry, untrusted: toUntrustedNames({ name, symbol }) };
}
