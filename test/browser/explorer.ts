import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { programEnvironment } from "../service/program-environment.ts";
import { launchChromium } from "./chromium.ts";

/* The explorer in a real browser. */

export type Explorer = Awaited<ReturnType<typeof openExplorer>>;

const reportViolations = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("violation of " + event.effectiveDirective + " by " + event.blockedURI));`;

/** Milliseconds to wait for something that is immediate except on a busy machine. */
const busyMs = 100_000;

/** Has `route.fetch` try again, as the browser itself would, if the service has closed the connection meanwhile. */
export const retried = { maxRetries: 2 };

/** Builds the explorer if necessary: `npm ci` does, but a checkout that shares another one's packages may lack it. */
export function ensureBuilt(): void {
  if (existsSync(path.join(projectDir, "web/dist/index.html"))) return;
  // The test runner's NODE_ENV would make a different build.
  execFileSync(process.execPath, [path.join(projectDir, "web/build.ts")], { env: programEnvironment() });
}

/** Opens a browser for a service's explorer. */
export async function openExplorer(url: string) {
  ensureBuilt();
  const browser: Browser = await launchChromium();
  const { origin } = new URL(url);
  const problems: string[] = [];

  /** Resolves once the page's code has taken over what the server has drawn, which answers no click. */
  async function goto(page: Page, at: string): Promise<void> {
    await page.goto(new URL(at, url).href);
    await page.locator("[data-drawn]").waitFor({ state: "detached" });
  }

  return {
    browser,
    /** What pages must not do: errors, violations of the Content-Security-Policy, and requests to other hosts. */
    problems,
    /** Opens a path in a new browser context. */
    async open(at: string, options: BrowserContextOptions & { init?: string } = {}) {
      const { init, ...contextOptions } = options;
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        // A placeholder that shimmers is drawn sixty times a second, as long as its page waits for the service.
        reducedMotion: "reduce",
        ...contextOptions,
      });
      context.setDefaultTimeout(busyMs);
      await context.addInitScript({ content: reportViolations });
      if (init !== undefined) await context.addInitScript({ content: init });
      const page = await context.newPage();
      page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
      page.on("console", (message) => {
        // Failed requests are part of some tests.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
          problems.push(message.text());
        }
      });
      page.on("dialog", (dialog) => {
        problems.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("request", (request) => {
        if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== origin) {
          problems.push(`request to ${request.url()}`);
        }
      });
      await goto(page, at);
      return page;
    },
    /** Opens a path in an open page as on a first visit, with nothing stored. A new page's process takes longer to start than this. */
    async revisit(page: Page, at: string): Promise<void> {
      if (page.url().startsWith(origin)) await page.evaluate("localStorage.clear()");
      await goto(page, at);
    },
    close: () => browser.close(),
  };
}
