import { type Address, type Hex, zeroAddress, zeroHash } from "viem";
import { tokenFactoryAbi } from "../../../abis/TokenFactory.ts";
import { isRevert } from "../../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { curveProgress } from "../../domain/price.ts";
import {
  type CurveState,
  priceImpactPercent,
  quoteOnCurve,
  type Swap,
  tradePrices,
} from "../../domain/quote.ts";
import type { ChainClients } from "../chain/chain-client.ts";
import { cachePerChain } from "../chain/chains.ts";
import { askChain } from "../concurrency/read-lanes.ts";
import { invalidParameter } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { formatPrice } from "../market/price.ts";
import { readBnbUsd } from "../market/quote-state.query.ts";
import { createAccountCheck } from "./check-account.ts";
import { type FirstBuyAnswer, firstBuyRoute } from "./first-buy.routes.ts";
import { createOpeningTerms } from "./opening-terms.ts";
import { type Transaction, toSendable, toUsdFields, tradedBnb } from "./quote.mapper.ts";
import type { QuoteWarning } from "./quote.schema.ts";
import type { QuoteDeps } from "./quote.ts";
import { limitForFullAmount } from "./quote-trade.ts";
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

type SaltCheck = {
  salt: Hex;
  account: Address;
  /** Of the token, as far as they are known. */
  name: string | undefined;
  symbol: string | undefined;
};

type CheckSalt = (chain: ChainSettings, check: SaltCheck) => Promise<QuoteWarning[]>;

/**
 * Creates a check of whether the factory accepts a salt from an account: not if it begins with the address of another one, or if
 * the token that it gives exists.
 */
function createSaltCheck(getClient: ChainClients): CheckSalt {
  /** A factory from before bound salts lacks this function. One that doesn't answer is taken for one of today. */
  const bindsSalts = cachePerChain(
    (chain) =>
      getClient(chain)
        .readContract({
          address: chain.tokenFactory,
          abi: tokenFactoryAbi,
          functionName: "predictNextTokenAddress",
          args: [zeroAddress, "A", "A"],
        })
        .then(
          () => true,
          (error) => !isRevert(error),
        ),
    () => false,
  );

  async function isUsed(chain: ChainSettings, args: readonly [string, string, Hex]): Promise<boolean> {
    const client = getClient(chain);
    const factory = { address: chain.tokenFactory, abi: tokenFactoryAbi } as const;
    const address = await client.readContract({ ...factory, functionName: "predictTokenAddress", args });
    return (await client.getCode({ address })) !== undefined;
  }

  return async (chain, { salt, account, name, symbol }) => {
    const owner = salt.slice(0, 42);
    if (owner !== zeroAddress && owner !== account && (await bindsSalts(chain)))
      return [ofAnother(owner, account)];
    if (salt === zeroHash || name === undefined || symbol === undefined) return [];
    const used = await isUsed(chain, [name, symbol, salt]).catch(notKnown);
    return used ? [alreadyUsed] : [];
  };
}

const ofAnother = (owner: string, account: Address): QuoteWarning => ({
  code: "salt_of_another_account",
  message: `The salt begins with ${owner}: the factory accepts it from that account alone. Ask /api/tokens/vanity-salt for one with creator=${account}.`,
});

const alreadyUsed: QuoteWarning = {
  code: "salt_already_used",
  message: "A token with this name, symbol and salt exists: ask /api/tokens/vanity-salt for another salt.",
};

/** The check of the account warns that the endpoint doesn't answer. */
const notKnown = () => false;

type FirstBuy = {
  chainId: number;
  burnPercent: number;
  /** Wei. */
  amountIn: bigint;
  opening: CurveState;
  swap: Swap;
  /** Base units, as a limit for all of amountIn. */
  minTokensOut: bigint;
  /** USD for one BNB with 8 decimals; null without a price feed. */
  bnbUsdX8: bigint | null;
  account: Address | undefined;
  warnings: QuoteWarning[];
  /** Null if the token has no name yet. */
  transaction: Transaction | null;
};

/** Maps a first buy to its response. */
function toFirstBuy(firstBuy: FirstBuy): FirstBuyAnswer {
  const { chainId, burnPercent, amountIn, opening, swap, bnbUsdX8, warnings, transaction } = firstBuy;
  const prices = tradePrices(opening, swap, "buy", amountIn);
  return {
    chainId,
    burnPercent,
    amountInWei: String(amountIn),
    amountOutRaw: String(swap.amountOut),
    refundWei: String(swap.refund),
    minTokensOutRaw: String(firstBuy.minTokensOut),
    priceBnb: formatPrice(prices.beforeBnbX36),
    averagePriceBnb: formatPrice(prices.averageBnbX36),
    priceAfterBnb: formatPrice(prices.afterBnbX36),
    priceImpactPercent: priceImpactPercent(opening, swap, { side: "buy", amountIn, fee: 0n }),
    ...(bnbUsdX8 === null ? {} : toUsdFields(prices, tradedBnb(swap, "buy", amountIn), bnbUsdX8)),
    progressAfterPercent: curveProgress(swap.amountOut, opening.totalToSell, swap.graduates),
    graduates: swap.graduates,
    warnings,
    transaction: transaction === null ? null : toSendable(transaction, firstBuy),
    ...(transaction === null ? { hint: "Give name and symbol to get the transaction." } : {}),
  };
}
