import { coin } from "../data/chain.ts";
import { formatCount, formatNumber, formatPercent, fromUnits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Amount, Change } from "../parts/amount.tsx";
import { Fact } from "../parts/fact.tsx";
import { useFlash } from "../parts/hooks.ts";
import { CurveProgress } from "../parts/progress.tsx";
import type { Curve, TokenDetails } from "./data.ts";
import { exitText } from "./quote-lines.tsx";

const spans = ["5m", "1h", "6h", "24h"] as const;

/** The token's price, size and activity in numbers. */
export function Facts({ token }: { token: TokenDetails }) {
  const marketCap = useFlash<HTMLElement>(token.marketCapBnb);
  const day = token.windows["24h"];
  return (
    <div class="facts">
      <div class="facts-price">
        <strong ref={marketCap} title={t.common.marketCap}>
          <Amount bnb={token.marketCapBnb} usd={token.marketCapUsd} />{" "}
          <span class="unit">{t.common.marketCapShort}</span>
        </strong>
        <dl class="changes">
          {spans.map((span) => (
            <Fact key={span} name={t.token.spans[span]}>
              <Change percent={token.windows[span].priceChangePercent} />
            </Fact>
          ))}
        </dl>
      </div>
      <dl class="facts-list">
        <Fact name={t.common.price}>
          <Amount bnb={token.priceBnb} usd={token.priceUsd} />
        </Fact>
        <Fact name={t.common.liquidity} title={t.common.liquidityMeaning(coin.value)}>
          <Amount bnb={token.liquidityBnb} usd={token.liquidityUsd} />
        </Fact>
        <Fact name={t.common.volume24h}>
          <Amount bnb={day.volumeBnb} usd={day.volumeUsd} />
        </Fact>
        <Fact name={t.token.buysAndSells} class="number">
          <span class="up">{formatCount(day.buys)}</span> / <span class="down">{formatCount(day.sells)}</span>
        </Fact>
        <Fact name={t.common.holders} class="number">
          {formatCount(token.holderCount)}
        </Fact>
        {!token.graduated && (
          <Fact name={t.home.curve} class="number accent">
            {formatPercent(token.progress)}
          </Fact>
        )}
      </dl>
    </div>
  );
}

/** The curve's progress, and the cost of completing it. */
export function CurveState({ token, curve }: { token: TokenDetails; curve: Curve | undefined }) {
  const left = curve === undefined || token.graduated ? undefined : costToComplete(curve);
  const rate = Number(token.priceUsd) / Number(token.priceBnb);
  return (
    <section class="panel" aria-labelledby="curve-title">
      <h2 id="curve-title" class="panel-title">
        {t.token.curveTitle}
        <span class={token.graduated ? "up" : "accent"}>
          {token.graduated ? t.common.graduated : formatPercent(token.progress, 2)}
        </span>
      </h2>
      <CurveProgress progress={token.progress} graduated={token.graduated} />
      <p class="panel-text">
        {token.graduated
          ? t.token.curveDone
          : t.token.curveLeft(
              left === undefined ? (
                "…"
              ) : (
                <Amount bnb={left} usd={Number.isFinite(rate) ? String(Number(left) * rate) : undefined} />
              ),
              curve && formatNumber(fromUnits(curve.realTokenReserves)),
            )}{" "}
        {t.token.burned(token.burnPercent)}
      </p>
      {token.graduationExit !== null && <p class="panel-text">{exitText(token.graduationExit)}</p>}
    </section>
  );
}

/** The BNB that buys the rest of the curve, by its constant product. */
function costToComplete(curve: Curve): string {
  const bnb = BigInt(curve.virtualBnbReserves);
  const tokens = BigInt(curve.virtualTokenReserves);
  const rest = BigInt(curve.realTokenReserves);
  return tokens === rest ? "0" : fromUnits((bnb * rest) / (tokens - rest));
}
