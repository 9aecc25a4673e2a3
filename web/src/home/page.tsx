import { useEffect } from "preact/hooks";
import { useReloadAfter } from "../data/use-reload.ts";
import { useStream } from "../data/use-stream.ts";
import { t } from "../language/messages.ts";
import { lazyPage } from "../routing/lazy.tsx";
import { Title } from "../shell/title.tsx";
import { useStats } from "../stats/stats.ts";
import { Controls } from "./controls.tsx";
import { Feed, feedEvent } from "./feed.tsx";
import { List } from "./list.tsx";
import { Ticker } from "./ticker.tsx";
import { newTokenCount, noteEvent, reloadView } from "./updates.ts";
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
    {},
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
    if (shown) newTokenCount.value = 0;
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
