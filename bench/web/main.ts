import type { Browser, Page } from "playwright-core";
import { StartError } from "../runtime/start-error.ts";
import { launchChromium } from "../test/browser/chromium.ts";
import { ensureBuilt } from "../test/browser/explorer.ts";
import { fixtureFlags, openFixture } from "./fixture/fixture.ts";
import { runBenchmark } from "./shared/benchmark.ts";
import { textOr, toggle, whole } from "./shared/options.ts";
import { median, quantile } from "./shared/report.ts";
import { startService } from "./shared/service.ts";

/*
 * Measures the explorer in a real browser: cold loads of a running service, or with --board scrolling the home page's board, on the
 * filled database of `bench:api` and with rate limits on.
 */

const viewport = { width: 1_280, height: 900 };
/** The limits for a cold load of the home page. */
const aims = { milliseconds: 1_000, kilobytes: 150 };
/** The duration of a frame at 60 per second. */
const frameMs = 1_000 / 60;
/** The limit for the 95th percentile of frame times: at most one frame is dropped. */
const maxP95Ms = 2 * frameMs;

/**
 * Scrolls at various speeds with a pause after each fling, as a finger does, then jumps to the middle and to the end. Returns the
 * milliseconds of each frame.
 */
const scroll = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const frames = [];
  let last = await frame();
  const until = async (milliseconds, step) => {
    const end = last + milliseconds;
    while (last < end) {
      window.scrollBy(0, step);
      const now = await frame();
      frames.push(now - last);
      last = now;
    }
  };
  for (const speed of [20, 60, 120, 400, 1500, 400, 120, 60, 20, 120]) {
    await until(1500, speed);
    await until(500, 0);
  }
  for (const share of [0.5, 1]) {
    window.scrollTo(0, share * document.documentElement.scrollHeight);
    await until(1500, 0);
  }
  return frames;
})()`;

const flags = {
  url: textOr("http://localhost:42069"),
  rounds: whole(9),
  board: toggle(),
  ...fixtureFlags(100_000, 300_000),
};

await runBenchmark(flags, async (options, benchmark) => {
  if (!options.board) return await withBrowser((browser) => measureLoads(browser, options));
  ensureBuilt();
  const fixture = await openFixture(benchmark, options);
  const { url } = await startService(benchmark, fixture, { rateLimit: true });
  return await withBrowser((browser) => measureBoard(browser, url));
});

async function withBrowser<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await launchChromium();
  return await work(browser).finally(() => browser.close());
}

async function measureLoads(browser: Browser, { url, rounds }: { url: string; rounds: number }) {
  const answer = await fetch(new URL("/api/tokens?limit=1", url)).catch((error: Error) => {
    throw new StartError(
      "failed",
      `Nothing answers at ${url} (${error.message}): start npm run dev, or pass --url`,
    );
  });
  const { tokens } = (await answer.json()) as { tokens: { mint: string }[] };
  const pages = [
    { name: "home", path: "/", shown: ".card .cover" },
    { name: "token", path: `/token/${tokens[0]?.mint}`, shown: ".chart canvas" },
  ];
  const results = [];
  for (const { name, path, shown } of pages) {
    const href = new URL(path, url).href;
    // The first load warms up the browser and the service, but not the page's cache.
    await load(browser, href, shown);
    const loads = [];
    for (let round = 0; round < rounds; round++) loads.push(await load(browser, href, shown));
    const milliseconds = median(loads.map((one) => one.milliseconds));
    const kilobytes = median(loads.map((one) => one.kilobytes));
    results.push({ name, milliseconds, kilobytes });
  }
  const [home] = results;
  const isMet = home && home.milliseconds <= aims.milliseconds && home.kilobytes <= aims.kilobytes;
  return {
    lines: results.map(
      ({ name, milliseconds, kilobytes }) =>
        `${name}: content after ${milliseconds.toFixed(0)} ms, ${kilobytes.toFixed(0)} kB transferred`,
    ),
    data: { results },
    failure: isMet ? undefined : `at most ${aims.milliseconds} ms and ${aims.kilobytes} kB for the home page`,
  };
}

/** The milliseconds until the content shows, and the kilobytes transferred until the page is quiet. */
async function load(browser: Browser, url: string, shown: string) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const before = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await page.locator(shown).first().waitFor();
  const milliseconds = performance.now() - before;
  await page.waitForLoadState("load");
  await page.waitForTimeout(1_000);
  await context.close();
  return { milliseconds, kilobytes: bytes / 1_000 };
}

async function measureBoard(browser: Browser, url: string) {
  const views = [await measureView(browser, url, "cards"), await measureView(browser, url, "table")];
  const isMet = views.every(({ p95, refused }) => p95 <= maxP95Ms && refused === 0);
  return {
    lines: views.map(({ name, p50, p95, longest, dropped, frames, requests, refused }) => {
      const times = [p50, p95, longest].map((ms) => ms.toFixed(1));
      return `${name}: frames of ${times[0]} ms (p50), ${times[1]} ms (p95), ${times[2]} ms (longest), ${dropped} of ${frames} dropped; ${requests} requests, ${refused} refused with 429`;
    }),
    data: { views },
    failure: isMet ? undefined : `a p95 of at most ${maxP95Ms.toFixed(1)} ms, and no request refused`,
  };
}

async function measureView(browser: Browser, url: string, name: "cards" | "table") {
  const shown = name === "cards" ? ".card .cover" : ".table .cover";
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const answers = watchAnswers(page);
  await page.goto(url);
  if (name === "table") await page.getByRole("radio", { name: "Table" }).check();
  await page.locator(shown).first().waitFor();
  const frames = (await page.evaluate(scroll)) as number[];
  // The end of the list has been rendered, too.
  await page.locator(shown).last().waitFor();
  await context.close();
  return {
    name,
    p50: median(frames),
    p95: quantile(frames, 0.95),
    longest: quantile(frames, 1),
    frames: frames.length,
    dropped: frames.reduce((sum, one) => sum + Math.max(0, Math.round(one / frameMs) - 1), 0),
    ...answers,
  };
}

function watchAnswers(page: Page) {
  const seen = { requests: 0, refused: 0 };
  page.on("response", (response) => {
    seen.requests++;
    if (response.status() === 429) seen.refused++;
  });
  return seen;
}
