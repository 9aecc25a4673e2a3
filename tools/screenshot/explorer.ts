import path from "node:path";
import { fileURLToPath } from "node:url";
import { launchChromium } from "../../test/browser/chromium.ts";

/** Takes the README's screenshot of the explorer on a running local stack: `npm run screenshot -- http://localhost:42069`. */
const [url = "http://localhost:42069"] = process.argv.slice(2);
const file = fileURLToPath(new URL("../../docs/images/explorer.png", import.meta.url));

const browser = await launchChromium();
try {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    colorScheme: "dark",
    reducedMotion: "reduce",
    // The explorer's policy forbids eval, by which waitForFunction runs its predicate.
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator(".live.is-live").waitFor();
  await page.locator(".feed li").nth(10).waitFor();
  await page.locator("img.token-image").nth(5).waitFor();
  // Images that are requested for the first time have to be resized first.
  await page.waitForFunction(
    "[...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight).every((image) => image.complete && image.naturalWidth > 0)",
  );
  await page.screenshot({ path: file });
  console.log(path.relative(process.cwd(), file));
} finally {
  await browser.close();
}
