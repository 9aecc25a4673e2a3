import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import type { Benchmark } from "../shared/benchmark.ts";
import { createDatabase } from "../shared/database.ts";
import { ours, startIndexer } from "../shared/indexer.ts";
import { openLiveMarket } from "../shared/live-market.ts";
import { startNode } from "../shared/node.ts";
import { median, table } from "../shared/report.ts";

/** The limit for the interaction to next paint, in milliseconds. */
const maxInpMs = 200;
/** The time between two blocks, in milliseconds, about that of BNB Smart Chain. */
const blockMs = 500;
/** How long each page is used. */
const useMs = 20_000;
/** The pause between two interactions, about that of somebody who knows the page. */
const pauseMs = 250;

type TradedMarket = { url: string; mint: string; stop(): Promise<void>; traded(): number };

/** Starts a service on a chain with listed tokens, and trades them at the given rate until it is stopped. */
export async function openTradedMarket(benchmark: Benchmark, perSecond: number): Promise<TradedMarket> {
  const { adminUrl } = await benchmark.startPostgres();
  const node = await startNode(benchmark);
  const market = await openLiveMarket(node);
  const { rpcUrl } = node;
  const indexer = await startIndexer(benchmark, ours, {
    databaseUrl: await createDatabase(adminUrl, "bench_web"),
    schema: "bench",
    rpcUrl,
    deployment: market.deployment,
  });
  await indexer.untilReady();
  const url = `http://127.0.0.1:${indexer.port}`;
  for (const mint of market.tokens) await register(url, mint);

  let isStopped = false;
  let trades = 0;
  const trade = async () => {
    while (!isStopped) {
      const next = delay(blockMs);
      const inBlock = Math.round((perSecond * blockMs) / 1_000);
      await market.mine(inBlock);
      trades += inBlock;
      await next;
    }
  };
  const trading = trade();
  // Reported by stop().
  trading.catch(() => {});
  return {
    url,
    mint: market.tokens[0] ?? "",
    traded: () => trades,
    async stop() {
      isStopped = true;
      await trading;
    },
  };
}

async function register(url: string, mint: string): Promise<void> {
  const { name, symbol, creator, burnPercent } = await untilIndexed(url, mint);
  const answer = await fetch(new URL("/api/tokens", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ mint, name, symbol, creator, burnPercent }),
  });
  if (!answer.ok) throw new Error(`${mint} could not be registered: ${await answer.text()}`);
}

/** How long the index may take to follow the chain's last blocks. */
const maxWaitMs = 60_000;

async function untilIndexed(url: string, mint: string): Promise<Record<string, unknown>> {
  for (const end = performance.now() + maxWaitMs; performance.now() < end; await delay(200)) {
    const token = await fetch(new URL(`/api/token/${mint}`, url));
    if (token.ok) return (await token.json()) as Record<string, unknown>;
  }
  throw new Error(`${mint} was not indexed in time`);
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
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });`;

/** What a visitor does again and again on a page. */
type Use = {
  name: string;
  path: (mint: string) => string;
  shown: string;
  steps: ((page: Page) => Promise<void>)[];
};

const radio = (name: string) => (page: Page) =>
  page.getByRole("radio", { name, exact: true }).first().click();
const tab = (name: RegExp) => (page: Page) => page.getByRole("tab", { name }).click();
const search = async (page: Page) => {
  await page.keyboard.press("/");
  await page.keyboard.type("to", { delay: 120 });
  await page.keyboard.press("Escape");
};

const uses: Use[] = [
  {
    name: "home",
    path: () => "/",
    shown: ".card .cover",
    steps: [
      radio("New"),
      radio("Table"),
      (page) => page.mouse.wheel(0, 800),
      search,
      radio("All"),
      radio("Cards"),
      radio("BNB"),
      radio("USD"),
    ],
  },
  {
    name: "board",
    path: () => "/board",
    shown: ".board-card .cover",
    steps: [
      (page) => page.locator(".filter-button").first().click(),
      (page) => page.keyboard.press("Escape"),
      (page) => page.locator(".board-card .star").first().click(),
      search,
      (page) => page.mouse.wheel(0, 400),
    ],
  },
  {
    name: "token",
    path: (mint) => `/token/${mint}`,
    shown: ".chart canvas",
    steps: [
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
  },
];

/** Uses pages while trades arrive, and measures how soon each click and key shows. */
export async function measureTrades(browser: Browser, { url, mint, traded }: TradedMarket) {
  const results = [];
  for (const { name, path, shown, steps } of uses) {
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
    await context.addInitScript({ content: observe });
    const page = await context.newPage();
    await page.goto(new URL(path(mint), url).href);
    await page.locator(shown).first().waitFor();
    const [before, beganAt] = [traded(), performance.now()];
    while (performance.now() - beganAt < useMs) {
      for (const step of steps) {
        await step(page);
        await delay(pauseMs);
      }
    }
    const perSecond = (1_000 * (traded() - before)) / (performance.now() - beganAt);
    const interactions = (await page.evaluate("[...interactions.values()]")) as Interaction[];
    const shifts = (await page.evaluate("shifts")) as number;
    await context.close();
    // Of every 50 interactions, the longest is left out: https://web.dev/articles/inp
    const longest = interactions.sort((one, other) => other.duration - one.duration);
    const durations = longest.map(({ duration }) => duration);
    const inp = durations[Math.min(durations.length - 1, Math.floor(durations.length / 50))] ?? Number.NaN;
    const slowest = longest.slice(0, 3);
    results.push({
      name,
      interactions: durations.length,
      median: median(durations),
      inp,
      shifts,
      perSecond,
      slowest,
    });
  }
  const isMet = results.every(({ inp }) => inp <= maxInpMs);
  return {
    lines: [
      ...table([
        ["", "trades a second", "interactions", "median, ms", "INP, ms"],
        ...results.map(({ name, perSecond, interactions, median: middle, inp }) => [
          name,
          ...[perSecond, interactions, middle, inp].map((value) => value.toFixed(0)),
        ]),
      ]),
      "",
      ...table([
        ["slowest", "ms", "of which waiting", "handlers", "drawing"],
        ...results.flatMap(({ name, slowest }) =>
          slowest.map(({ event, target, duration, waited, handled }) => [
            `${name}: ${event} ${target}`,
            ...[duration, waited, handled, duration - waited - handled].map((value) => value.toFixed(0)),
          ]),
        ),
      ]),
    ],
    data: { results },
    failure: isMet ? undefined : `an INP of at most ${maxInpMs} ms on every page`,
  };
}
