import { parseEther } from "viem";
import { z } from "zod";
import { accountRoute, positionsRoute } from "../../accounts/account.routes.ts";
import { accountTotals, holding, position } from "../../accounts/account.schema.ts";
import { address, chainId, limit } from "../inputs.ts";
import { cursorInput, fitPage, nextCursor, readCursor } from "../pages.ts";
import { readingTool } from "../tool.ts";
import { untrustedNames, untrustedNamesOf } from "../untrusted.ts";

const names = { name: true, symbol: true } as const;
const heldToken = holding.omit(names).extend({ untrusted: untrustedNames });
const tradedToken = position.omit(names).extend({ untrusted: untrustedNames });

export const getPortfolio = readingTool({
  name: "get_portfolio",
  title: "Get a portfolio",
  description:
    "What an account has: its BNB, what it holds and what that is worth at spot prices and at exit (what selling it would bring), and its results, realised and unrealised, in BNB and USD. Any account can be asked for. To sell, use prepare_trade.",
  isOpenWorld: true,
  input: z.object({
    account: address("The account."),
    limit: limit(50, 10),
    cursor: cursorInput.describe("nextCursor of the result before: goes on with its positions."),
    chainId,
  }),
  output: z.object({
    account: z.string(),
    chainId: z.int(),
    block: z
      .int()
      .nullable()
      .optional()
      .describe("The last indexed block that all but the BNB is known to reflect. On the first page only."),
    nativeBalanceWei: z
      .string()
      .nullable()
      .describe(
        "Wei of BNB, at the chain's last block. Gas is paid from it. Null where the chain's RPC endpoint does not answer.",
      )
      .optional(),
    nativeBalanceUsd: z.string().optional().describe("The same in USD, where there is a rate."),
    totals: accountTotals.optional(),
    holdings: z.array(heldToken).optional().describe("What is worth most first. On the first page only."),
    positions: z.array(tradedToken).describe("Results by token, that of the last trade first."),
    nextCursor,
  }),
  async run({ account, limit, cursor, chainId }, { ask, askWithBlock }) {
    const place = readCursor(cursor);
    const path = { address: account };
    if (cursor !== undefined) {
      const query = { limit, cursor: place.at, chainId };
      const answer = await ask(positionsRoute, { path, query });
      const rows = answer.positions.map(toRow);
      const fitted = fitPage({ rows, following: answer.nextCursor ?? undefined }, place);
      return {
        ...{ account, chainId: answer.chainId },
        ...{ positions: fitted.rows, nextCursor: fitted.nextCursor },
      };
    }
    const query = { limit: Math.min(limit, 10), chainId };
    const { answer, block } = await askWithBlock(accountRoute, { path, query });
    const { nativeBalanceBnb, nativeBalanceUsd } = answer;
    return {
      account,
      chainId: answer.chainId,
      block,
      nativeBalanceWei: nativeBalanceBnb === null ? null : String(parseEther(nativeBalanceBnb)),
      nativeBalanceUsd,
      totals: answer.totals,
      holdings: answer.holdings.map(toRow),
      ...positionsBeside(answer.positions.map(toRow), answer.nextCursor.positions),
    };
  },
});

/** Where holdings come too, positions get a third of the room. */
function positionsBeside<Row>(rows: Row[], following: string | null) {
  const few = rows.slice(0, 4);
  const fitted = fitPage({ rows: few, following: following ?? undefined }, { at: undefined, skip: 0 });
  if (few.length === rows.length) return { positions: fitted.rows, nextCursor: fitted.nextCursor };
  const rest = Buffer.from(JSON.stringify({ at: undefined, skip: few.length })).toString("base64url");
  return { positions: few, nextCursor: rest };
}

function toRow<Entry extends { name: string; symbol: string }>({ name, symbol, ...entry }: Entry) {
  return { ...entry, untrusted: untrustedNamesOf({ name, symbol }) };
}
