import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import type { Benchmark } from "../shared/benchmark.ts";
import { followLiveChain } from "../shared/live.ts";
import { request } from "../shared/load.ts";
import { median, tableOf } from "../shared/report.ts";
import { type PageName, pagesOf } from "./pages.ts";

/** The limit for the interaction to next paint, in milliseconds. */
const maxInpMs = 200;
/** The time between two blocks, in milliseconds, about that of BNB Smart Chain. */
const blockMs = 500;
/** How long each page is used. */
const useMs = 20_000;
/** The pause between two interactions, about that of somebody who knows the page. */
const pauseMs = 250;

type TradedMarket = Awaited<ReturnType<typeof openTradedMarket>>;

/** Starts a service on a chain with listed tokens, and trades them at the given rate until the benchmark ends. */
export async function openTradedMarket(benchmark: Benchmark, perSecond: number) {
  const { indexer, mints, mineTrades } = await followLiveChain(benchmark, { blockTime: blockMs });
  for (const mint of mints) await register(indexer.url, mint);
  const inBlock = Math.round((perSecond * blockMs) / 1_000);
  let trades = 0;
  setInterval(() => {
    mineTrades(inBlock);
    trades += inBlock;
  }, blockMs);
  return { url: indexer.url, mint: mints[0] ?? "", traded: () => trades };
}

async function register(url: string, mint: string): Promise<void> {
  const token = await request(`${url}/api/token/${mint}`);
  const { name, symbol, creator, burnPercent } = JSON.parse(token.text) as Record<string, unknown>;
  await request(`${url}/api/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ mint, name, symbol, creator, burnPercent }),
  });
}

/** An interaction: how long it took, what it was, and how much of that it waited for other work and then for its handlers. */
type Interaction = { duration: number; event: string; target: string; waited: number; handled: number };

/** Keeps the longest event of each interaction (click, tap or key), as the Interaction to Next Paint is defined. */
const observe = `
  window.interactions = new Map();
  const nameOf = (node) => {
    const shown = node?.closest?.("label, button, a, [role]") ?? node;
    return (shown?.getAttribute?.("aria-label") ?? shown?.textContent ?? shown?.nodeName ?? "").trim().slice(0, 20);
  };
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name: event, target, startTime, processingStart, processingEnd } of list.getEntries()) {
      if (interactionId === 0 || duration <= (interactions.get(interactionId)?.duration ?? 0)) continue;
      const waited = processingStart - startTime;
      interactions.set(interactionId, { duration, event, target: nameOf(target), waited, handled: processingEnd - processingStart });
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });`;

const radio = (name: string) => (page: Page) =>
  page.getByRole("radio", { name, exact: true }).first().click();
const tab = (name: RegExp) => (page: Page) => page.getByRole("tab", { name }).click();
const search = async (page: Page) => {
  await page.keyboard.press("/");
  await page.keyboard.type("to", { delay: 120 });
  await page.keyboard.press("Escape");
};

/** What a visitor does again and again on a page. */
const uses: Record<PageName, ((page: Page) => Promise<void>)[]> = {
  home: [
    radio("New"),
    radio("Table"),
    (page) => page.mouse.wheel(0, 800),
    search,
    radio("All"),
    radio("Cards"),
    radio("BNB"),
    radio("USD"),
  ],
  board: [
    (page) => page.locator(".filter-button").first().click(),
    (page) => page.keyboard.press("Escape"),
    (page) => page.locator(".board-card .star").first().click(),
    search,
    (page) => page.mouse.wheel(0, 400),
  ],
  token: [
    tab(/^Holders/),
    radio("5m"),
    tab(/^Top traders/),
    radio("Price"),
    tab(/^Trades/),
    radio("1m"),
    radio("MCap"),
    (page) => page.locator("#trade-amount").fill(""),
    (page) => page.locator("#trade-amount").click(),
    (page) => page.keyboard.type("0.01", { delay: 80 }),
    search,
  ],
};

/** Uses pages while trades arrive, and measures how soon each click and key shows. */
export async function measureTrades(browser: Browser, { url, mint, traded }: TradedMarket) {
  const results = [];
  const pages = pagesOf(mint);
  for (const name of Object.keys(pages) as PageName[]) {
    const { path, shown } = pages[name];
    const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
    await page.addInitScript({ content: observe });
    await page.goto(new URL(path, url).href);
    await page.locator(shown).first().waitFor();
    const [before, beganAt] = [traded(), performance.now()];
    while (performance.now() - beganAt < useMs) {
      for (const step of uses[name]) {
        await step(page);
        await delay(pauseMs);
      }
    }
    const perSecond = (1_000 * (traded() - before)) / (performance.now() - beganAt);
    const interactions = (await page.evaluate("[...interactions.values()]")) as Interaction[];
    await page.close();
    // Of every 50 interactions, the longest is left out: https://web.dev/articles/inp
    const longest = interactions.sort((one, other) => other.duration - one.duration);
    const durations = longest.map(({ duration }) => duration);
    const inp = durations[Math.floor(durations.length / 50)] ?? Number.NaN;
    const slowest = longest.slice(0, 3);
    results.push({ name, count: durations.length, median: median(durations), inp, perSecond, slowest });
  }
  const isMet = results.every(({ inp }) => inp <= maxInpMs);
  return {
    lines: [
      ...tableOf(
        results.map(({ name, perSecond, count, median, inp }) => ({
          "": name,
          "trades a second": perSecond.toFixed(0),
          interactions: String(count),
          "median, ms": median.toFixed(0),
          "INP, ms": inp.toFixed(0),
        })),
      ),
      "",
      ...tableOf(
        results.flatMap(({ name, slowest }) =>
          slowest.map(({ event, target, duration, waited, handled }) => ({
            slowest: `${name}: ${event} ${target}`,
            ms: duration.toFixed(0),
            "of which waiting": waited.toFixed(0),
            handlers: handled.toFixed(0),
            drawing: (duration - waited - handled).toFixed(0),
          })),
        ),
      ),
    ],
    data: { results },
    failure: isMet ? undefined : `an INP of at most ${maxInpMs} ms on every page`,
  };
}
