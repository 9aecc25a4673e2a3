import { formatNumber, formatPercent, fromUnits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { CurveProgress } from "../parts/progress.tsx";
import type { Curve, TokenDetails } from "./data.ts";
import { exitText } from "./quote-lines.tsx";

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
