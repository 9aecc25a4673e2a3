import { parseEther } from "viem";
import { z } from "zod";
import { type Account, accountRoute, positionsRoute } from "../../accounts/account.routes.ts";
import { accountTotals, holding, position } from "../../accounts/account.schema.ts";
import { paginate, positionCursor } from "../../http/cursor.ts";
import { address, chainId, limit } from "../inputs.ts";
import { cursorInput, nextCursor, readFittingPage, writeCursor } from "../pages.ts";
import { readingTool } from "../tool.ts";
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
      .describe("At most 10, most valuable first. On the first page only."),
    moreHoldings: z
      .boolean()
      .optional()
      .describe("Whether it holds other tokens, of less value: GET /api/account/{address}/holdings has all."),
    positions: z
      .array(tradedToken)
      .describe("Results by token, most recently traded first, then those only received or sent."),
    nextCursor,
  }),
  async run({ account, limit, cursor, chainId }, { ask }) {
    const path = { address: account };
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
      moreHoldings: answer.nextCursor.holdings !== null,
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
