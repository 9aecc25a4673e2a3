import { readFile } from "node:fs/promises";
import path from "node:path";
import { Hono } from "hono";
import type { Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { createFirstScreen } from "../../src/api/explorer/first-screen.ts";
import { plainText } from "../../web/src/format/plain-text.ts";
import { type Explorer, openExplorer } from "../browser/explorer.ts";
import { hostileLink, hostileMarkup } from "../fuzz/hostile-tokens.ts";
import { sized } from "../run/long-run.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient } from "../service/rest-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* Tokens whose texts attack whatever page shows them. */

const count = sized({ usual: 24, long: 500 });

let shared: SharedService;
let explorer: Explorer;
const tokens: { mint: Address; name: string; symbol: string; description: string; website: string }[] = [];

beforeAll(async () => {
  shared = await sharedService();
  const { chain, service } = shared;
  const [creator] = chain.traders;
  const rest = await createRestClient(service.indexer.url);
  for (let index = 0; index < count; index++) {
    const name = cut(hostileMarkup(index), 64);
    const symbol = cut(hostileMarkup(index + 7), 16);
    const mint = await chain.create(creator, name, symbol);
    tokens.push({ mint, name, symbol, description: hostileMarkup(index + 13), website: hostileLink(index) });
  }
  await service.indexer.untilIndexed(56, await chain.head());
  for (const { mint, name, symbol, description, website } of tokens) {
    const body = registrationOf(mint, creator, { name, symbol, description, websiteUrl: website });
    const { status } = await rest.post("/api/tokens", body);
    // The API refuses links that no browser should follow, but the page must not rely on that.
    if (status === 400)
      await rest.post("/api/tokens", registrationOf(mint, creator, { name, symbol, description }));
  }
  explorer = await openExplorer(service.indexer.url);
});

afterAll(() => explorer?.close());

/** Shortens a text to at most this many bytes, without splitting a character. */
function cut(text: string, bytes: number): string {
  let short = text;
  while (Buffer.byteLength(short) > bytes) short = [...short].slice(0, -1).join("");
  return short;
}

test("the list shows their texts, and nothing runs", async () => {
  const page = await explorer.open("/?sort=newest");
  await page.getByRole("radio", { name: "Table" }).check();
  for (const view of ["Table", "Cards"]) {
    await page.getByRole("radio", { name: view }).check();
    for (let top = 0; top < count / 4; top += 1) {
      await page.mouse.wheel(0, 500);
      await page.locator("a.cover").first().waitFor();
    }
    const width = await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect(width).toBe(0);
  }
  await page.context().close();
  expect(explorer.problems).toEqual([]);
});

test("what the server draws of them, before the page's code, is text too", async () => {
  const code = await readFile(path.join(projectDir, "web/dist/.vite/home.js"), "utf8");
  const drawnAtOnce = 12;
  const page = await (await explorer.browser.newContext({ javaScriptEnabled: false })).newPage();
  for (let from = 0; from < tokens.length; from += drawnAtOnce) {
    const shown = tokens.slice(from, from + drawnAtOnce);
    // A list of nothing but such tokens, of those that could be registered.
    const query = new URLSearchParams({ mint: shown.map(({ mint }) => mint).join() });
    const answer = await (await fetch(new URL(`/api/tokens?${query}`, shared.service.indexer.url))).text();
    const listed = (JSON.parse(answer) as { tokens: { name: string }[] }).tokens;
    expect(listed.length).toBeGreaterThan(shown.length / 2);
    const service = new Hono().get("/api/tokens", (c) => c.body(answer));
    const drawFirstScreen = createFirstScreen({
      service: () => service,
      meta: { brand: JSON.stringify({ name: "Launchpad", links: [] }) },
    });
    const app = new Hono().get("/", async (c) => c.json(await drawFirstScreen(c, "en", code)));
    const { html } = (await (await app.request("/")).json()) as { html: string };
    // Without the Content-Security-Policy, which would stop an attack even if this let it through.
    await page.setContent(html);
    const names = page.locator(".card .cover bdi");
    expect(await names.allInnerTexts()).toEqual(listed.map(({ name }) => plainText(name, 80) || "(no name)"));
    expect(await page.locator(":is(script, iframe, object, embed, base, meta, style, link)").count()).toBe(0);
    const attributes = await page
      .locator("*")
      .evaluateAll((all) => all.flatMap((element) => element.getAttributeNames()));
    expect(attributes.filter((name) => /^on|^style$|^srcdoc$/.test(name))).toEqual([]);
    const links = await page.locator("a").evaluateAll((all) => all.map((a) => a.getAttribute("href") ?? ""));
    for (const href of links) expect(href).toMatch(/^(https?:\/)?\/|^#main$/);
  }
  await page.context().close();
});

test("each token's page shows its words as text, and no forbidden link", async () => {
  const page = await explorer.open("about:blank");
  // Every second one has each text as its name or as its description.
  const visited = sized({ usual: tokens.filter((_, index) => index % 2 === 0), long: tokens });
  for (const { mint, name } of visited) {
    await page.goto(new URL(`/token/${mint}`, shared.service.indexer.url).href);
    const title = page.locator("main h1 bdi").first();
    await title.waitFor();
    expect(await title.innerText()).toBe(plainText(name, 80) || "(no name)");
    const links = await page
      .locator("main a.external")
      .evaluateAll((all) => all.map((link) => [link.getAttribute("href") ?? "", link.getAttribute("rel")]));
    for (const [href, rel] of links) {
      expect(href).toMatch(/^https?:\/\//);
      expect(new URL(href ?? "").username).toBe("");
      expect(rel).toMatch(/^noopener noreferrer nofollow/);
    }
    // Elements that a successful attack would have injected.
    expect(
      await page.locator("main :is(script, iframe, object, embed, base, meta, style, link)").count(),
    ).toBe(0);
    const width = await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect(width).toBe(0);
  }
  await page.context().close();
  expect(explorer.problems).toEqual([]);
});

test("an injected script is blocked, and the test browser reports it", async () => {
  const page = await explorer.open("/");
  await page.locator(".card .cover").first().waitFor();
  await page
    .evaluate(`(() => {
      const script = document.createElement("script");
      script.append("window.wasAttacked = true");
      document.body.append(script);
    })()`)
    .catch(() => {});
  expect(await page.evaluate("window.wasAttacked")).toBeUndefined();
  await expect.poll(() => explorer.problems.length).toBeGreaterThan(0);
  await page.context().close();
});
