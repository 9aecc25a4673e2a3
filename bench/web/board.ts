import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../test/browser/chromium.ts";
import { ensureBuilt } from "../../test/browser/explorer.ts";
import { runOnFixture } from "../api/run-on-fixture.ts";
import { startApi } from "../api/servers.ts";
import { describeMachine, formatMachine } from "../shared/machine.ts";
import { quantile } from "../shared/quantile.ts";

/* Measures scrolling the home page's board in a real browser, on the filled database of `bench:api` and with rate limits on. */

/** The duration of a frame at 60 per second. */
const frameMs = 1_000 / 60;

/** The limit for the 95th percentile of frame times: at most one frame is dropped. */
const maxP95Ms = 2 * frameMs;

const views = [
  { name: "cards", shown: ".card .cover" },
  { name: "table", shown: ".table .cover" },
];

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

async function measureView(browser: Browser, url: string, { name, shown }: (typeof views)[number]) {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  const answers = watchAnswers(page);
  await page.goto(url);
  if (name === "table") await page.getByRole("radio", { name: "Table" }).check();
  await page.locator(shown).first().waitFor();
  const frames = ((await page.evaluate(scroll)) as number[]).sort((one, other) => one - other);
  // The end of the list has been rendered, too.
  await page.locator(shown).last().waitFor();
  await context.close();
  const dropped = frames.reduce((sum, one) => sum + Math.max(0, Math.round(one / frameMs) - 1), 0);
  return {
    p50: quantile(frames, 0.5),
    p95: quantile(frames, 0.95),
    longest: frames.at(-1) ?? 0,
    frames: frames.length,
    dropped,
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

/** Measures, prints the results, and exits the process. */
export async function measureBoard(tokens: number, trades: number): Promise<never> {
  ensureBuilt();
  const size = { tokens, trades, databaseUrl: undefined };
  return await runOnFixture(
    () => size,
    async (_, { processes, fixture, log }) => {
      const server = await startApi(processes, fixture, {
        cacheMegabytes: undefined,
        profile: undefined,
        rateLimit: true,
      });
      log(formatMachine(describeMachine()));
      const browser = await launchChromium();
      try {
        for (const view of views) {
          const { p50, p95, longest, frames, dropped, requests, refused } = await measureView(
            browser,
            `http://127.0.0.1:${server.port}/`,
            view,
          );
          const times = [p50, p95, longest].map((one) => one.toFixed(1));
          log(
            `${view.name}: frames of ${times[0]} ms (p50), ${times[1]} ms (p95), ${times[2]} ms (longest), ${dropped} of ${frames} dropped; ${requests} requests, ${refused} refused with 429`,
          );
          if (p95 > maxP95Ms || refused > 0) process.exitCode = 1;
        }
      } finally {
        await browser.close();
      }
    },
  );
}
