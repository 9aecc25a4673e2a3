import { formatCount, groupDigits } from "../format/number.ts";
import { Amount } from "../parts/amount.tsx";
import type { Stats } from "./stats.ts";

/** The launchpad's key figures in one line. */
export function Totals({ stats }: { stats: Stats | undefined }) {
  const day = stats?.windows["24h"];
  return (
    <dl class="totals" aria-busy={stats === undefined}>
      <div>
        <dt>Volume, 24 h</dt>
        <dd>{day && <Amount bnb={day.volumeBnb} usd={day.volumeUsd} />}</dd>
      </div>
      <div>
        <dt>Trades, 24 h</dt>
        <dd class="number">{day && formatCount(day.trades)}</dd>
      </div>
      <div>
        <dt>Created, 24 h</dt>
        <dd class="number">{day && formatCount(day.tokensCreated)}</dd>
      </div>
      <div>
        <dt>Graduated</dt>
        <dd class="number">
          {stats && formatCount(stats.graduatedTokens)}
          {stats && <span class="unit"> of {formatCount(stats.tokens)}</span>}
        </dd>
      </div>
      <div>
        <dt>In curves</dt>
        <dd>{stats && <Amount bnb={stats.inCurvesBnb} usd={stats.inCurvesUsd} />}</dd>
      </div>
      {stats?.bnbUsd !== undefined && (
        <div>
          <dt>BNB</dt>
          <dd class="number">
            ${groupDigits(Number(stats.bnbUsd), { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
          </dd>
        </div>
      )}
    </dl>
  );
}
