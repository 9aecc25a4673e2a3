import { parseEther } from "viem";
import { z } from "zod";
import { type Account, accountRoute, holdingsRoute, positionsRoute } from "../../accounts/account.routes.ts";
import { accountTotals, holding, position } from "../../accounts/account.schema.ts";
import { paginate, positionCursor } from "../../http/cursor.ts";
import { address, chainId, limit } from "../inputs.ts";
import { cursorInput, nextCursor, readFittingPage, writeCursor } from "../pages.ts";
import { readingTool, ToolError } from "../tool.ts";
import { untrustedNames, withUntrustedNames } from "../untrusted.ts";

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
    holdingsCursor: cursorInput.describe("nextHoldingsCursor of the previous result: continues holdings."),
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
    holdings: z
      .array(heldToken)
      .optional()
      .describe("Most valuable first; at most 10 on the first page. Not with cursor."),
    nextHoldingsCursor: nextCursor
      .optional()
      .describe(
        "Pass it as holdingsCursor, without cursor, for holdings of less value. Null if these were all. A holding whose price moves meanwhile may repeat or be left out.",
      ),
    positions: z
      .array(tradedToken)
      .optional()
      .describe(
        "Results by token, most recently traded first, then those only received or sent. Not with holdingsCursor.",
      ),
    nextCursor: nextCursor.optional(),
  }),
  async run({ account, limit, cursor, holdingsCursor, chainId }, { ask }) {
    const path = { address: account };
    if (cursor !== undefined && holdingsCursor !== undefined) {
      throw new ToolError("invalid_request", "Give cursor or holdingsCursor, each in a call of its own.");
    }
    if (holdingsCursor !== undefined) {
      const { rows, nextCursor, ...others } = await readFittingPage(
        { cursor: holdingsCursor, limit },
        async (page) => {
          const { holdings, nextCursor, ...answer } = await ask(holdingsRoute, {
            path,
            query: { chainId, ...page },
          });
          return { rows: holdings.map(withUntrustedNames), nextCursor, chainId: answer.chainId };
        },
      );
      return { account, holdings: rows, nextHoldingsCursor: nextCursor, ...others };
    }
    if (cursor !== undefined) {
      const { rows, ...others } = await readFittingPage({ cursor, limit }, async (page) => {
        const { positions, nextCursor, ...answer } = await ask(positionsRoute, {
          path,
          query: { chainId, ...page },
        });
        return { rows: positions.map(withUntrustedNames), nextCursor, chainId: answer.chainId };
      });
      return { account, positions: rows, ...others };
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
      holdings: answer.holdings.map(withUntrustedNames),
      nextHoldingsCursor: writeCursor(answer.nextCursor.holdings),
      ...firstPositions(answer),
    };
  },
});

/** Returns fewer positions on the first page, which has holdings too. All of it is from one request, and so from one block. */
function firstPositions({ address, chainId, positions, nextCursor: next }: Account) {
  const kind = positionCursor({ chainId, account: address });
  const { rows, nextCursor } = paginate(positions, 4, kind, ({ lastTradeAt, mint }) => ({
    first: lastTradeAt === null ? "0" : String(Date.parse(lastTradeAt) / 1_000),
    second: mint,
  }));
  return { positions: rows.map(withUntrustedNames), nextCursor: writeCursor(nextCursor ?? next.positions) };
}
