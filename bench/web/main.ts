import type { Browser } from "playwright-core";
import { launchChromium } from "../../test/browser/chromium.ts";
import { ensureBuilt } from "../../test/browser/explorer.ts";
import { fixtureFlags, openFixture } from "../fixture/fixture.ts";
import { runBenchmark } from "../shared/benchmark.ts";
import { textOr, toggle, whole } from "../shared/options.ts";
import { startService } from "../shared/ponder.ts";
import { measureBoard } from "./board.ts";
import { measureLoads } from "./loads.ts";
import { measureTrades, openTradedMarket } from "./trades.ts";

/*
 * Measures the explorer in a real browser: cold loads of a running service; with --trading, how soon it answers clicks and keys while
 * trades arrive; with --board, scrolling the home page's board on the filled database of `bench:api`, with rate limits on.
 */

const flags = {
  url: textOr("http://localhost:42069"),
  rounds: whole(9),
  trading: toggle(),
  perSecond: whole(50),
  board: toggle(),
  ...fixtureFlags(100_000, 300_000),
};

await runBenchmark(flags, async (options, benchmark) => {
  if (options.trading) {
    ensureBuilt();
    const market = await openTradedMarket(benchmark, options.perSecond);
    return await withBrowser((browser) => measureTrades(browser, market));
  }
  if (!options.board) return await withBrowser((browser) => measureLoads(browser, options));
  ensureBuilt();
  const fixture = await openFixture(benchmark, options);
  const { url } = await startService(benchmark, { ...fixture, rateLimit: true });
  return await withBrowser((browser) => measureBoard(browser, url));
});

async function withBrowser<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await launchChromium();
  return await work(browser).finally(() => browser.close());
}
