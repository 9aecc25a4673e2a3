import type { Browser } from "playwright-core";
import { launchChromium } from "../../test/browser/chromium.ts";
import { readFlags, wholeNumber } from "../shared/command-line.ts";
import { describeMachine, formatMachine } from "../shared/machine.ts";
import { median } from "../shared/quantile.ts";
import { measureBoard } from "./board.ts";

/* Measures cold loads of the explorer in a real browser, on a running service: when the content shows, and how much is transferred. */

const flags = readFlags({
  url: { type: "string", default: "http://localhost:42069" },
  rounds: { type: "string", default: "9" },
  board: { type: "boolean", default: false },
  tokens: { type: "string", default: "100000" },
  trades: { type: "string", default: "300000" },
});
if (flags.board) {
  await measureBoard(
    wholeNumber("--tokens", flags.tokens, 1_000),
    wholeNumber("--trades", flags.trades, 1_000),
  );
}
const rounds = wholeNumber("--rounds", flags.rounds);

/** The limits for the home page. */
const maxMilliseconds = 1_000;
const maxKilobytes = 150;

const answer = await fetch(new URL("/api/tokens?limit=1", flags.url)).catch((error: Error) => {
  console.error(`Nothing answers at ${flags.url} (${error.message}): start npm run dev, or pass --url.`);
  process.exit(1);
});
const { tokens } = (await answer.json()) as { tokens: { mint: string }[] };
const pages = [
  { name: "home", path: "/", shown: ".card .cover" },
  { name: "token", path: `/token/${tokens[0]?.mint}`, shown: ".chart canvas" },
];

/** The milliseconds until the content shows, and the kilobytes transferred until the page is quiet. */
async function load(browser: Browser, { path, shown }: (typeof pages)[number]) {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const before = performance.now();
  await page.goto(new URL(path, flags.url).href, { waitUntil: "commit" });
  await page.locator(shown).first().waitFor();
  const milliseconds = performance.now() - before;
  await page.waitForLoadState("load");
  await page.waitForTimeout(1_000);
  await context.close();
  return { milliseconds, kilobytes: bytes / 1_000 };
}

console.log(formatMachine(describeMachine()));
const browser = await launchChromium();
try {
  for (const page of pages) {
    // The first load warms up the browser and the service, but not the page's cache.
    await load(browser, page);
    const loads = [];
    for (let round = 0; round < rounds; round++) loads.push(await load(browser, page));
    const milliseconds = median(loads.map((one) => one.milliseconds));
    const kilobytes = median(loads.map((one) => one.kilobytes));
    console.log(
      `${page.name}: content after ${milliseconds.toFixed(0)} ms, ${kilobytes.toFixed(0)} kB transferred`,
    );
    if (page.name === "home" && (milliseconds > maxMilliseconds || kilobytes > maxKilobytes)) {
      console.error(`at most ${maxMilliseconds} ms and ${maxKilobytes} kB`);
      process.exitCode = 1;
    }
  }
} finally {
  await browser.close();
}
