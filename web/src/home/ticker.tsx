import { formatCount, groupDigits } from "../format/number.ts";
import { Amount } from "../parts/amount.tsx";
import { withChain } from "../routing/routes.ts";
import type { Stats } from "../stats/stats.ts";

/** The launchpad in one line. The stats page has all numbers, and their history. */
export function Ticker({ stats }: { stats: Stats | undefined }) {
  const day = stats?.windows["24h"];
  return (
    <section class="ticker" aria-label="The last 24 hours" aria-busy={stats === undefined}>
      {stats !== undefined && day !== undefined && (
        <>
          <span class="muted">24 h</span>
          <span>
            <Amount bnb={day.volumeBnb} usd={day.volumeUsd} /> <span class="muted">volume</span>
          </span>
          <span class="number">
            {formatCount(day.trades)} <span class="muted">trades</span>
          </span>
          <span class="number">
            {formatCount(day.tokensCreated)} <span class="muted">created</span>
          </span>
          <span class="number">
            {formatCount(stats.graduatedTokens)}{" "}
            <span class="muted">of {formatCount(stats.tokens)} graduated</span>
          </span>
          {stats.bnbUsd !== undefined && (
            <span class="number">
              <span class="muted">BNB</span> $
              {groupDigits(Number(stats.bnbUsd), { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
            </span>
          )}
        </>
      )}
      <a href={withChain("/stats")}>All numbers</a>
    </section>
  );
}
