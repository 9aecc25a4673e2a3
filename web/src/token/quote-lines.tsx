import { tradeCalls } from "../../../client/src/index.ts";
import { coin } from "../data/chain.ts";
import type { client } from "../data/client.ts";
import { formatNumber, formatPercent, fromUnits } from "../format/number.ts";
import { displaySymbol } from "../format/text.ts";
import type { RpcTransaction } from "../wallet/transaction.ts";

export type Quote = Awaited<ReturnType<typeof client.quote>>["quote"];

/** The price impacts in percent from which it is highlighted, and from which a warning is shown. */
const noticeableImpact = 3;
const highImpact = 15;

/** The transactions of a quote: an approval if one is missing, and the trade. */
export function toRpcCalls(quote: Quote): RpcTransaction[] {
  const { transaction, approval } = quote;
  if (transaction === null) return [];
  return tradeCalls(quote).length === 2 && approval !== null
    ? [approval.rpc, transaction.rpc]
    : [transaction.rpc];
}

/** The outcome of a trade, its minimum and its price impact, with warnings. */
export function QuoteLines({
  quote,
  symbol,
  isCurrent,
}: {
  quote: Quote;
  symbol: string;
  isCurrent: boolean;
}) {
  const isBuy = quote.side === "buy";
  const unit = isBuy ? displaySymbol(symbol) : coin.value;
  const out = fromUnits((isBuy ? quote.amountOutRaw : quote.amountOutWei) ?? "0");
  const least = fromUnits((isBuy ? quote.minAmountOutRaw : quote.minAmountOutWei) ?? "0");
  const impact = quote.priceImpactPercent;
  const level = impact >= highImpact ? "down" : impact >= noticeableImpact ? "accent" : "";
  const notes = collectNotes(quote, impact);
  return (
    <>
      <dl class={`quote ${isCurrent ? "" : "is-old"}`} aria-live="polite" aria-busy={!isCurrent}>
        <div class="quote-main">
          <dt>You receive</dt>
          <dd title={`${out} ${unit}`}>
            {formatNumber(out, 6)} <bdi>{unit}</bdi>
          </dd>
        </div>
        <div>
          <dt>At least</dt>
          <dd title={least}>{formatNumber(least, 6)}</dd>
        </div>
        <div>
          <dt>Price impact</dt>
          <dd class={level}>{formatPercent(impact, 2)}</dd>
        </div>
        {quote.feePercent > 0 && (
          <div>
            <dt>DEX fee</dt>
            <dd>{formatPercent(quote.feePercent, 2)}</dd>
          </div>
        )}
        {quote.refundWei !== "0" && (
          <div>
            <dt>Refund</dt>
            <dd>
              {formatNumber(fromUnits(quote.refundWei), 6)} {coin}
            </dd>
          </div>
        )}
      </dl>
      {notes.map((note) => (
        <p key={note} class="trade-note">
          {note}
        </p>
      ))}
    </>
  );
}

function collectNotes(quote: Quote, impact: number): string[] {
  const notes = quote.warnings
    // A missing approval is not a problem: it is the first of two steps.
    .filter(({ code }) => code !== "allowance_too_low")
    .map(({ message }) => message);
  if (quote.warnings.some(({ code }) => code === "allowance_too_low")) {
    notes.push("Your wallet will ask twice: for the approval, then for the sale.");
  }
  if (quote.graduates)
    notes.push("This buy completes the curve: the token is listed on the DEX in the same transaction.");
  if (impact >= highImpact)
    notes.push(
      "The amount is large for this market, and gets a much worse price than the current one. A smaller one loses less.",
    );
  return notes;
}
