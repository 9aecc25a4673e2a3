import { coin } from "../data/chain.ts";
import { formatNumber, fromUnits } from "../format/number.ts";
import { displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { asUsd } from "../parts/amount.tsx";
import type { Receipt } from "../wallet/transaction.ts";
import type { TokenDetails } from "./data.ts";
import { fillOf } from "./fill.ts";

/** What the outcome of a token's trade is told with. */
export type TradedToken = Pick<
  TokenDetails,
  "mint" | "symbol" | "launchpadAddress" | "pair" | "priceBnb" | "priceUsd"
>;

/** What a trade paid and brought, at which price. */
export function outcomeText(receipt: Receipt, side: "buy" | "sell", token: TradedToken): string {
  const { mint, launchpadAddress: launchpad, pair } = token;
  const fill = fillOf(receipt.logs, { mint, side, launchpad, pair });
  if (fill === undefined || fill.tokens === 0n) return t.trade.done[side];
  const [bnb, tokens] = [Number(fromUnits(fill.bnb)), Number(fromUnits(fill.tokens))];
  const rate = Number(token.priceUsd) / Number(token.priceBnb);
  const usd = Number.isFinite(rate) ? ` (${asUsd(bnb * rate)})` : "";
  const text = side === "buy" ? t.trade.bought : t.trade.sold;
  return text(
    `${formatNumber(tokens)} ${displaySymbol(token.symbol)}`,
    `${formatNumber(bnb)} ${coin.peek()}${usd}`,
    `${formatNumber(bnb / tokens)} ${coin.peek()}`,
  );
}
