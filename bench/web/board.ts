import type { Browser } from "playwright-core";
import { median, quantile } from "../shared/report.ts";

const viewport = { width: 1_280, height: 900 };
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

/** Scrolls the home page's board, as cards and as a table. */
export async function measureBoard(browser: Browser, url: string) {
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
  const page = await browser.newPage({ viewport });
  const statuses: number[] = [];
  page.on("response", (response) => void statuses.push(response.status()));
  await page.goto(url);
  // What the server has drawn answers no click.
  await page.locator("[data-drawn]").waitFor({ state: "detached" });
  if (name === "table") await page.getByRole("radio", { name: "Table" }).check();
  await page.locator(shown).first().waitFor();
  const frames = (await page.evaluate(scroll)) as number[];
  // The end of the list has been rendered, too.
  await page.locator(shown).last().waitFor();
  await page.close();
  return {
    name,
    p50: median(frames),
    p95: quantile(frames, 0.95),
    longest: quantile(frames, 1),
    frames: frames.length,
    dropped: frames.reduce((sum, one) => sum + Math.max(0, Math.round(one / frameMs) - 1), 0),
    requests: statuses.length,
    refused: statuses.filter((status) => status === 429).length,
  };
}
