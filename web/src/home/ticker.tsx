import { formatCount, groupDigits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { withChain } from "../routing/routes.ts";
import type { Stats } from "../stats/stats.ts";

const muted = (text: string) => <span class="muted">{text}</span>;

/** The launchpad in one line. The stats page has all numbers, and their history. */
export function Ticker({ stats }: { stats: Stats | undefined }) {
  const day = stats?.windows["24h"];
  return (
    <section class="ticker" aria-label={t.home.day} aria-busy={stats === undefined}>
      {stats !== undefined && day !== undefined && (
        <>
          {muted(t.home.dayShort)}
          <span>{t.home.ticker.volume(<Amount bnb={day.volumeBnb} usd={day.volumeUsd} />, muted)}</span>
          <span class="number">{t.home.ticker.trades(formatCount(day.trades), muted)}</span>
          <span class="number">{t.home.ticker.created(formatCount(day.tokensCreated), muted)}</span>
          <span class="number">
            {t.home.ticker.graduated(formatCount(stats.graduatedTokens), formatCount(stats.tokens), muted)}
          </span>
          {stats.bnbUsd !== undefined && (
            <span class="number">
              <span class="muted">BNB</span> $
              {groupDigits(Number(stats.bnbUsd), { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
            </span>
          )}
        </>
      )}
      <a href={withChain("/stats")}>{t.home.allNumbers}</a>
    </section>
  );
}
