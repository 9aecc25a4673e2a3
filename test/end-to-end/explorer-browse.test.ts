import pg from "pg";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createModerationStore } from "../../offchain/moderation-store.ts";
import { axeViolations } from "../browser/axe-violations.ts";
import { type Explorer, openExplorer } from "../browser/explorer.ts";
import { graduatingAmount } from "../chain/launchpad-chain.ts";
import { onlyInLongRun, sized } from "../run/long-run.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient } from "../service/rest-client.ts";
import { encode, picture } from "../service/sample-images.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* The explorer's pages in a real browser: browsing, searching and live updates. */

let shared: SharedService;
let explorer: Explorer;
let otter: Address;
let graduated: Address;
type OpenApiPath = { get?: { parameters: { name: string; schema: { enum?: string[] } }[] } };
const bought = 10n ** 15n;

beforeAll(async () => {
  shared = await sharedService();
  const { chain, service } = shared;
  const [creator, trader] = chain.traders;
  otter = lowerCase(await chain.create(creator, "Rowing Otter", "ROWOTTER"));
  graduated = lowerCase(await chain.create(creator, "Rowing Badger", "ROWBADGER"));
  await chain.buy(trader, otter, bought);
  await chain.buy(trader, graduated, 2n * graduatingAmount);
  const rest = await createRestClient(service.indexer.url);
  const links = { description: "Rows upstream.", websiteUrl: "https://otter.example/about" };
  for (const [mint, name, symbol] of [
    [otter, "Rowing Otter", "ROWOTTER"],
    [graduated, "Rowing Badger", "ROWBADGER"],
  ] as const) {
    await rest.post("/api/tokens", registrationOf(mint, creator, { name, symbol, ...links }));
  }
  await service.indexer.untilIndexed(56, await chain.head());
  explorer = await openExplorer(service.indexer.url);
});

afterAll(() => explorer?.close());

/** Timeout for changes that travel through chain, index and stream. */
const liveTimeout = { timeout: 100_000 };
const lowerCase = (address: Address) => address.toLowerCase() as Address;
const otterPage = () => `/token/${otter}`;
const card = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });
/** Runs a test on a page of its own, and closes the page afterwards. */
async function usingPage<Answer>(page: Page, use: () => Promise<Answer>): Promise<Answer> {
  try {
    return await use();
  } finally {
    await page.context().close();
  }
}

let tab: Page | undefined;

/** Runs a test in the tab that these tests share, from a path opened as on a first visit. After a failure, the next test gets another. */
async function inTab(at: string, use: (page: Page) => Promise<void>): Promise<void> {
  tab ??= await explorer.open("about:blank");
  try {
    await explorer.revisit(tab, at);
    await use(tab);
  } catch (error) {
    await tab.context().close();
    tab = undefined;
    throw error;
  }
}

test("a user finds a token by typing, opens it, and goes back to the results", async () => {
  await inTab("/", async (page) => {
    await page.getByRole("searchbox").fill("rowing ot");
    await card(page, "Rowing Otter").waitFor();
    await page.waitForURL((url) => url.searchParams.get("q") === "rowing ot");
    await expect.poll(() => page.getByRole("listitem").filter({ hasText: "Rowing" }).count()).toBe(1);
    await page.getByRole("link", { name: "Rowing Otter" }).click();
    await page.getByRole("heading", { level: 1, name: "Rowing Otter" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(otterPage());
    expect(await page.title()).toBe("Rowing Otter (ROWOTTER) · Launchpad");
    await page.goBack();
    await card(page, "Rowing Otter").waitFor();
    await expect.poll(() => page.getByRole("searchbox").inputValue(), liveTimeout).toBe("rowing ot");
    expect(new URL(page.url()).searchParams.get("q")).toBe("rowing ot");
  });
});

test("board, order and layout of the list are in the URL or remembered, and the back button undoes them", async () => {
  await inTab("/?q=rowing", async (page) => {
    await card(page, "Rowing Otter").waitFor();
    await page.getByRole("radio", { name: "Listed" }).check();
    await card(page, "Rowing Otter").waitFor({ state: "detached" });
    await card(page, "Rowing Badger").waitFor();
    expect(new URL(page.url()).searchParams.get("board")).toBe("listed");
    await page.getByRole("combobox", { name: "Order" }).selectOption("newest");
    expect(new URL(page.url()).searchParams.get("sort")).toBe("newest");
    await page.goBack();
    await page.goBack();
    await card(page, "Rowing Otter").waitFor();
    await page.getByRole("radio", { name: "Table" }).check();
    const row = page.getByRole("row").filter({ hasText: "Rowing Otter" });
    await row.waitFor();
    expect(await page.getByRole("columnheader").allInnerTexts()).toContain("Market cap");
    await page.reload();
    await row.waitFor();
  });
});

test("every sort order of the API is offered", async () => {
  await inTab("/", async (page) => {
    const options = await page.getByRole("combobox", { name: "Order" }).locator("option").all();
    const values = await Promise.all(options.map((option) => option.getAttribute("value")));
    const answer = await fetch(new URL("/api/openapi.json", shared.service.indexer.url));
    const { paths } = (await answer.json()) as { paths: Record<string, OpenApiPath> };
    const { parameters = [] } = paths["/api/tokens"]?.get ?? {};
    const orders = parameters.find(({ name }) => name === "sort")?.schema.enum ?? [];
    expect(values.sort()).toEqual([...orders].sort());
  });
});

test("a trade appears on the list and on the token's page without a reload", async () => {
  const [home, page] = await Promise.all([explorer.open("/?q=ROWOTTER"), explorer.open(otterPage())]);
  const price = page.locator(".facts-price strong");
  const marketCap = card(home, "Rowing Otter").locator(".card-price strong");
  await Promise.all([
    marketCap.waitFor(),
    price.waitFor(),
    ...[home, page].map((open) => open.locator(".live.is-live").waitFor()),
  ]);
  const before = { price: await price.innerText(), marketCap: await marketCap.innerText() };
  const trades = page.locator("tbody tr");
  await trades.first().waitFor();
  const count = await trades.count();

  await shared.chain.buy(shared.chain.traders[1], otter, 5n * bought);

  await expect.poll(() => trades.count(), liveTimeout).toBe(count + 1);
  await expect.poll(() => price.innerText(), liveTimeout).not.toBe(before.price);
  await expect.poll(() => marketCap.innerText(), liveTimeout).not.toBe(before.marketCap);
  await expect.poll(() => home.locator(".feed li").first().innerText(), liveTimeout).toContain("ROWOTTER");
  await Promise.all([home.context().close(), page.context().close()]);
});

test("stats and leaderboard update without a reload", async () => {
  const trader = shared.chain.traders[1];
  const [stats, leaders] = await Promise.all([explorer.open("/stats"), explorer.open("about:blank")]);
  // The leaderboard refreshes every 30 seconds, which the fake clock skips.
  await leaders.clock.install();
  await explorer.revisit(leaders, "/leaderboard?by=trades");
  const toDate = stats.getByRole("row").filter({ hasText: "To date" }).locator("td").nth(1);
  const ofTrader = leaders
    .getByRole("row")
    .filter({ has: leaders.locator(`a[href="/account/${lowerCase(trader)}"]`) })
    .locator("td")
    .last();
  await Promise.all([stats.locator(".live.is-live").waitFor(), toDate.waitFor(), ofTrader.waitFor()]);
  const count = async (cell: typeof toDate) => Number((await cell.innerText()).replaceAll(",", ""));
  const [before, ofTraderBefore] = [await count(toDate), await count(ofTrader)];

  await shared.chain.buy(trader, otter, bought);
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());

  await expect.poll(() => count(toDate), liveTimeout).toBe(before + 1);
  const later = async () => {
    await leaders.clock.fastForward(31_000);
    return await count(ofTrader);
  };
  await expect.poll(later, liveTimeout).toBe(ofTraderBefore + 1);
  await Promise.all([stats.context().close(), leaders.context().close()]);
});

test("a user who goes offline is told so, and gets what was missed", async () => {
  await inTab(otterPage(), async (page) => {
    const trades = page.locator("tbody tr");
    await trades.first().waitFor();
    const count = await trades.count();
    await page.context().setOffline(true);
    await page.getByText("This device is offline").waitFor();
    await shared.chain.buy(shared.chain.traders[1], otter, bought);
    await page.context().setOffline(false);
    await page.getByText("This device is offline").waitFor({ state: "detached" });
    await expect.poll(() => trades.count(), liveTimeout).toBe(count + 1);
  });
});

test("a list that could not be read appears without a click, once the service answers again", async () => {
  const page = await explorer.open("about:blank");
  await usingPage(page, async () => {
    await page.route("**/api/tokens?*", (route) => route.abort());
    await explorer.revisit(page, "/");
    await page.getByRole("heading", { name: "The service can't be reached" }).waitFor();
    await page.unroute("**/api/tokens?*");
    await page.locator(".card .cover").first().waitFor();
  });
});

onlyInLongRun(() => {
  test("changes made before the stream first connects are not missed", async () => {
    const page = await explorer.open("about:blank");
    await usingPage(page, async () => {
      await page.route("**/api/stream?*", (route) => route.abort());
      await explorer.revisit(page, otterPage());
      const trades = page.locator("tbody tr");
      await trades.first().waitFor();
      const count = await trades.count();
      await shared.chain.buy(shared.chain.traders[1], otter, bought);
      await shared.service.indexer.untilIndexed(56, await shared.chain.head());
      expect(await trades.count()).toBe(count);
      await page.unroute("**/api/stream?*");
      await expect.poll(() => trades.count(), liveTimeout).toBe(count + 1);
    });
  });
});

test("a trade between the page's first read and the start of the stream is not missed", async () => {
  const page = await explorer.open("about:blank");
  await usingPage(page, async () => {
    const traded = Promise.withResolvers<void>();
    await page.route("**/api/stream?*", async (route) => {
      await traded.promise;
      await route.continue();
    });
    await explorer.revisit(page, otterPage());
    const trades = page.locator("tbody tr");
    await trades.first().waitFor();
    const count = await trades.count();
    await shared.chain.buy(shared.chain.traders[1], otter, bought);
    await shared.service.indexer.untilIndexed(56, await shared.chain.head());
    traded.resolve();
    await expect.poll(() => trades.count(), liveTimeout).toBe(count + 1);
  });
});

test("a graduated token shows one candle series, its holders and its liquidity", async () => {
  await inTab(`/token/${graduated}?tab=holders`, async (page) => {
    await page.locator(".chart canvas").first().waitFor();
    await page.getByText("Listed on the DEX", { exact: true }).waitFor();
    await expect.poll(() => page.locator("figcaption").first().innerText()).toContain("candle");
    await page.locator(".distribution-bar span").first().waitFor();
    expect(await page.locator("tbody tr").count()).toBeGreaterThanOrEqual(2);
    await page.getByRole("radio", { name: "Liquidity" }).check();
    await page.getByRole("cell", { name: "Added" }).waitFor();
    await page.getByRole("radio", { name: "BNB" }).check();
  });
});

test("a token hidden by the operator disappears, and its page shows only the reason", async () => {
  const { chain, service } = shared;
  const [creator] = chain.traders;
  const mint = lowerCase(await chain.create(creator, "Rowing Heron", "ROWHERON"));
  const otherTrader = chain.traders[5] as Address;
  for (const token of [mint, otter]) await chain.buy(otherTrader, token, bought);
  await service.indexer.untilIndexed(56, await chain.head());
  const rest = await createRestClient(service.indexer.url);
  await rest.post("/api/tokens", registrationOf(mint, creator, { name: "Rowing Heron", symbol: "ROWHERON" }));
  const [list, open] = await Promise.all([
    explorer.open("/?q=rowing%20heron"),
    explorer.open(`/token/${mint}`),
  ]);
  await open.getByRole("heading", { level: 1, name: "Rowing Heron" }).waitFor();
  await card(list, "Rowing Heron").waitFor();
  const pool = new pg.Pool({ connectionString: service.database.url, max: 1 });
  await createModerationStore(pool).hide({ chainId: 56, mint }, { reason: "It is a scam." });
  await pool.end();

  await inTab(`/token/${mint}`, async (page) => {
    await page.getByRole("heading", { name: "Hidden by the operator" }).waitFor();
    await page.getByText("It is a scam.").waitFor();
    expect(await page.content()).not.toContain("Heron");
    await page.goto(new URL("/?q=rowing", page.url()).href);
    await card(page, "Rowing Otter").waitFor();
    expect(await card(page, "Rowing Heron").count()).toBe(0);

    // Neither the feed's initial trades nor new ones include it.
    const feed = page.locator(".feed");
    await feed.getByText("ROWOTTER").first().waitFor();
    await page.locator(".live.is-live").waitFor();
    const before = await feed.locator("li").count();
    for (const token of [mint, otter, otter]) await chain.buy(otherTrader, token, bought);
    await expect
      .poll(() => feed.locator("li").count(), liveTimeout)
      .toBeGreaterThanOrEqual(Math.min(30, before + 2));
    expect(await feed.innerText()).not.toContain("HERON");

    for (const tab of ["holdings", "results", "trades"]) {
      await page.goto(new URL(`/account/${lowerCase(otherTrader)}?tab=${tab}`, page.url()).href);
      await page.getByRole("link", { name: "Hidden token" }).first().waitFor();
      await page.getByRole("link", { name: "Rowing Otter" }).first().waitFor();
      expect(await page.locator("main").innerText()).not.toContain("Heron");
    }
  });
  // Pages that were already open drop it with the next event.
  await usingPage(list, () => card(list, "Rowing Heron").waitFor({ state: "detached", ...liveTimeout }));
  await usingPage(open, () =>
    open.getByRole("heading", { name: "Hidden by the operator" }).waitFor(liveTimeout),
  );
});

test("the feed and account pages show token images", async () => {
  const { chain, service } = shared;
  const [creator] = chain.traders;
  const trader = chain.traders[6] as Address;
  const rest = await createRestClient(service.indexer.url);
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(await encode(picture({ seed: 90_001 }), "png"))]), "a.png");
  const { body } = await rest.request("/api/upload-image", { method: "POST", body: form });
  const mint = lowerCase(await chain.create(creator, "Rowing Swan", "ROWSWAN"));
  await chain.buy(trader, mint, bought);
  await service.indexer.untilIndexed(56, await chain.head());
  const names = { name: "Rowing Swan", symbol: "ROWSWAN", imageUrl: `ipfs://${body.cid}` };
  await rest.post("/api/tokens", registrationOf(mint, creator, names));
  for (const path of ["/", `/account/${lowerCase(trader)}`]) {
    await inTab(path, async (page) => {
      const row = page.locator(".feed li, .rows tr").filter({ hasText: /ROWSWAN|Rowing Swan/ });
      await row.locator(`img[src="/ipfs/${body.cid}?width=64"]`).first().waitFor();
    });
  }
});

test("the page of an address that is not a token says so", async () => {
  await inTab(`/token/0x${"12".repeat(20)}`, (page) =>
    page.getByRole("heading", { name: "Not a token of this launchpad" }).waitFor(),
  );
});

/* Accessibility of every page, in both themes, on wide and narrow screens. */

const pages = () => [
  { path: "/", shown: ".card .cover" },
  { path: `/?q=${"nothing-of-this-name"}`, shown: ".empty" },
  { path: otterPage(), shown: ".rows tbody tr" },
  { path: `/token/${graduated}?tab=holders`, shown: ".rows tbody tr" },
  { path: `/token/0x${"12".repeat(20)}`, shown: ".empty" },
  ...["holdings", "results", "trades"].map((tab) => ({
    path: `/account/${shared.chain.traders[1].toLowerCase()}?tab=${tab}`,
    shown: ".rows tbody tr",
  })),
  { path: `/account/${shared.chain.traders[0].toLowerCase()}?tab=created`, shown: ".rows tbody tr" },
  { path: "/leaderboard?by=volume", shown: ".rows tbody tr" },
  { path: "/stats", shown: ".days-bars .day" },
  { path: "/create", shown: ".create form" },
];

/** Visits the pages one after the other in one tab: starting a tab's process takes longer than loading a page. */
async function onEachPage(
  options: BrowserContextOptions,
  look: (page: Page, path: string) => Promise<void>,
  those = pages(),
): Promise<void> {
  const tab = await explorer.open("about:blank", options);
  await usingPage(tab, async () => {
    for (const { path, shown } of those) {
      await tab.goto(new URL(path, shared.service.indexer.url).href);
      await tab.locator(shown).first().waitFor();
      await look(tab, path);
    }
  });
}

/** The width of what a page shows and of its window, once lists and charts have followed the last change of the window. */
const pageWidths = (page: Page) =>
  page.evaluate<{ shown: number; window: number }>(`new Promise((resolve) => {
    const afterFrames = (count) => {
      if (count > 0) return requestAnimationFrame(() => afterFrames(count - 1));
      const { scrollWidth, clientWidth } = document.documentElement;
      resolve({ shown: scrollWidth, window: clientWidth });
    };
    afterFrames(4);
  })`);

/** One of each kind, which axe examines for some seconds each. */
const examined = () =>
  sized({
    usual: pages().filter(({ path }) => /^\/($|create|stats|leaderboard|.*tab=(holders|results))/.test(path)),
    long: pages(),
  });

test("axe finds no problem on any page, in either theme, and at 320 pixels nothing is cut off", async () => {
  const wide = { width: 1280, height: 900 };
  await onEachPage(
    { viewport: wide, reducedMotion: "reduce" },
    async (page, path) => {
      expect(await axeViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      const overflow = async () => {
        const { shown, window } = await pageWidths(page);
        return `${path}: ${shown - window} pixels`;
      };
      await expect.poll(overflow).toBe(`${path}: 0 pixels`);
      await page.setViewportSize(wide);
    },
    examined(),
  );
});

test("on a phone, account tables fit the screen and no keyboard shortcut is shown", async () => {
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const accounts = pages().filter(({ path }) => path.startsWith("/account"));
  await onEachPage(
    phone,
    async (page, path) => {
      const [wide, room] = await Promise.all(
        ["scrollWidth", "clientWidth"].map((what) =>
          page.evaluate(`document.querySelector(".scroll-x:has(.rows)").${what}`),
        ),
      );
      expect([path, wide]).toEqual([path, room]);
      expect(await page.locator(".search .key").isVisible()).toBe(false);
    },
    accounts,
  );
});

test("a token can be opened with the keyboard alone", async () => {
  await inTab("/?q=ROWOTTER", async (page) => {
    await card(page, "Rowing Otter").waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => page.locator(":focus").innerText()).toContain("Skip");
    const link = page.getByRole("link", { name: "Rowing Otter" });
    for (let presses = 0; presses < 40; presses++) {
      if ((await link.and(page.locator(":focus")).count()) === 1) break;
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Rowing Otter" }).waitFor();
  });
});

onlyInLongRun(() => {
  test("the GraphQL editor runs a query, and the documentation an operation, within their Content-Security-Policy", async () => {
    const page = await explorer.open("/graphql");
    await page.getByRole("button", { name: "Execute query" }).click();
    await expect.poll(() => page.locator(".result-window").innerText(), liveTimeout).toContain("holderCount");
    await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
    await page.getByText("Root Types").waitFor();

    await page.goto(new URL("/docs", shared.service.indexer.url).href);
    const operation = page.locator(".opblock").filter({ hasText: "/api/health" }).first();
    await operation.locator(".opblock-summary-control").click();
    await operation.getByRole("button", { name: "Try it out" }).click();
    await operation.getByRole("button", { name: "Execute" }).click();
    await expect
      .poll(() => operation.locator(".live-responses-table").innerText(), liveTimeout)
      .toContain('"status"');
    await page.context().close();
    expect(explorer.problems).toEqual([]);
  });
});

test("no page reported a forbidden request or a script error", () => {
  expect(explorer.problems).toEqual([]);
});
