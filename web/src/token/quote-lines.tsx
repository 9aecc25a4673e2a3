import { coin } from "../data/chain.ts";
import { formatDown, formatNumber, formatPercent, fromUnits } from "../format/number.ts";
import { displaySymbol } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { asUsd } from "../parts/amount.tsx";
import { Fact } from "../parts/fact.tsx";
import { highImpact, type Loss, lossOf } from "../parts/loss.tsx";
import type { TokenDetails } from "./data.ts";
import type { Quote } from "./use-quote.ts";

/** The price impact in percent from which it is highlighted. */
const noticeableImpact = 3;

/** What a trade loses against the price that the page shows, if that needs a second confirmation. */
export function tradeLoss(quote: Quote, { priceBnb, priceUsd }: Prices): Loss | undefined {
  const price = Number(priceBnb);
  const amount = (raw: string | undefined) => Number(fromUnits(raw ?? "0"));
  const isBuy = quote.side === "buy";
  return lossOf({
    percent: quote.priceImpactPercent,
    paid: isBuy ? amount(quote.amountInWei) - amount(quote.refundWei) : amount(quote.amountInRaw) * price,
    received: isBuy ? amount(quote.amountOutRaw) * price : amount(quote.amountOutWei),
    usdPerBnb: priceUsd === undefined ? undefined : Number(priceUsd) / price,
  });
}

/** A token's price as the page shows it. */
type Prices = { priceBnb: string; priceUsd?: string | undefined };

/** The outcome of a trade, its minimum and its price impact, with warnings. */
export function QuoteLines({
  quote,
  token,
  isCurrent,
}: {
  quote: Quote;
  token: Prices & { symbol: string };
  isCurrent: boolean;
}) {
  const isBuy = quote.side === "buy";
  const unit = isBuy ? displaySymbol(token.symbol) : coin.value;
  const out = fromUnits((isBuy ? quote.amountOutRaw : quote.amountOutWei) ?? "0");
  const least = (isBuy ? quote.minAmountOutRaw : quote.minAmountOutWei) ?? "0";
  const usd = Number(out) * Number(token.priceUsd) * (isBuy ? 1 : 1 / Number(token.priceBnb));
  const impact = quote.priceImpactPercent;
  const level = impact >= highImpact ? "down" : impact >= noticeableImpact ? "accent" : "";
  const notes = collectNotes(quote);
  const isAskedTwice = quote.warnings.some(({ code }) => code === "allowance_too_low");
  return (
    <>
      <dl class={`quote ${isCurrent ? "" : "is-old"}`} aria-live="polite" aria-busy={!isCurrent}>
        <div class="quote-main">
          <dt>{t.trade.youReceive}</dt>
          <dd title={`${out} ${unit}`}>
            {formatNumber(out, 6)} <bdi>{unit}</bdi>
            {Number.isFinite(usd) && <span class="muted"> ≈ {asUsd(usd)}</span>}
          </dd>
        </div>
        <Fact name={t.trade.atLeast} title={fromUnits(least)}>
          {formatDown(least, 6)}
        </Fact>
        <Fact name={t.trade.priceImpact} class={level}>
          {formatPercent(impact, 2)}
        </Fact>
        {quote.feePercent > 0 && <Fact name={t.trade.dexFee}>{formatPercent(quote.feePercent, 2)}</Fact>}
        {quote.refundWei !== "0" && (
          <Fact name={t.trade.refund}>
            {formatNumber(fromUnits(quote.refundWei), 6)} {coin}
          </Fact>
        )}
      </dl>
      {notes.map((note) => (
        <p key={note} class="trade-note">
          {note}
        </p>
      ))}
      {isAskedTwice && (
        <p class="small-text muted">
          {quote.permit === null ? t.trade.asksForApproval : t.trade.asksForSignature}
        </p>
      )}
    </>
  );
}

function collectNotes(quote: Quote): string[] {
  const notes = quote.warnings
    // The form itself says what one has. A missing approval is not a problem: it is the first of two steps.
    .filter(({ code }) => code !== "allowance_too_low" && code !== "balance_too_low")
    .map(({ code, message }) => t.trade.warnings[code] ?? message);
  if (quote.graduates) {
    notes.push(t.trade.completesCurve);
    if (quote.graduationExit !== null) notes.push(exitText(quote.graduationExit));
  }
  return notes;
}

/** What graduation costs holders, in words. */
export const exitText = ({ beforeBnb, afterBnb }: NonNullable<TokenDetails["graduationExit"]>) =>
  t.trade.graduationExit(`${formatNumber(beforeBnb)} ${coin.value}`, formatNumber(afterBnb));
