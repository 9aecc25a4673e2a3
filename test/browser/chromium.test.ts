import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, startHttpServer } from "../doubles/http-server.ts";
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
