import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, startHttpServer } from "../doubles/http-server.ts";
import { axeViolations, bothThemes } from "./axe-violations.ts";
import { launchChromium } from "./chromium.ts";

/* What browser tests rely on. */

let browser: Awaited<ReturnType<typeof launchChromium>>;
const servers: HttpServer[] = [];

async function serve(headers: Record<string, string>): Promise<string> {
  const server = await startHttpServer(async () => ({ status: 200, body: "<span>Otter</span>", headers }));
  servers.push(server);
  return server.url;
}

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await Promise.all(servers.map((server) => server.close()));
});

test("a page can read from other origins only what CORS allows", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(await serve({ "content-type": "text/html" }));
  const read = (url: string) =>
    page.evaluate(async (from) => {
      const answer = await fetch(from).catch(() => undefined);
      return await answer?.text();
    }, url);
  expect(await read(await serve({}))).toBeUndefined();
  expect(await read(await serve({ "access-control-allow-origin": "*" }))).toBe("<span>Otter</span>");
  await context.close();
});

test("pages have fonts", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(await serve({ "content-type": "text/html" }));
  const box = await page.locator("span").boundingBox();
  expect(box?.width).toBeGreaterThan(10);
  await context.close();
});

test("axe's findings are reported: all in the light theme, and those about colours in the dark one", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.setContent(`<!doctype html><html lang="en"><title>Otter</title>
    <style>@media (prefers-color-scheme: dark) { body { background: #000 } p { color: #222 } }</style>
    <main><h1 hidden>Otter</h1><img src="data:,"><p>Otter</p></main>`);
  const found = (await axeViolations(page, bothThemes)).map((violation) => violation.replace(/^.*?, /, ""));
  expect(found).toContain('light: image-alt: <img src="data:,">');
  expect(found.filter((violation) => violation.startsWith("dark"))).toEqual([
    "dark: color-contrast: <p>Otter</p>",
  ]);
  // A second time, axe is already in the page.
  expect((await axeViolations(page, bothThemes)).length).toBe(found.length);
  await context.close();
});
