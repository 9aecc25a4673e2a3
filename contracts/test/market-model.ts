import type { Address } from "viem";
import { billion, milliBnb } from "./harness.ts";

/*
 * A model of the market's state after each step, computed independently of the contracts. Amounts are in wei and base units.
 */

export type ModelToken = {
  address: Address;
  pair: Address;
  creator: Address;
  burnPercent: number;
  bnbReserves: bigint;
  tokenReserves: bigint;
  graduated: boolean;
  totalSupply: bigint;
  /** The balance of each holder, except the launchpad. */
  balances: Map<Address, bigint>;
  allowances: Map<Address, bigint>;
  /** Tokens that were sent to the launchpad, where they stay. */
  stray: bigint;
  /** What the pair holds, and what it reports as its reserves. */
  pairTokens: bigint;
  pairWbnb: bigint;
  tokenReserve: bigint;
  wbnbReserve: bigint;
};

export type Market = {
  tokens: ModelToken[];
  /** Wrapped BNB by holder. */
  wbnb: Map<Address, bigint>;
  /** BNB that was forced upon an address. */
  forcedBnb: Map<Address, bigint>;
  /** The next salt to try. */
  salt: number;
};

export const startBnb = 100n * milliBnb;
export const endBnb = 150n * milliBnb;
/** The supply that the burn leaves. */
export const remainingOf = (burnPercent: number) => (billion * BigInt(100 - burnPercent)) / 100n;
export const endTokens = ({ burnPercent }: ModelToken) => (remainingOf(burnPercent) * 6n) / 5n;
export const liquidityOf = ({ burnPercent }: ModelToken) => (remainingOf(burnPercent) * 2n) / 5n;

export const amountOf = (amounts: Map<Address, bigint>, account: Address) => amounts.get(account) ?? 0n;

export function add(amounts: Map<Address, bigint>, account: Address, amount: bigint) {
  amounts.set(account, amountOf(amounts, account) + amount);
}

/** The launchpad's balances of a token and of WBNB that belong to nobody. */
export const strayOf = ({ wbnb }: Market, { stray }: ModelToken, launchpad: Address) => ({
  tokens: stray,
  wbnb: amountOf(wbnb, launchpad),
});

export function opened(address: Address, pair: Address, creator: Address, burnPercent: number): ModelToken {
  const remaining = remainingOf(burnPercent);
  return {
    address,
    pair,
    creator,
    burnPercent,
    bnbReserves: startBnb,
    tokenReserves: (remaining * 9n) / 5n,
    graduated: false,
    totalSupply: remaining,
    balances: new Map(),
    allowances: new Map(),
    stray: 0n,
    pairTokens: 0n,
    pairWbnb: 0n,
    tokenReserve: 0n,
    wbnbReserve: 0n,
  };
}

/** What a buy yields and costs, and whether its limit allows it. If the curve ends within the buy, the limit is a price. */
export function buyOutcome(token: ModelToken, value: bigint, minTokensOut: bigint) {
  const left = endBnb - token.bnbReserves;
  if (value < left) {
    const tokensOut = (token.tokenReserves * value) / (token.bnbReserves + value);
    return { tokensOut, cost: value, graduates: false, allowed: tokensOut >= minTokensOut };
  }
  const tokensOut = token.tokenReserves - endTokens(token);
  return { tokensOut, cost: left, graduates: true, allowed: tokensOut * value >= minTokensOut * left };
}

/** What a buy of so many tokens, at most all that are left, yields and costs. */
export function exactOutcome(token: ModelToken, tokens: bigint) {
  const [left, costOfAll] = [token.tokenReserves - endTokens(token), endBnb - token.bnbReserves];
  const reserve = token.tokenReserves - tokens;
  const cost = (token.bnbReserves * tokens + reserve - 1n) / reserve;
  const graduates = tokens === left || cost >= costOfAll;
  return graduates ? { tokensOut: left, cost: costOfAll, graduates } : { tokensOut: tokens, cost, graduates };
}

export const saleOutcome = ({ bnbReserves, tokenReserves }: ModelToken, amount: bigint) =>
  (bnbReserves * amount) / (tokenReserves + amount);

/** Applies a successful buy. A graduation gives the WBNB that is already in the pair to the creator. */
export function applyBuy(market: Market, token: ModelToken, trader: Address, value: bigint) {
  settleBuy(market, token, trader, buyOutcome(token, value, 0n));
}

export function settleBuy(
  market: Market,
  token: ModelToken,
  trader: Address,
  { tokensOut, cost, graduates }: { tokensOut: bigint; cost: bigint; graduates: boolean },
) {
  token.bnbReserves += cost;
  token.tokenReserves -= tokensOut;
  add(token.balances, trader, tokensOut);
  if (!graduates) return;
  token.graduated = true;
  add(market.wbnb, token.creator, token.pairWbnb);
  token.pairWbnb = endBnb - startBnb;
  token.wbnbReserve = token.pairWbnb;
  token.pairTokens = liquidityOf(token);
  token.tokenReserve = token.pairTokens;
}

export function applySale(token: ModelToken, trader: Address, amount: bigint) {
  token.bnbReserves -= saleOutcome(token, amount);
  token.tokenReserves += amount;
  add(token.balances, trader, -amount);
  const allowance = amountOf(token.allowances, trader);
  if (allowance < 2n ** 256n - 1n) token.allowances.set(trader, allowance - amount);
}
