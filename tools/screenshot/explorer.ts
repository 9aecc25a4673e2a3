import path from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import sharp from "sharp";
import { launchChromium } from "../../test/browser/chromium.ts";

/**
 * Takes the documentation's screenshots of the explorer on a running local stack, in every language, on a desktop and on a phone:
 * `npm run screenshot -- http://localhost:42069`. Chinese needs a font that has it: put one into
 * `node_modules/.cache/chromium-…/fonts`.
 */
const [url = "http://localhost:42069"] = process.argv.slice(2);
const folder = fileURLToPath(new URL("../../docs/images/", import.meta.url));

const languages = { en: "en-GB", zh: "zh-CN" };
const devices = {
  desktop: { viewport: { width: 1_280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};

type Shown = { name: string; at: () => string | Promise<string>; isReady: (page: Page) => Promise<void> };

const pages: Shown[] = [
  {
    name: "home",
    at: () => "/",
    async isReady(page) {
      await page.locator(".feed li").nth(10).waitFor({ state: "attached" });
      await page.locator(".card img.token-image").nth(2).waitFor();
    },
  },
  {
    name: "board",
    at: () => "/board",
    isReady: (page) => page.locator(".board-column img.token-image").nth(3).waitFor(),
  },
  {
    name: "token",
    at: async () => `/token/${await first("tokens?board=listed&sort=trades", "mint")}`,
    async isReady(page) {
      await page.locator(".chart-tool", { hasText: "MA" }).click();
      await page.locator(".chart-legend .average-2").waitFor();
    },
  },
  {
    name: "account",
    at: async () => `/account/${await first("leaderboard?by=realised", "address")}`,
    async isReady(page) {
      await page.locator(".results-by-day rect").first().waitFor({ state: "attached" });
      await page.locator(".rows tbody tr").first().waitFor();
    },
  },
  {
    name: "leaderboard",
    at: () => "/leaderboard",
    isReady: (page) => page.locator(".rows tbody tr").first().waitFor(),
  },
  {
    name: "stats",
    at: () => "/stats",
    isReady: (page) => page.locator(".days-bars .day").first().waitFor(),
  },
  { name: "create", at: () => "/create", isReady: (page) => page.locator(".create form").waitFor() },
];

/** A field of the first entry of a list. */
async function first(list: string, field: string): Promise<string> {
  const answer = await fetch(new URL(`/api/${list}&limit=1`, url));
  const [entries] = Object.values((await answer.json()) as Record<string, unknown>).filter(Array.isArray);
  return String((entries as Record<string, unknown>[])[0]?.[field]);
}

async function take(context: BrowserContext, { name, at, isReady }: Shown, suffix: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(new URL(await at(), url).href);
  await page.locator("[data-drawn]").waitFor({ state: "detached" });
  await page.locator("main h1, .controls").first().waitFor({ state: "attached" });
  await isReady(page);
  // Images that are requested for the first time have to be resized first.
  await page.waitForFunction(
    "[...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight).every((image) => image.complete && image.naturalWidth > 0)",
  );
  const file = path.join(folder, `${name}${suffix}.webp`);
  await sharp(await page.screenshot())
    .webp({ quality: 80, effort: 6 })
    .toFile(file);
  console.log(path.relative(process.cwd(), file));
  await page.close();
}

const browser = await launchChromium();
try {
  for (const [language, locale] of Object.entries(languages)) {
    for (const [device, options] of Object.entries(devices)) {
      const context = await browser.newContext({
        ...options,
        locale,
        colorScheme: "dark",
        reducedMotion: "reduce",
        // The explorer's policy forbids eval, by which waitForFunction runs its predicate.
        bypassCSP: true,
      });
      const suffix = `${device === "desktop" ? "" : `-${device}`}${language === "en" ? "" : `-${language}`}`;
      for (const page of pages) await take(context, page, suffix);
      await context.close();
    }
  }
} finally {
  await browser.close();
}
