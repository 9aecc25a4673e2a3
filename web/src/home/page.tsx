import { useEffect } from "preact/hooks";
import { coin } from "../data/chain.ts";
import { useReloadAfter } from "../data/resource.ts";
import { useStream } from "../data/use-stream.ts";
import { formatCount, groupDigits } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { lazyPage } from "../routing/lazy.tsx";
import { withChain } from "../routing/router.ts";
import { Title } from "../shell/page-head.tsx";
import { type Stats, useStats } from "../stats/stats.ts";
import { Controls } from "./controls.tsx";
import { Feed, feedEvent } from "./feed.tsx";
import { List } from "./list.tsx";
import { listKinds, noteEvent, reloadView, resetNewTokens } from "./updates.ts";
import { view } from "./view.ts";

/** The totals are reloaded at most this often while events arrive. */
const totalsIntervalMs = 10_000;

/** Takes the room of the watchlist's panel while that is loaded. */
const PanelRoom = () => <div class="panel-room" />;

const WatchlistPanel = lazyPage<object>("alerts", () => import("../browser-alerts/panel.tsx"), PanelRoom);

/** The list of all tokens, and the latest events. */
export function HomePage() {
  const stats = useStats();
  const reloadTotals = useReloadAfter(totalsIntervalMs, [stats]);
  useStream(
    { kind: listKinds },
    {
      onEvent(event) {
        feedEvent(event);
        noteEvent(event);
        reloadTotals();
      },
      onGap(isBrief) {
        if (isBrief) return;
        void reloadView();
        void stats.reload();
      },
    },
  );
  const shown = view.value;
  useEffect(() => {
    // A changed view is read again and includes the new tokens.
    if (shown) resetNewTokens();
  }, [shown]);
  return (
    <>
      <Title>{shown.q === "" ? t.shell.tokens : t.home.search(shown.q)}</Title>
      <h1 class="visually-hidden">{t.shell.tokens}</h1>
      <Ticker stats={stats.data.value} />
      <div class="home">
        <section class="home-list" aria-label={t.shell.tokens}>
          <Controls />
          {shown.board === "watchlist" && <WatchlistPanel />}
          <List />
        </section>
        <aside class="home-side">
          <Feed />
        </aside>
      </div>
    </>
  );
}

const muted = (text: string) => <span class="muted">{text}</span>;

/** The launchpad in one line. The stats page has all numbers, and their history. */
function Ticker({ stats }: { stats: Stats | undefined }) {
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
              <span class="muted">{coin}</span> $
              {groupDigits(Number(stats.bnbUsd), { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
            </span>
          )}
        </>
      )}
      <a href={withChain("/stats")}>{t.home.allNumbers}</a>
    </section>
  );
}
