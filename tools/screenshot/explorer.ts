import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { launchChromium } from "../../test/browser/chromium.ts";

/**
 * Takes the documentation's screenshots of the explorer on a running local stack: `npm run screenshot -- http://localhost:42069`. Names
 * in Chinese need a font that has them: one of the system's, or one in `node_modules/.cache/chromium-…/fonts`.
 */
const [url = "http://localhost:42069"] = process.argv.slice(2);
const folder = fileURLToPath(new URL("../../docs/images/", import.meta.url));

const pages = [
  {
    name: "explorer",
    at: () => "/",
    async isReady(page: Page) {
      await page.locator(".feed li").nth(10).waitFor();
      await page.locator("img.token-image").nth(5).waitFor();
    },
  },
  {
    name: "board",
    at: () => "/board",
    async isReady(page: Page) {
      await page.locator(".board-column:nth-child(3) img.token-image").nth(3).waitFor();
    },
  },
  {
    name: "token",
    at: mostTraded,
    async isReady(page: Page) {
      await page.getByRole("button", { name: "MA", exact: true }).click();
      await page.locator(".chart-legend .average-2").waitFor();
    },
  },
] as const;

async function mostTraded(): Promise<string> {
  const answer = await fetch(new URL("/api/tokens?board=listed&sort=trades&limit=1", url));
  const { tokens } = (await answer.json()) as { tokens: { mint: string }[] };
  return `/token/${tokens[0]?.mint}`;
}

const browser = await launchChromium();
try {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    colorScheme: "dark",
    reducedMotion: "reduce",
    // The explorer's policy forbids eval, by which waitForFunction runs its predicate.
    bypassCSP: true,
  });
  for (const { name, at, isReady } of pages) {
    const page = await context.newPage();
    await page.goto(new URL(await at(), url).href);
    await page.locator(".live.is-live").waitFor();
    await isReady(page);
    // Images that are requested for the first time have to be resized first.
    await page.waitForFunction(
      "[...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight).every((image) => image.complete && image.naturalWidth > 0)",
    );
    const file = path.join(folder, `${name}.png`);
    await page.screenshot({ path: file });
    console.log(path.relative(process.cwd(), file));
    await page.close();
  }
} finally {
  await browser.close();
}
