import { useEffect } from "preact/hooks";
import { useReloadAfter } from "../data/use-calm-reload.ts";
import { useStream } from "../data/use-stream.ts";
import { withChain } from "../routing/with-chain.ts";
import { Title } from "../shell/title.tsx";
import { DayChart } from "../stats/day-chart.tsx";
import { useDays } from "../stats/days.ts";
import { Controls } from "./controls.tsx";
import { Feed, feedEvent } from "./feed.tsx";
import { List } from "./list.tsx";
import { Totals, useStats } from "./totals.tsx";
import { news, noteEvent, reloadView } from "./updates.ts";
import { view } from "./view.ts";

/** Milliseconds between two readings of the totals, while something happens. */
const totalsPace = 10_000;

/** All tokens, and what happens. */
export function HomePage() {
  const stats = useStats();
  const days = useDays();
  const reloadTotals = useReloadAfter(totalsPace, [stats, days]);
  useStream(
    {},
    {
      onEvent(event) {
        feedEvent(event);
        noteEvent(event);
        reloadTotals();
      },
      onGap() {
        void reloadView();
        void stats.reload();
        void days.reload();
      },
    },
  );
  const shown = view.value;
  useEffect(() => {
    // Another view is read anew, and has all that is new.
    if (shown) news.value = 0;
  }, [shown]);
  return (
    <>
      <Title>{shown.q === "" ? "Tokens" : `Search: ${shown.q}`}</Title>
      <h1 class="visually-hidden">Tokens</h1>
      <Totals stats={stats.data.value} />
      <div class="home-days">
        <DayChart small days={days.data.value?.days}>
          <a href={withChain("/stats")}>All numbers</a>
        </DayChart>
      </div>
      <div class="home">
        <section class="home-list" aria-label="Tokens">
          <Controls />
          <List />
        </section>
        <aside class="home-side">
          <Feed />
        </aside>
      </div>
    </>
  );
}
