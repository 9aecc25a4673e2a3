import { zeroHash } from "viem";
import { quoteOnCurve } from "../../curve/quote.ts";
import { askChain } from "../concurrency/read-lanes.ts";
import { invalidParameter } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { createAccountCheck } from "./check-account.ts";
import { createSaltCheck } from "./check-salt.ts";
import { toFirstBuy } from "./first-buy.mapper.ts";
import { readBnbUsd } from "./first-buy.query.ts";
import { firstBuyRoute } from "./first-buy.routes.ts";
import { createOpeningTerms } from "./opening-terms.ts";
import { limitForFullAmount } from "./price-limit.ts";
import type { QuoteDeps } from "./quote.ts";
import { firstBuyNotSupported, notTradable } from "./refusals.ts";
import { firstBuyTransaction } from "./transaction.ts";

/** Stands in for the new token's address, which is not known yet. */
const unknownMint = `0x${"0".repeat(40)}` as const;

export function createFirstBuy({ chains, db, getClient }: QuoteDeps) {
  const readOpeningTerms = createOpeningTerms(getClient);
  const checkAccount = createAccountCheck();
  const checkSalt = createSaltCheck(getClient);

  return createRouter().openapi(firstBuyRoute, async (c) => {
    const { burnPercent, amount: amountIn, name, symbol, salt, account, chainId } = c.req.valid("query");
    if (salt !== zeroHash && name === undefined) {
      throw invalidParameter("salt", "is for the transaction, which needs name and symbol too");
    }
    const chain = chains.choose(chainId);
    const bnbUsdX8 = await readBnbUsd(db, chain.id);
    const opening = await askChain(c, () => readOpeningTerms(chain, burnPercent));
    if (opening === null) throw firstBuyNotSupported(chain);

    const buy = { mint: unknownMint, side: "buy" as const, amountIn };
    const swap = quoteOnCurve(opening, "buy", amountIn);
    if (typeof swap === "string") throw notTradable(swap, { ...buy, venue: "curve", maxAmount: 0n });
    const minTokensOut = limitForFullAmount(swap.amountOut, amountIn, swap.refund);
    const transaction =
      name === undefined || symbol === undefined
        ? null
        : firstBuyTransaction(
            chain.tokenFactory,
            { name, symbol, burnPercent, salt },
            { amountIn, minTokensOut },
          );
    const warnings =
      account === undefined
        ? []
        : await askChain(c, async () => [
            ...(await checkSalt(chain, { salt, account, name, symbol })),
            ...(await checkAccount(chain, { ...buy, account, tokens: 0n, spender: undefined })),
          ]);
    const quoted = { chainId: chain.id, burnPercent, amountIn, opening, swap, minTokensOut };
    return c.json(toFirstBuy({ ...quoted, bnbUsdX8, account, warnings, transaction }), 200);
  });
}
