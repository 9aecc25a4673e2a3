import { writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { BrowserContextOptions, Page, Request } from "playwright-core";
import { type Address, parseEther } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createModerationStore } from "../../offchain/moderation-store.ts";
import { axeViolations, bothThemes } from "../browser/axe-violations.ts";
import { type Explorer, openExplorer, retried } from "../browser/explorer.ts";
import { graduatingAmount } from "../chain/launchpad-chain.ts";
import { onlyInLongRun, sized } from "../run/long-run.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient } from "../service/rest-client.ts";
import { encode, picture } from "../service/sample-images.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* The explorer's pages in a real browser: browsing, searching and live updates. */

let shared: SharedService;
let explorer: Explorer;
let otter: Address;
let graduated: Address;
type OpenApiPath = { get?: { parameters: { name: string; schema: { enum?: string[] } }[] } };
const bought = 10n ** 15n;
/** An account that never trades. */
const friend = () => shared.chain.traders[7] as Address;

beforeAll(async () => {
  shared = await sharedService();
  const { chain, service } = shared;
  const [creator, trader] = chain.traders;
  otter = lowerCase(await chain.create(creator, "Rowing Otter", "ROWOTTER"));
  graduated = lowerCase(await chain.create(creator, "Rowing Badger", "ROWBADGER"));
  // A sniper, and two insiders of the creator.
  await chain.buy(trader, otter, bought);
  await chain.buy(creator, otter, 2n * bought);
  for (const [to, amount] of [
    [trader, 3_000],
    [friend(), 4_000],
  ] as const) {
    await chain.transfer(creator, otter, to, parseEther(String(amount)));
  }
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
const short = (address: Address) => `${lowerCase(address).slice(0, 6)}…${address.slice(-4).toLowerCase()}`;
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

/**
 * Runs a test in the tab that these tests share, from a path opened as on a first visit. What it has routed ends with it. After a
 * failure, the next test gets another tab.
 */
async function inTab(at: string, use: (page: Page) => Promise<void>): Promise<void> {
  tab ??= await explorer.open("about:blank");
  try {
    await explorer.revisit(tab, at);
    await use(tab);
    await tab.unrouteAll({ behavior: "wait" });
  } catch (error) {
    await tab.context().close();
    tab = undefined;
    throw error;
  }
}

const searchField = (page: Page) => page.getByRole("combobox", { name: /^Search tokens/ });
const suggestion = (page: Page, name: string | RegExp) => page.getByRole("option", { name });

test("a user searches, opens a result, and goes back to the results", async () => {
  await inTab("/stats", async (page) => {
    await page.getByRole("button", { name: "Search tokens" }).click();
    await searchField(page).fill("rowing ot");
    await searchField(page).press("Enter");
    await card(page, "Rowing Otter").waitFor();
    await page.waitForURL((url) => url.pathname === "/" && url.searchParams.get("q") === "rowing ot");
    await expect.poll(() => page.getByRole("listitem").filter({ hasText: "Rowing" }).count()).toBe(1);
    await page.getByRole("link", { name: "Rowing Otter" }).click();
    await page.getByRole("heading", { level: 1, name: "Rowing Otter" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(otterPage());
    // A tab shows the beginning: which token, and its market cap.
    const marketCap = await page.locator(".facts-price strong .number").innerText();
    expect(await page.title()).toBe(`ROWOTTER ${marketCap} · Rowing Otter · Launchpad`);
    await page.goBack();
    await card(page, "Rowing Otter").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("rowing ot");
    await page.getByRole("button", { name: "End the search for rowing ot" }).click();
    await page.waitForURL((url) => !url.searchParams.has("q"));
  });
});

onlyInLongRun(() => {
  test("a search from far down the list begins with its first result", async () => {
    await inTab("about:blank", async (page) => {
      await page.route("**/api/tokens?*", async (route) => {
        const url = route
          .request()
          .url()
          .replace(/page=\d+/, "page=1");
        const answer = await (await route.fetch({ ...retried, url })).json();
        const tokens = Array.from({ length: 20 }, () => answer.tokens[0]);
        await route.fulfill({ json: { ...answer, tokens, total: 200 } });
      });
      await explorer.revisit(page, "/?sort=newest");
      const scrolled = () => page.evaluate<number>("window.scrollY");
      await page.locator(".card .cover").first().waitFor();
      await page.evaluate("window.scrollTo(0, 5_000)");
      await expect.poll(scrolled).toBe(5_000);
      await page.keyboard.press("/");
      await searchField(page).fill("Rowing");
      await searchField(page).press("Enter");
      await page.getByRole("button", { name: "End the search for Rowing" }).waitFor();
      await page.locator(".card .cover").first().waitFor();
      expect(await scrolled()).toBe(0);
    });
  });
});

test("on every page, / opens a search whose suggestions appear while one types, and typing leads nowhere else", async () => {
  const creator = lowerCase(shared.chain.traders[0]);
  const others = ["/", `/account/${creator}`, "/leaderboard", "/stats"];
  const paths = [...sized({ usual: [], long: others }), otterPage(), "/create"];
  await inTab("about:blank", async (page) => {
    for (const path of paths) {
      await explorer.revisit(page, path);
      await page.locator("main h1").first().waitFor({ state: "attached" });
      await page.keyboard.press("/");
      await page.keyboard.type("rowing ot");
      await suggestion(page, /^Rowing Otter/).waitFor();
      expect(await searchField(page).inputValue()).toBe("rowing ot");
      expect(await page.locator(":focus").getAttribute("role")).toBe("combobox");
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
      await page.keyboard.press("Escape");
      await searchField(page).waitFor({ state: "detached" });
    }
    // On /create, the key opened the search because no field had the focus; in a field it is a character.
    const name = page.getByRole("main").getByLabel("Name");
    await name.press("/");
    expect(await name.inputValue()).toBe("/");
  });
});

test("a search is given up once more was typed, since the service lets a visitor search once at a time", async () => {
  await inTab(otterPage(), async (page) => {
    await page.locator("main h1").first().waitFor();
    const first = /\/api\/tokens\?.*\bq=row(&|$)/;
    await page.route(first, () => {});
    await page.keyboard.press("/");
    await Promise.all([page.waitForRequest(first), page.keyboard.type("row")]);
    const givenUp = page.waitForEvent("requestfailed", (request) => first.test(request.url()));
    await Promise.all([givenUp, page.keyboard.type("ing ot")]);
    await suggestion(page, /^Rowing Otter/).waitFor();
    await page.unroute(first);
  });
});

onlyInLongRun(() => {
  test("suggestions say what tells tokens apart, arrow keys select one, and the last ones come back", async () => {
    await inTab("/leaderboard", async (page) => {
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("/");
      await page.getByText("Search by name, symbol").waitFor();
      await page.keyboard.type("rowing");
      const options = page.getByRole("option");
      await suggestion(page, /^Rowing Badger ROWBADGER · 0x.* Market cap \S+ .*DEX \w+$/).waitFor();
      await suggestion(page, /^Rowing Otter ROWOTTER · 0x.* Market cap \S+ .*\w+$/).waitFor();
      const count = await options.count();
      const selected = page.locator("[role=option][aria-selected=true]");
      expect(await selected.count()).toBe(0);
      await page.keyboard.press("ArrowUp");
      expect(await options.nth(count - 1).getAttribute("aria-selected")).toBe("true");
      await page.keyboard.press("ArrowDown");
      expect(await options.first().getAttribute("aria-selected")).toBe("true");
      const active = await searchField(page).getAttribute("aria-activedescendant");
      expect(await options.first().getAttribute("id")).toBe(active);
      const name = (await selected.locator("bdi").first().innerText()).trim();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name }).waitFor();

      await page.keyboard.press("/");
      await page.getByText("Recent").waitFor();
      await suggestion(page, new RegExp(`^${name}`)).waitFor();
      // A full address finds what the list doesn't have, and accounts.
      await page.keyboard.insertText(graduated);
      await expect.poll(() => selected.innerText(), liveTimeout).toContain("Rowing Badger");
      // What is still listed is not the token of an address that was pasted just now.
      const reads = new RegExp(`/api/token/${otter}\\?`);
      await page.route(reads, () => {});
      await searchField(page).fill(otter);
      await page.getByText("Searching…").waitFor();
      expect(await selected.count()).toBe(0);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === otterPage());
      await page.unroute(reads);
      await page.keyboard.press("/");
      await searchField(page).fill(friend());
      await suggestion(page, /^Account 0x/).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === `/account/${lowerCase(friend())}`);
      await page.keyboard.press("/");
      await searchField(page).fill("rwoing ottre");
      await page.getByText("No token found").waitFor();
      await searchField(page).fill("rowing otetr");
      await suggestion(page, /^Rowing Otter/).waitFor();
      await page.getByText("Nothing matches exactly").waitFor();
      await searchField(page).fill("");
      await page.getByRole("button", { name: "Clear" }).click();
      await page.getByText("Recent").waitFor({ state: "detached" });
      // Whoever has searched for nothing yet sees what others trade.
      await page.getByText("Trending", { exact: true }).waitFor();
      await suggestion(page, / Market cap \S+ /)
        .first()
        .waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.type("rowing");
      await suggestion(page, /^Rowing Otter/).waitFor();
      expect(await axeViolations(page)).toEqual([]);
    });
  });

  test("whoever goes back to the list sees what has changed meanwhile", async () => {
    await inTab("/?q=ROWOTTER", async (page) => {
      const marketCap = card(page, "Rowing Otter").locator(".card-price strong");
      const before = await marketCap.innerText();
      const feed = page.getByRole("region", { name: "Just happened" });
      await feed.getByRole("link", { name: "ROWOTTER" }).first().waitFor();
      await page.getByRole("link", { name: "Rowing Otter" }).click();
      await page.getByRole("heading", { level: 1, name: "Rowing Otter" }).waitFor();
      const buyer = shared.chain.traders[6] as Address;
      await shared.chain.buy(buyer, otter, 2n * bought);
      await shared.service.indexer.untilIndexed(56, await shared.chain.head());
      await page.goBack();
      await expect.poll(() => marketCap.innerText(), liveTimeout).not.toBe(before);
      await feed.getByRole("link", { name: short(buyer) }).waitFor();
    });
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

test("the board of new tokens begins with the newest", async () => {
  await inTab("/", async (page) => {
    const list = page.waitForRequest(/\/api\/tokens\?board=new/);
    await page.getByRole("radio", { name: "New" }).check();
    expect(new URL((await list).url()).searchParams.get("sort")).toBe("newest");
    expect(await page.getByRole("combobox", { name: "Order" }).inputValue()).toBe("newest");
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

test("the home page begins with tokens, and each card says what traders look for", async () => {
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
  const page = await explorer.open("/?q=rowing", phone);
  await usingPage(page, async () => {
    const [creator] = shared.chain.traders;
    const [onCurve, onDex] = [card(page, "Rowing Otter"), card(page, "Rowing Badger")];
    await Promise.all([onCurve.waitFor(), onDex.waitFor()]);
    const boxes = await Promise.all([onCurve, onDex].map((one) => one.boundingBox()));
    expect(Math.min(...boxes.map((box) => box?.y ?? Number.POSITIVE_INFINITY))).toBeLessThan(370);
    await page.getByRole("region", { name: "The last 24 hours" }).getByText("volume").waitFor();
    // A curve has a bar; a listed token has liquidity in its place.
    expect(await onCurve.getByRole("progressbar").count()).toBe(1);
    expect(await onDex.getByRole("progressbar").count()).toBe(0);
    await onDex.getByText(/^Liquidity \S+/).waitFor();
    await onCurve.getByText("Rows upstream.").waitFor();
    expect(await onDex.locator(".sparkline").count()).toBe(1);
    // A few holders have nearly everything.
    const verdict = onCurve.getByText(/^(Caution|High risk)$/);
    expect(await verdict.getAttribute("title")).toContain("The ten largest holders have");
    // The table too, in as much room as there is.
    await page.getByRole("radio", { name: "Table" }).check();
    const row = page.getByRole("row").filter({ hasText: "Rowing Otter" });
    await row.getByTitle(/The ten largest holders have/).waitFor();
    await page.getByRole("radio", { name: "Cards" }).check();
    const site = onCurve.getByRole("link", { name: "otter.example (opens in a new tab)" });
    expect(await site.getAttribute("href")).toBe("https://otter.example/about");
    expect(await site.getAttribute("rel")).toBe("noopener noreferrer nofollow ugc");
    // Above the link that covers the card.
    await onCurve.getByRole("link", { name: short(creator) }).click();
    await page.waitForURL((url) => url.pathname === `/account/${lowerCase(creator)}`);
  });
});

/** Adds up layout shifts, as the Core Web Vitals do within one session of five seconds. */
const sumShifts = `window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });`;

/** Creates and registers a token. */
async function launch(name: string, symbol: string): Promise<Address> {
  const { chain, service } = shared;
  const [creator] = chain.traders;
  const mint = lowerCase(await chain.create(creator, name, symbol));
  const rest = await createRestClient(service.indexer.url);
  await rest.post("/api/tokens", registrationOf(mint, creator, { name, symbol }));
  return mint;
}

const screens: [string, { width: number; height: number }][] = [
  ["a phone", { width: 360, height: 740 }],
  ["a desktop", { width: 1440, height: 900 }],
];

onlyInLongRun(() => {
  test.each(screens)(
    "while pages load on %s, and a token is new, what is shown stays in its place",
    async (_, viewport) => {
      const page = await explorer.open("about:blank", {
        viewport,
        init: sumShifts,
        reducedMotion: "no-preference",
      });
      await usingPage(page, async () => {
        for (const [path, shown] of [
          ["/", ".card .cover"],
          ["/board", ".board-card .cover"],
          [otterPage(), ".rows tbody tr"],
        ] as const) {
          await explorer.revisit(page, path);
          await page.locator(shown).first().waitFor();
          await page.locator(".live.is-live").waitFor();
          expect(await page.evaluate<number>("window.shifts")).toBeLessThan(0.05);
        }
        const reads = new Set<Request>();
        page.on("request", (request) => request.url().includes("/api/tokens?") && reads.add(request));
        page.on("requestfinished", (request) => reads.delete(request));
        page.on("requestfailed", (request) => reads.delete(request));
        await explorer.revisit(page, "/");
        await page.locator(".card .cover").first().waitFor();
        await page.locator(".live.is-live").waitFor();
        // Once the stream is connected, the list may be read again. What it has is not new.
        await expect.poll(() => reads.size).toBe(0);
        await launch(`Newt of ${viewport.width}`, `NEWT${viewport.width}`);
        await page.getByRole("button", { name: /^\d+ new: show$/ }).waitFor(liveTimeout);
        expect(await page.evaluate<number>("window.shifts")).toBeLessThan(0.05);
      });
    },
  );
});

test("the board follows a token from its registration to the DEX, holds still below the pointer, and remembers filters", async () => {
  const { chain } = shared;
  const [, trader] = chain.traders;
  await inTab("/board", async (page) => {
    const column = (name: string) => page.getByRole("region", { name, exact: true });
    const cardOf = (name: string, symbol: string) =>
      column(name).getByRole("article").filter({ hasText: symbol });
    await page.locator(".live.is-live").waitFor();
    await page.mouse.move(0, 0);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.evaluate(sumShifts);
    const stork = await launch("Rowing Stork", "ROWSTORK");
    await cardOf("New", "ROWSTORK").waitFor(liveTimeout);

    await column("New").locator(".board-list").hover();
    await launch("Rowing Crane", "ROWCRANE");
    await column("New").getByText("Paused · 1 waiting").waitFor(liveTimeout);
    expect(await cardOf("New", "ROWCRANE").count()).toBe(0);
    await page.mouse.move(0, 0);
    await cardOf("New", "ROWCRANE").waitFor();

    await chain.buy(trader, stork, (graduatingAmount * 8n) / 10n);
    const graduating = cardOf("About to graduate", "ROWSTORK");
    await graduating.waitFor(liveTimeout);
    expect(await graduating.getByRole("progressbar").getAttribute("aria-valuenow")).toMatch(/^8\d/);
    await chain.buy(trader, stork, graduatingAmount);
    await cardOf("Graduated", "ROWSTORK")
      .getByText(/^Liquidity/)
      .waitFor(liveTimeout);
    expect(await graduating.count()).toBe(0);
    // Cards that came, moved and left shifted nothing.
    expect(await page.evaluate<number>("window.shifts")).toBeLessThan(0.05);

    await page.getByRole("button", { name: "Filter Graduated" }).click();
    const filter = page.getByRole("dialog");
    const fewest = filter.getByLabel(/^Holders from/);
    const [row, field] = await Promise.all([fewest.locator("xpath=..").boundingBox(), fewest.boundingBox()]);
    expect(field?.width ?? Number.NaN).toBeLessThan(row?.width ?? 0);
    await fewest.fill("1000000");
    await page.getByRole("button", { name: "Apply" }).click();
    const nothing = column("Graduated").getByText("No token meets the filter");
    await nothing.waitFor();
    await page.reload();
    await nothing.waitFor();
    await page.getByRole("button", { name: "Filter Graduated: 1 set" }).click();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear" }).click();
    await cardOf("Graduated", "ROWSTORK").waitFor();
  });
});

onlyInLongRun(() => {
  test("a watchlist keeps starred tokens in the browser, the last one first", async () => {
    await inTab("/?board=watchlist", async (page) => {
      await page.getByRole("heading", { name: "Your watchlist is empty" }).waitFor();
      await page.goto(new URL("/?q=rowing", page.url()).href);
      await card(page, "Rowing Badger").getByRole("button", { name: "Watch Rowing Badger" }).click();
      await card(page, "Rowing Otter").getByRole("link", { name: "Rowing Otter" }).click();
      const star = page.getByRole("button", { name: "Watch Rowing Otter" });
      await star.click();
      expect(await star.getAttribute("aria-pressed")).toBe("true");
      await page.goto(new URL("/?board=watchlist", page.url()).href);
      await card(page, "Rowing Otter").waitFor();
      const names = page.getByRole("listitem").locator(".cover");
      expect(await names.allInnerTexts()).toEqual(["Rowing Otter", "Rowing Badger"]);
      expect(await axeViolations(page)).toEqual([]);
      // Its numbers are as live as on any board.
      await page.locator(".live.is-live").waitFor();
      const marketCap = card(page, "Rowing Otter").locator(".card-price strong");
      const before = await marketCap.innerText();
      await shared.chain.buy(shared.chain.traders[1], otter, 3n * bought);
      await expect.poll(() => marketCap.innerText(), liveTimeout).not.toBe(before);
      await card(page, "Rowing Badger").getByRole("button", { name: "Watch Rowing Badger" }).click();
      await card(page, "Rowing Badger").waitFor({ state: "detached" });
      await page.reload();
      await card(page, "Rowing Otter").waitFor();
    });
  });

  test("a token that nobody has registered is in no list, and on the watchlist all the same", async () => {
    await inTab("about:blank", async (page) => {
      const { chain, service } = shared;
      const mint = await chain.create(chain.traders[0], "Rowing Stranger", "ROWSTRANGER");
      await service.indexer.untilIndexed(56, await chain.head());
      await explorer.revisit(page, otterPage());
      await page.getByRole("button", { name: "Watch Rowing Otter" }).click();
      await page.goto(new URL(`/token/${mint}`, page.url()).href);
      await page.getByRole("button", { name: "Watch Rowing Stranger" }).click();
      await page.goto(new URL("/?board=watchlist", page.url()).href);
      const worth = card(page, "Rowing Stranger").locator(".card-price strong");
      await worth.waitFor();
      await page.locator(".live.is-live").waitFor();
      const first = await worth.innerText();
      await chain.buy(chain.traders[1], mint, 3n * bought);
      await expect.poll(() => worth.innerText(), liveTimeout).not.toBe(first);
      const names = page.getByRole("listitem").locator(".cover");
      expect(await names.allInnerTexts()).toEqual(["Rowing Stranger", "Rowing Otter"]);
    });
  });
});

/** Stands in for notifications, which Chromium without a window never shows: records them, and keeps the permission as a browser does. */
const recordNotifications = `window.shown = [];
  window.Notification = class {
    static get permission() {
      return localStorage.getItem("permission") ?? "default";
    }
    static async requestPermission() {
      localStorage.setItem("permission", "granted");
    }
    constructor(title, { body }) {
      window.shown.push(title + ": " + body);
    }
  };`;

/** Opens a token's page where notifications are recorded, for a test of the alerts that the browser keeps. */
async function openAlerts() {
  const page = await explorer.open(otterPage(), { init: recordNotifications });
  const main = page.getByRole("main");
  const dialog = page.getByRole("dialog");
  return {
    page,
    main,
    dialog,
    async set(limit?: string): Promise<void> {
      await main.getByRole("button", { name: "Set an alert" }).click();
      if (limit !== undefined) await dialog.getByRole("textbox", { name: "Limit" }).fill(limit);
      await dialog.getByRole("button", { name: "Set the alert" }).click();
      await dialog.getByRole("heading", { name: "The alert is set" }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Close" }).click();
      // A closed dialog has no role, and is still in the page until its `close` event.
      await page.locator(".alert-dialog").waitFor({ state: "detached" });
    },
  };
}

/** A market cap a little above the current one, as it is typed in some countries. */
async function higherMarketCap(): Promise<string> {
  const answer = await fetch(new URL(`/api/token/${otter}`, shared.service.indexer.url));
  const marketCap = Number(((await answer.json()) as { marketCapBnb: string }).marketCapBnb);
  return (marketCap * 1.000_1).toFixed(9).replace(".", ",");
}

onlyInLongRun(() => {
  test("the browser tells of a market cap and a trade once", async () => {
    const { chain } = shared;
    const trader = lowerCase(chain.traders[1]);
    const { page, main, dialog, set } = await openAlerts();
    await usingPage(page, async () => {
      await main.getByRole("button", { name: "Set an alert" }).click();
      await dialog.getByRole("textbox", { name: "Limit" }).fill("0,000001");
      await dialog.getByText("That is so already.").waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await page.evaluate("Notification.permission")).toBe("default");
      await set(await higherMarketCap());
      const other = await page.context().newPage();
      await other.goto(new URL(`/account/${trader}`, page.url()).href);
      await page.goto(other.url());
      const connected = page
        .context()
        .waitForEvent("response", (response) => /stream\?.*created/.test(response.url()));
      await set();
      await connected;
      const shown = async () =>
        (await Promise.all([page, other].map((one) => one.evaluate<string[]>("window.shown")))).flat().sort();
      await chain.buy(trader, otter, 3n * bought);
      await expect
        .poll(shown, liveTimeout)
        .toEqual([
          expect.stringMatching(/^0x.*: It trades$/),
          expect.stringMatching(/^Rowing Otter: Market cap rises to \S+ BNB$/),
        ]);
      await page.goto(new URL("/?board=watchlist", page.url()).href);
      const alerts = page.getByRole("region", { name: "Alerts of this browser" }).getByRole("listitem");
      await expect.poll(() => alerts.filter({ hasText: "Fired" }).count()).toBe(2);
      expect(await axeViolations(page)).toEqual([]);
    });
  });

  test("stars and alerts are carried to another browser as a file, and a page says what a blocked notification would", async () => {
    const { chain } = shared;
    const { page, main, set } = await openAlerts();
    await usingPage(page, async () => {
      await main.getByRole("button", { name: "Watch Rowing Otter" }).click();
      await set("1000000");
      await page.goto(new URL(`/account/${lowerCase(chain.traders[1])}`, page.url()).href);
      await set();
      await page.goto(new URL("/?board=watchlist", page.url()).href);
      const alerts = page.getByRole("region", { name: "Alerts of this browser" }).getByRole("listitem");
      await expect.poll(() => alerts.count()).toBe(2);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export" }).click();
      const file = await (await download).path();
      await explorer.revisit(page, "/?board=watchlist");
      await page.getByText("Your watchlist is empty").waitFor();
      const input = page.locator("input[type=file]");
      await input.setInputFiles({ name: "a.json", mimeType: "application/json", buffer: Buffer.from("{}") });
      await page.getByText("Nothing was imported").waitFor();
      await input.setInputFiles(file);
      await page.getByText("Added: 1 star and 2 alerts.").waitFor();
      await card(page, "Rowing Otter").first().waitFor();
      expect(await alerts.count()).toBe(2);

      // Without permission, the page says it.
      await page.evaluate("localStorage.setItem('permission', 'denied')");
      await page.getByLabel("Alert about").selectOption({ label: "Rowing Otter" });
      await set(await higherMarketCap());
      await page.getByText("Notifications of this site are blocked").waitFor();
      await expect.poll(() => alerts.count()).toBe(3);
      await chain.buy(chain.traders[1], otter, 3n * bought);
      // The account's alert shows one, too.
      const toasts = page.getByRole("alert").getByRole("paragraph");
      const toast = toasts.filter({ hasText: "Rowing Otter Market cap rises to" });
      await toast.waitFor(liveTimeout);
      expect(await axeViolations(page)).toEqual([]);
      await toast.getByRole("button", { name: "Close" }).click();
      await toast.waitFor({ state: "detached" });
      await alerts
        .filter({ hasText: "Rowing Otter" })
        .first()
        .getByRole("button", { name: /^Remove the alert of Rowing Otter: / })
        .click();
      await expect.poll(() => alerts.count()).toBe(2);
    });
  });

  test("a token's trades can be those of its creator, and those from a size on", async () => {
    const [creator, trader] = shared.chain.traders;
    await inTab(otterPage(), async (page) => {
      const rows = page.getByRole("tabpanel").locator("tbody tr");
      const of = (account: Address) => page.locator(`a[href="/account/${lowerCase(account)}"]`);
      await rows
        .filter({ has: of(trader) })
        .first()
        .waitFor();
      await page.getByRole("radio", { name: "Creator" }).check();
      await rows
        .filter({ has: of(trader) })
        .first()
        .waitFor({ state: "detached" });
      await rows
        .filter({ has: of(creator) })
        .first()
        .waitFor();
      const count = await rows.count();
      // They come live too.
      await page.locator(".live.is-live").waitFor();
      await shared.chain.buy(creator, otter, 2n * bought);
      await expect.poll(() => rows.count(), liveTimeout).toBe(count + 1);
      await page.getByRole("radio", { name: "All" }).check();
      await rows
        .filter({ has: of(trader) })
        .first()
        .waitFor();
      await page.getByRole("combobox", { name: "Size" }).selectOption("0.1");
      await page.getByText(/^None of the last \d+ trades is so large\.$/).waitFor();
      await page.getByRole("combobox", { name: "Size" }).selectOption("0.001");
      await rows
        .filter({ has: of(creator) })
        .first()
        .waitFor();
    });
  });

  test("older trades of the creator stay while others trade", async () => {
    const [creator, trader] = shared.chain.traders;
    for (const _ of [1, 2]) await shared.chain.buy(creator, otter, bought);
    await shared.service.indexer.untilIndexed(56, await shared.chain.head());
    await inTab("about:blank", async (page) => {
      // Two trades are more than one page.
      await page.route(/\/api\/trades\?.*limit=40/, (route) =>
        route.continue({ url: route.request().url().replace("limit=40", "limit=1") }),
      );
      await explorer.revisit(page, otterPage());
      const rows = page.getByRole("tabpanel").locator("tbody tr");
      await page.locator(".live.is-live").waitFor();
      await page.getByRole("radio", { name: "Creator" }).check();
      await expect.poll(() => rows.count()).toBe(1);
      await page.getByRole("button", { name: "Older trades" }).click();
      await expect.poll(() => rows.count()).toBe(2);
      const tradesTab = page.getByRole("tab", { name: /^Trades/ });
      const trades = await tradesTab.innerText();
      await shared.chain.buy(trader, otter, bought);
      await expect.poll(() => tradesTab.innerText(), liveTimeout).not.toBe(trades);
      await shared.chain.buy(creator, otter, bought);
      await expect.poll(() => rows.count(), liveTimeout).toBe(3);
    });
  });

  test("an account's page draws its results by day, and a watched account is above the watched tokens", async () => {
    const { chain, service } = shared;
    const trader = lowerCase(chain.traders[1]);
    await chain.sell(chain.traders[1], otter, 10n ** 18n);
    await service.indexer.untilIndexed(56, await chain.head());
    await inTab(`/account/${trader}`, async (page) => {
      const results = page.getByRole("region", { name: "Realised by day" });
      await results.getByText(/^\d+ of \d+ sells? with a gain$/).waitFor();
      expect(await results.locator("rect").count()).toBe(30);
      await results.getByRole("radio", { name: "90 d" }).check();
      await expect.poll(() => results.locator("rect").count()).toBe(90);
      // Who uses the keyboard can go on to the next.
      await results.getByRole("radio", { name: "90 d" }).and(page.locator(":focus")).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      // What the account trades, and what it is worth then, appear without a reload.
      const worth = page.locator("dl.totals dd").first();
      const [trades, before] = [page.getByRole("tab", { name: /^Trades/ }), await worth.innerText()];
      const count = Number(/\d+/.exec(await trades.innerText())?.[0]);
      await page.locator(".live.is-live").waitFor();
      await chain.buy(chain.traders[1], otter, bought);
      await expect.poll(() => trades.innerText(), liveTimeout).toMatch(new RegExp(`\\b${count + 1}$`));
      expect(await worth.innerText()).not.toBe(before);
      await page.getByRole("button", { name: `Watch ${short(trader)}` }).click();
      await page.goto(new URL("/?board=watchlist", service.indexer.url).href);
      await page.getByRole("navigation", { name: "Watched accounts" }).getByRole("link").click();
      await page.getByRole("button", { name: `Watch ${short(trader)}` }).click();
      await page.goBack();
      await page.getByText("Your watchlist is empty").waitFor();
      expect(await page.getByRole("navigation", { name: "Watched accounts" }).count()).toBe(0);
      // What a creator made of each token is on the creator's page.
      await page.goto(
        new URL(`/account/${lowerCase(chain.traders[0])}?tab=created`, service.indexer.url).href,
      );
      const created = page.getByRole("row").filter({ hasText: "Rowing Badger" });
      await created.getByRole("cell", { name: "listed" }).waitFor();
      const heads = await page.getByRole("columnheader").allInnerTexts();
      expect(await created.getByRole("cell").nth(heads.indexOf("Creator's result")).innerText()).toMatch(
        /^[+−]?[\d.₀-₉]+ BNB$/,
      );
      await page.goto(new URL("/leaderboard?by=trades", service.indexer.url).href);
      const columns = () => page.getByRole("columnheader").allInnerTexts();
      await expect.poll(columns).toEqual(["Rank", "Account", "Trades", "Win rate", "Realised", "Volume"]);
      await page.getByRole("radio", { name: "Created" }).check();
      await expect.poll(columns).toEqual(["Rank", "Account", "Created", "Graduated"]);
    });
  });
});

test("a trade appears on the list and on the token's page without a reload", async () => {
  const moving = { reducedMotion: "no-preference" } as const;
  const [home, page] = await Promise.all([
    explorer.open("/?q=ROWOTTER", moving),
    explorer.open(otterPage(), moving),
  ]);
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

  // A hidden tab closes its stream, and catches up when it comes back.
  const hide = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
      document.dispatchEvent(new Event("visibilitychange"));`,
    );
  await hide(true);
  const seen = await marketCap.innerText();
  await shared.chain.buy(shared.chain.traders[1], otter, 2n * bought);
  await expect.poll(() => marketCap.innerText(), liveTimeout).not.toBe(seen);
  expect(await trades.count()).toBe(count + 1);
  await hide(false);
  await expect.poll(() => trades.count(), liveTimeout).toBe(count + 2);
  await Promise.all([home.context().close(), page.context().close()]);
});

onlyInLongRun(() => {
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
      .nth(2);
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

/** Opens the otter's page, whose stream is held up, and has it traded. Resolves to the page's trades, and to how many it had before. */
async function tradeUnheard(page: Page) {
  await explorer.revisit(page, otterPage());
  const trades = page.locator("tbody tr");
  await trades.first().waitFor();
  const count = await trades.count();
  await shared.chain.buy(shared.chain.traders[1], otter, bought);
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  return { trades, count };
}

onlyInLongRun(() => {
  test("a page whose code could not be loaded while offline appears once the device is online", async () => {
    const page = await explorer.open("/leaderboard");
    await usingPage(page, async () => {
      await page.getByRole("heading", { level: 1, name: "Leaderboard" }).waitFor();
      await page.context().setOffline(true);
      await page.getByRole("link", { name: "Stats" }).first().click();
      await page.getByRole("alert").getByText("This device is offline").waitFor();
      await expect.poll(() => page.title()).toBe("The service can't be reached · Launchpad");
      await page.context().setOffline(false);
      await page.getByRole("heading", { level: 1, name: "Stats" }).waitFor();
    });
  });

  test("a page that can't be read says so in its title too, until it can", async () => {
    await inTab("/leaderboard", async (page) => {
      await page.getByRole("heading", { level: 1, name: "Leaderboard" }).waitFor();
      const title = () => page.title();
      const reads = /\/api\/(stats|token\/|account\/)/;
      for (const [path, shown] of [
        ["/stats", "Stats · Launchpad"],
        [otterPage(), expect.stringMatching(/^ROWOTTER \S+( BNB)? · Rowing Otter · Launchpad$/)],
        [`/account/${lowerCase(friend())}`, `Account ${short(friend())} · Launchpad`],
      ] as const) {
        await page.route(reads, (route) => route.abort());
        await page.evaluate(`const link = Object.assign(document.createElement("a"), { href: "${path}" });
        document.body.append(link);
        link.click();
        link.remove();`);
        await page.getByRole("heading", { name: "The service can't be reached" }).waitFor();
        await expect.poll(title).toBe("The service can't be reached · Launchpad");
        await page.unroute(reads);
        await expect.poll(title, liveTimeout).toEqual(shown);
      }
    });
  });

  test("a chart that can't be read is read again, after a gap with all that it missed, and older candles after a failure", async () => {
    await inTab("about:blank", async (page) => {
      const hours = 3;
      const last = 60 * Math.floor(Date.now() / 60_000) - 3_600 * hours;
      const price = Object.fromEntries(
        ["openBnb", "highBnb", "lowBnb", "closeBnb"].map((name) => [name, "0.01"]),
      );
      const candles = Array.from({ length: 40 }, (_, at) => ({
        time: last - 60 * (39 - at),
        volumeBnb: "0",
        ...price,
      }));
      const older: string[] = [];
      const limits: number[] = [];
      let isDown = true;
      await page.route(/\/candles\?/, async (route) => {
        const { searchParams } = new URL(route.request().url());
        if (searchParams.has("to")) {
          older.push(searchParams.get("to") ?? "");
          return await (isDown ? route.abort() : route.fulfill({ json: { candles: [] } }));
        }
        limits.push(Number(searchParams.get("limit")));
        await (limits.length === 1 ? route.abort() : route.fulfill({ json: { candles } }));
      });
      await explorer.revisit(page, `${otterPage()}?interval=1m`);
      const canvas = page.locator(".chart canvas").first();
      await canvas.waitFor();
      await page.locator(".live.is-live").waitFor();
      await expect.poll(() => older.length, liveTimeout).toBeGreaterThan(0);
      isDown = false;
      const before = older.length;
      const scroll = async () => {
        await page.locator(".chart-place").hover();
        await page.mouse.wheel(-200, 0);
        return older.length;
      };
      await expect.poll(scroll, liveTimeout).toBeGreaterThan(before);

      const read = limits.length;
      await shared.chain.buy(shared.chain.traders[1], otter, bought);
      await expect.poll(() => limits.length, liveTimeout).toBeGreaterThan(read);
      expect(limits.at(-1)).toBeGreaterThan(60 * hours);
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

  test("changes made before the stream first connects are not missed", async () => {
    const page = await explorer.open("about:blank");
    await usingPage(page, async () => {
      await page.route("**/api/stream?*", (route) => route.abort());
      const { trades, count } = await tradeUnheard(page);
      expect(await trades.count()).toBe(count);
      await page.unroute("**/api/stream?*");
      await expect.poll(() => trades.count(), liveTimeout).toBe(count + 1);
    });
  });

  test("what can't be read again after a gap is read later, without a click", async () => {
    const { chain, service } = shared;
    const buyer = chain.traders[6] as Address;
    const lists = [
      [otterPage(), /\/trades\?/, "tbody tr", () => chain.buy(buyer, otter, bought), short(buyer)],
      ["/?sort=newest", /\/tokens\?.*page=1\b/, ".card", () => launch("Rowing Ibis", "ROWIBIS"), "ROWIBIS"],
      ["/board", /\/tokens\?.*board=new\b/, ".board-card", () => launch("Rowing Gull", "ROWGULL"), "ROWGULL"],
    ] as const;
    for (const [path, request, rows, change, added] of lists.slice(0, sized({ usual: 1, long: 3 }))) {
      await inTab("about:blank", async (page) => {
        await page.route("**/api/stream?*", (route) => route.abort());
        await explorer.revisit(page, path);
        await page.locator(rows).getByRole("link").first().waitFor();
        await change();
        await service.indexer.untilIndexed(56, await chain.head());
        let refused = 0;
        let isDown = true;
        await page.route(request, async (route) => {
          if (!isDown) return await route.continue();
          refused++;
          await route.abort();
        });
        await page.unroute("**/api/stream?*");
        await expect.poll(() => refused, liveTimeout).toBeGreaterThan(1);
        isDown = false;
        await page.locator(rows).filter({ hasText: added }).first().waitFor();
      });
    }
  });

  test("the answers that a page's head asks for are taken by its code, and not asked for again", async () => {
    const withPreloads = [
      [otterPage(), 2, ".chart canvas"],
      ["/", 1, ".card .cover"],
      ["/board", 1, ".board-card .cover"],
    ] as const;
    for (const [path, count, shown] of withPreloads.slice(0, sized({ usual: 1, long: 3 }))) {
      const html = await (await fetch(new URL(path, shared.service.indexer.url))).text();
      const preloads = [...html.matchAll(/<link rel="preload" as="fetch"[^>]* href="([^"]+)"/g)].map(
        ([, href = ""]) => new URL(href.replaceAll("&amp;", "&"), shared.service.indexer.url).href,
      );
      expect(preloads).toHaveLength(count);
      await inTab("about:blank", async (page) => {
        // Once it is connected, the board reads again what it may have missed.
        await page.route(/\/api\/stream(\?|$)/, (route) => route.abort());
        await explorer.revisit(page, path);
        await page.locator(shown).first().waitFor();
        await expect.poll(() => page.locator('link[as="fetch"]').count()).toBe(0);
        const requested = (await page.evaluate(
          "performance.getEntriesByType('resource').map(({ name }) => name)",
        )) as string[];
        for (const href of preloads) expect(requested.filter((name) => name === href)).toEqual([href]);
      });
    }
  });
});

/** Opens the home page without its code, which arrives when `release` is called. */
async function openWithoutCode(options: BrowserContextOptions & { init?: string } = {}) {
  const page = await explorer.open("about:blank", options);
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/index-[^/]*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  // The code is held: no page load ends before it.
  const showsTokens = async () => {
    await page.goto(new URL("/", shared.service.indexer.url).href, { waitUntil: "commit" });
    await page.locator("noscript").waitFor({ state: "attached" });
    return await page.locator("[data-drawn] .card .cover").count();
  };
  // A busy service leaves the list to the code.
  await expect.poll(showsTokens, liveTimeout).toBeGreaterThan(1);
  return { page, release: () => held.resolve() };
}

const drawnCards = "[data-drawn] .card";

test("the first tokens show before the page's code, which takes over the same elements and moves nothing", async () => {
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
  for (const options of sized({ usual: [phone], long: [{}, phone] })) {
    const { page, release } = await openWithoutCode(options);
    await usingPage(page, async () => {
      await page.evaluate(`
        window.shifted = 0;
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) shifted += value;
        }).observe({ type: "layout-shift", buffered: true });`);
      const first = page.locator(".card").first();
      await first.waitFor();
      const names = await page.locator(".card .cover").allInnerTexts();
      const boxes = () =>
        page
          .locator(".card")
          .evaluateAll((all) => all.slice(0, 3).map((card) => card.getBoundingClientRect().toJSON()));
      const before = await boxes();
      const element = await first.elementHandle();
      release();
      await page.locator("[data-drawn]").waitFor({ state: "detached" });
      expect(await element?.evaluate((card) => card.isConnected)).toBe(true);
      expect(await boxes()).toEqual(before);
      expect((await page.locator(".card .cover").allInnerTexts()).slice(0, 3)).toEqual(names.slice(0, 3));
      expect(await page.evaluate("shifted")).toBeLessThan(0.05);
      // It answers clicks.
      await page.getByRole("radio", { name: "Table" }).check();
      await page.locator(".table .cover").first().waitFor();
    });
  }
  expect(explorer.problems).toEqual([]);
});

onlyInLongRun(() => {
  test("whoever sees tokens otherwise than the server draws them never sees its drawing", async () => {
    const preferences: [string, string, boolean][] = [
      ["theme", "light", true],
      ["list-view", "table", false],
      ["currency", "bnb", false],
      ["language", "zh", false],
    ];
    for (const [name, value, isShown] of preferences) {
      const init = `if (location.protocol === "http:") localStorage.setItem("${name}", "${value}")`;
      const { page, release } = await openWithoutCode({ init });
      await usingPage(page, async () => {
        // A browser shows nothing before it has the styles.
        await expect
          .poll(() => page.locator(drawnCards).first().isVisible(), { message: name })
          .toBe(isShown);
        const theme = await page.evaluate("document.documentElement.dataset.theme");
        expect(theme).toBe(name === "theme" ? "light" : undefined);
        release();
        await page.locator("[data-drawn]").waitFor({ state: "detached" });
        await page
          .locator(name === "list-view" ? ".table .cover" : ".card .cover")
          .first()
          .waitFor();
      });
    }
  });
});

test("without JavaScript, the first tokens are links to their pages", async () => {
  const context = await explorer.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await usingPage(page, async () => {
    const link = page.locator(".card .cover").first();
    const countLinks = async () => {
      await page.goto(new URL("/", shared.service.indexer.url).href);
      return await page.locator(".card .cover").count();
    };
    await expect.poll(countLinks, liveTimeout).toBeGreaterThan(1);
    const href = await link.getAttribute("href");
    expect(href).toMatch(/^\/token\/0x[0-9a-f]{40}$/);
    await link.click();
    await page.waitForURL((url) => url.pathname === href);
  });
});

onlyInLongRun(() => {
  test("a trade between the page's first read and the start of the stream is not missed", async () => {
    await inTab("about:blank", async (page) => {
      const traded = Promise.withResolvers<void>();
      await page.route("**/api/stream?*", async (route) => {
        await traded.promise;
        await route.continue();
      });
      const { trades, count } = await tradeUnheard(page);
      traded.resolve();
      await expect.poll(() => trades.count(), liveTimeout).toBe(count + 1);
    });
  });
});

test("a graduated token shows one candle series, its holders and its liquidity", async () => {
  await inTab(`/token/${graduated}?tab=holders`, async (page) => {
    await page.locator(".chart canvas").first().waitFor();
    await page.getByText("Listed on the DEX", { exact: true }).waitFor();
    await expect.poll(() => page.locator("figcaption").first().innerText()).toContain("candle");
    const legend = page.locator(".chart-legend");
    const opening = async () => Number(/^O\s*(\S+)/.exec(await legend.innerText())?.[1]);
    await page.getByRole("radio", { name: "BNB", exact: true }).check();
    const marketCap = await opening();
    await page.getByRole("radio", { name: "Price", exact: true }).check();
    await expect.poll(opening).not.toBe(marketCap);
    await page.getByRole("button", { name: "MA", exact: true }).click();
    await expect.poll(() => legend.innerText()).toMatch(/^O.*H.*L.*C.*V.*MA7.*MA25/s);
    const fullScreen = page.getByRole("button", { name: "Full screen" });
    const isFull = () => page.evaluate("document.fullscreenElement?.classList.contains('chart') ?? false");
    for (const expected of [true, false]) {
      await fullScreen.click();
      await expect.poll(isFull).toBe(expected);
    }
    await page.locator(".distribution-bar span").first().waitFor();
    expect(await page.locator("tbody tr").count()).toBeGreaterThanOrEqual(2);
    await page.getByRole("tab", { name: "Liquidity" }).click();
    await page.getByRole("cell", { name: "Added" }).waitFor();
    // Without a trade, of which the page would hear anyway.
    await shared.chain.addLiquidity(shared.chain.traders[1], graduated, 10n ** 20n, 10n ** 14n);
    await expect.poll(() => page.getByRole("cell", { name: "Added" }).count(), liveTimeout).toBe(2);
    await page.getByRole("radio", { name: "BNB" }).check();
  });
});

onlyInLongRun(() => {
  test("a token's tabs move with the keyboard, are in the URL, and read nothing but what they show", async () => {
    await inTab("about:blank", async (page) => {
      const read: string[] = [];
      const note = (request: { url: () => string }) => {
        const list = /\/api\/token\/0x\w+\/(trades|holders|traders|transfers|liquidity)\b/.exec(
          request.url(),
        );
        if (list !== null && !read.includes(list[1] as string)) read.push(list[1] as string);
      };
      page.on("request", note);
      await page.goto(new URL(otterPage(), shared.service.indexer.url).href);
      const tabs = page.getByRole("tablist", { name: "Market" }).getByRole("tab");
      const rows = page.getByRole("tabpanel").locator("tbody tr");
      const press = async (key: string, name: string) => {
        await page.keyboard.press(key);
        await expect.poll(() => page.locator("[role=tab]:focus").innerText()).toContain(name);
        await page.getByRole("tab", { name, selected: true }).waitFor();
        await page.getByRole("tabpanel", { name }).waitFor();
        await rows.first().waitFor();
      };
      await rows.first().waitFor();
      expect(read).toEqual(["trades"]);
      expect(await tabs.allInnerTexts()).toEqual([
        expect.stringMatching(/^Trades \d+$/),
        expect.stringMatching(/^Holders \d+$/),
        "Top traders",
        "Transfers",
        "Liquidity",
      ]);
      await tabs.first().focus();
      await press("ArrowRight", "Holders");
      expect(new URL(page.url()).searchParams.get("tab")).toBe("holders");
      await press("ArrowRight", "Top traders");
      expect(read).toEqual(["trades", "holders", "traders"]);
      await press("Home", "Trades");
      expect(new URL(page.url()).searchParams.has("tab")).toBe(false);
      await page.keyboard.press("End");
      await page.getByText("There is no liquidity on the DEX yet").waitFor();
      await press("ArrowLeft", "Transfers");
      // Only the selected tab can be reached with the Tab key.
      expect(await tabs.evaluateAll((all) => all.filter((tab) => tab.tabIndex === 0).length)).toBe(1);
      await page.reload();
      await page.getByRole("tab", { name: "Transfers", selected: true }).waitFor();
      await page.getByRole("link", { name: "Leaderboard" }).first().click();
      await page.getByRole("heading", { level: 1, name: "Leaderboard" }).waitFor();
      await page.goBack();
      await page.getByRole("tab", { name: "Transfers", selected: true }).waitFor();
      page.off("request", note);
      // The curve has no liquidity to read.
      expect(read).toEqual(["trades", "holders", "traders", "transfers"]);
    });
  });

  test("whoever turns the pages of a list with the keyboard stays on the button", async () => {
    await inTab("about:blank", async (page) => {
      await page.route(/\/api\/(leaderboard|token\/0x\w+\/holders)\?.*limit=50/, (route) =>
        route.continue({ url: route.request().url().replace("limit=50", "limit=1") }),
      );
      for (const [at, name] of [
        [`${otterPage()}?tab=holders`, "Smaller"],
        ["/leaderboard?by=trades", "Lower"],
      ] as const) {
        await explorer.revisit(page, at);
        const row = page.locator("tbody tr").first();
        const [button, first] = [page.getByRole("button", { name }), await row.innerText()];
        await button.focus();
        await page.keyboard.press("Enter");
        await expect.poll(() => row.innerText()).not.toBe(first);
        await button.and(page.locator(":focus")).waitFor();
      }
    });
  });

  test("a token's page says who was early or close to the creator, and what traders made of it", async () => {
    const [creator, trader] = shared.chain.traders;
    await inTab(`${otterPage()}?tab=holders`, async (page) => {
      const panel = page.getByRole("tabpanel");
      const row = (account: Address) =>
        panel.locator("tbody tr").filter({ has: page.locator(`a[href="/account/${lowerCase(account)}"]`) });
      const badges = async (account: Address) => await row(account).locator(".badge").allInnerTexts();
      await expect.poll(() => badges(trader)).toEqual(["sniper", "insider"]);
      expect(await badges(friend())).toEqual(["insider"]);
      expect(await badges(creator)).toEqual(["creator"]);
      expect(await row(trader).locator(".badge").first().getAttribute("title")).toContain(
        "first three blocks",
      );
      await panel.locator("dl").getByText("directly or through at most two other accounts").waitFor();
      const risk = page.getByRole("region", { name: "Risk" });
      await risk
        .getByText(/1 sniper bought [\d.]+% of the circulating supply .* holds [\d.]+% now\.$/)
        .waitFor();
      await risk.getByText(/2 insiders got [\d.<]+% of the circulating supply from the creator/).waitFor();

      await page.getByRole("tab", { name: "Top traders" }).click();
      await expect.poll(() => badges(trader)).toEqual(["sniper", "insider"]);
      await page.getByRole("combobox", { name: "Order by" }).selectOption("bought");
      await page.waitForURL((url) => url.searchParams.get("by") === "bought");
      const sorted = panel.locator("th[aria-sort=descending]");
      expect(await sorted.innerText()).toBe("Bought");
      await page.reload();
      await expect.poll(() => sorted.innerText()).toBe("Bought");
      const answer = await fetch(
        new URL(`/api/token/${otter}/traders?sort=bought`, shared.service.indexer.url),
      );
      const { traders } = (await answer.json()) as { traders: { address: Address }[] };
      expect(traders.length).toBeGreaterThanOrEqual(2);
      const shown = panel.locator("tbody tr a.address");
      await expect
        .poll(() => shown.evaluateAll((links) => links.map((link) => link.getAttribute("title"))))
        .toEqual(traders.map(({ address }) => address));
      // Bought and realised have a value in BNB; the creator has sold nothing.
      const cells = row(creator).locator("td");
      expect(await cells.nth(2).innerText()).toMatch(/^0\.00\d+ BNB|^\$/);
      expect(await cells.nth(4).innerText()).toMatch(/^0 BNB|^\$0/);
    });
  });

  test("a transfer appears on the token's page without a reload, and on the pages of both accounts", async () => {
    const [creator] = shared.chain.traders;
    const to = shared.chain.traders[8] as Address;
    await inTab(`${otterPage()}?tab=transfers`, async (page) => {
      const rows = page.getByRole("tabpanel").locator("tbody tr");
      await Promise.all([rows.first().waitFor(), page.locator(".live.is-live").waitFor()]);
      const count = await rows.count();

      const { transactionHash } = await shared.chain.transfer(creator, otter, to, parseEther("5000"));

      await expect.poll(() => rows.count(), liveTimeout).toBe(count + 1);
      const cells = rows.first().locator("td");
      expect(await cells.nth(1).locator("a").allInnerTexts()).toEqual([short(creator), short(to)]);
      expect(await cells.nth(1).locator(".badge").allInnerTexts()).toEqual(["creator"]);
      expect(await cells.nth(2).innerText()).toBe("5000");
      expect(await cells.nth(3).locator("a").getAttribute("href")).toBe(
        `https://bscscan.com/tx/${transactionHash}`,
      );

      await shared.service.indexer.untilIndexed(56, await shared.chain.head());
      for (const [account, amount, other] of [
        [to, "+5000", creator],
        [creator, "−5000", to],
      ] as const) {
        await page.goto(new URL(`/account/${lowerCase(account)}?tab=transfers`, page.url()).href);
        await page.getByRole("tab", { name: "Transfers", selected: true }).waitFor();
        const transfer = rows.filter({ hasText: "Rowing Otter" }).first();
        await transfer.getByRole("cell", { name: amount, exact: true }).waitFor();
        await transfer.locator(`a[href="/account/${lowerCase(other)}"]`).waitFor();
      }
      await page.goto(new URL(`/account/${lowerCase(to)}?tab=results`, page.url()).href);
      await rows.filter({ hasText: "Rowing Otter" }).getByText("received 5000", { exact: true }).waitFor();
    });
  });
});

test("a token hidden by the operator disappears, and its page shows only the reason", async () => {
  const { chain, service } = shared;
  const [creator] = chain.traders;
  const mint = lowerCase(await chain.create(creator, "Rowing Heron", "ROWHERON"));
  const otherTrader = chain.traders[5] as Address;
  for (const token of [mint, otter]) {
    await chain.buy(otherTrader, token, bought);
    await chain.transfer(otherTrader, token, creator, parseEther("1000"));
  }
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
    const buyer = chain.traders[8] as Address;
    for (const token of [mint, otter, otter]) await chain.buy(buyer, token, bought);
    const itsBuys = feed.locator("li").filter({ hasText: short(buyer) });
    await expect.poll(() => itsBuys.count(), liveTimeout).toBe(2);
    expect(await feed.innerText()).not.toContain("HERON");

    const tabs = ["holdings", "results", "trades", "transfers"];
    for (const tab of sized({ usual: tabs.slice(0, 1), long: tabs })) {
      await page.goto(new URL(`/account/${lowerCase(otherTrader)}?tab=${tab}`, page.url()).href);
      await page.getByRole("link", { name: "Hidden token" }).first().waitFor();
      await page.getByRole("link", { name: "Rowing Otter" }).first().waitFor();
      expect(await page.locator("main").innerText()).not.toContain("Heron");
    }
  });
  // Pages that were already open drop it with the next event.
  await usingPage(list, () => card(list, "Rowing Heron").waitFor({ state: "detached", ...liveTimeout }));
  await usingPage(open, async () => {
    await open.getByRole("heading", { name: "Hidden by the operator" }).waitFor(liveTimeout);
    await expect.poll(() => open.title()).toBe("Hidden by the operator · Launchpad");
  });
});

onlyInLongRun(() => {
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
    // A read that failed doesn't mean that there is none. The next one takes seconds, so only the first page has it fail.
    let failuresLeft = sized({ usual: 0, long: 2 });
    const paths = ["/", `/account/${lowerCase(trader)}`];
    for (const path of paths.slice(0, sized({ usual: 1, long: 2 }))) {
      await inTab("about:blank", async (page) => {
        await page.route(/fields=mint%2CimageUrl/, async (route) => {
          // The client tries once more by itself.
          if (failuresLeft-- > 0) await route.abort();
          else await route.continue();
        });
        await explorer.revisit(page, path);
        const row = page.locator(".feed li, .rows tr").filter({ hasText: /ROWSWAN|Rowing Swan/ });
        await row.locator(`img[src="/ipfs/${body.cid}?width=64"]`).first().waitFor();
      });
    }
  });

  test("the feed is in the order of time, whenever its events arrive", async () => {
    await inTab("about:blank", async (page) => {
      const later = new Date(Date.now() + 3_600_000).toISOString();
      await page.route(/\/api\/trades\?/, async (route) => {
        const response = await route.fetch(retried);
        const answer = (await response.json()) as { trades: { timestamp: string }[] };
        const trades = answer.trades.map((trade, at) => (at === 0 ? { ...trade, timestamp: later } : trade));
        await route.fulfill({ response, json: { ...answer, trades } });
      });
      await explorer.revisit(page, "/");
      await page.locator(".live.is-live").waitFor();
      const times = page.locator(".feed time");
      await expect.poll(() => times.first().getAttribute("datetime")).toBe(later);
      const count = await times.count();
      await shared.chain.buy(shared.chain.traders[1], otter, bought);
      await expect.poll(() => times.count(), liveTimeout).toBeGreaterThan(count);
      const shown = await times.evaluateAll((all) => all.map((time) => time.getAttribute("datetime") ?? ""));
      const moments = shown.map((time) => Date.parse(time));
      expect(moments).toEqual([...moments].sort((a, b) => b - a));
      expect(shown[0]).toBe(later);
    });
  });
});

test("the page of an address that is not a token says so", async () => {
  await inTab(`/token/0x${"12".repeat(20)}`, (page) =>
    page.getByRole("heading", { name: "Not a token of this launchpad" }).waitFor(),
  );
});

/* Accessibility of every page, in both themes, on wide and narrow screens. */

const pages = () => [
  { path: "/", shown: ".card .cover" },
  { path: "/board", shown: ".board-card .cover" },
  { path: `/?q=${"nothing-of-this-name"}`, shown: ".empty" },
  { path: otterPage(), shown: ".rows tbody tr" },
  { path: `/token/${graduated}?tab=holders`, shown: ".rows tbody tr" },
  ...["traders", "transfers"].map((tab) => ({
    path: `${otterPage()}?tab=${tab}`,
    shown: ".rows tbody tr",
  })),
  { path: `/token/0x${"12".repeat(20)}`, shown: ".empty" },
  ...["holdings", "results", "trades", "transfers"].map((tab) => ({
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

/** One of each kind: a list, a form, a chart and a table. */
const usualPages = () =>
  sized({
    usual: pages().filter(({ path }) => /^\/($|create|.*tab=holders)/.test(path)),
    long: pages(),
  });

test("axe finds no problem on any page, in either theme, at 320 pixels nothing is cut off, and lists fill large screens", async () => {
  const wide = { width: 1280, height: 900 };
  const large = { width: 3840, height: 2160 };
  const lists = [
    { path: "/", last: ".home-side" },
    { path: "/board", last: ".board-column:last-child" },
    { path: `/token/${graduated}?tab=holders`, last: ".token-side" },
  ];
  const onLargeScreen = sized({ usual: lists.slice(0, 1), long: lists });
  await onEachPage(
    { viewport: wide },
    async (page, path) => {
      expect(await axeViolations(page, bothThemes)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      const overflow = async () => {
        const { shown, window } = await pageWidths(page);
        return `${path}: ${shown - window} pixels`;
      };
      await expect.poll(overflow).toBe(`${path}: 0 pixels`);
      const last = onLargeScreen.find((list) => list.path === path)?.last;
      if (last !== undefined) {
        await page.setViewportSize(large);
        await expect.poll(overflow).toBe(`${path}: 0 pixels`);
        const end = async () => {
          const box = await page.locator(last).boundingBox();
          return (box?.x ?? 0) + (box?.width ?? 0);
        };
        await expect.poll(end, { message: path }).toBeGreaterThan(3_700);
      }
      await page.setViewportSize(wide);
    },
    usualPages(),
  );
});

onlyInLongRun(() => {
  test("an operator's name, logo, colour and links are on the pages and on cards", async () => {
    const { service } = shared;
    const { folder } = await temporaryFolder();
    const logo = path.join(folder, "logo.svg");
    await writeFile(
      logo,
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
    );
    const replica = await service.startReplica({
      env: {
        ...service.options.env,
        BRAND_NAME: '"Otter" & <Co>',
        BRAND_LOGO: logo,
        BRAND_ACCENT: "#1A1AE6",
        BRAND_LINKS: "X=https://x.com/otters, Help=mailto:help@otters.example",
        TERMS_URL: "https://otters.example/terms",
      },
    });
    const branded = await openExplorer(replica.url);
    try {
      const page = await branded.open(otterPage(), { locale: "zh-CN" });
      await page.getByRole("heading", { name: "Rowing Otter" }).waitFor();
      expect(await page.title()).toMatch(/^ROWOTTER \S+( BNB)? · Rowing Otter · "Otter" & <Co>$/);
      // Alerts are off here: the bell sets none but those of the browser, and there is no page of the others.
      await page.getByRole("button", { name: "分享" }).waitFor();
      await page.getByRole("button", { name: "设置提醒" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("combobox", { name: "提醒条件" }).waitFor();
      expect(await dialog.getByRole("radio", { name: "Webhook" }).count()).toBe(0);
      await page.keyboard.press("Escape");
      expect(
        (await fetch(new URL("/alerts", replica.url), { headers: { accept: "text/html" } })).status,
      ).toBe(404);
      const home = page.getByRole("banner").getByRole("link", { name: '"Otter" & <Co>' });
      await home.waitFor();
      expect(await page.evaluate('document.querySelector(".brand img").naturalWidth')).toBeGreaterThan(0);
      const links = page.getByRole("navigation", { name: '"Otter" & <Co> 的链接' }).getByRole("link");
      const shown = (await links.all()).map(async (link) => [
        await link.textContent(),
        await link.getAttribute("href"),
      ]);
      expect(await Promise.all(shown)).toEqual([
        ["X", "https://x.com/otters"],
        ["Help", "mailto:help@otters.example"],
        ["服务条款", "https://otters.example/terms"],
      ]);
      const colour = 'getComputedStyle(document.querySelector(".header .is-primary")).backgroundColor';
      expect(await page.evaluate(colour)).toBe("rgb(26, 26, 230)");
      expect(await axeViolations(page)).toEqual([]);
      expect(branded.problems).toEqual([]);

      const [own, usual] = await Promise.all(
        [replica.url, service.indexer.url].map(async (url) =>
          Buffer.from(await (await fetch(new URL(`${otterPage()}/card.png`, url))).arrayBuffer()),
        ),
      );
      expect(own?.subarray(1, 4).toString()).toBe("PNG");
      expect(own?.equals(usual ?? Buffer.of())).toBe(false);
    } finally {
      await branded.close();
      await replica.stop();
    }
  });
});

/* Languages. */

test("with a Chinese browser every page is in Chinese, without problems for axe and nothing cut off on a phone", async () => {
  const phone = { viewport: { width: 360, height: 740 }, locale: "zh-CN" } as const;
  await onEachPage(
    phone,
    async (page, path) => {
      // The list is in the document, and so is shown before the catalogue is loaded.
      const language = () =>
        page.evaluate(`({
          lang: document.documentElement.lang,
          catalogues: [...new Set(performance.getEntriesByType("resource")
            .flatMap(({ name }) => /assets\\/(en|zh)-/.exec(name)?.[1] ?? []))],
        })`);
      await expect.poll(language, { message: path }).toEqual({ lang: "zh-CN", catalogues: ["zh"] });
      const shown = (await page.locator("body").innerText()).replaceAll(/Rowing \w+|Rows upstream/g, "");
      // English sentences; names such as «Trust Wallet» and links are shorter.
      expect(shown.match(/[a-z]{2,}( [a-z]{2,}){2,}/gi) ?? [], path).toEqual([]);
      // This service has no rate of the dollar.
      expect(shown, path).not.toContain("$");
      const overflow = async () => {
        const widths = await pageWidths(page);
        return `${path}: ${widths.shown - widths.window} pixels`;
      };
      await expect.poll(overflow).toBe(`${path}: 0 pixels`);
      if (path === "/") {
        const themes = sized({ usual: bothThemes.slice(0, 1), long: bothThemes });
        expect(await axeViolations(page, themes)).toEqual([]);
      }
    },
    usualPages(),
  );
});

onlyInLongRun(() => {
  test("the language can be changed, and the choice is remembered", async () => {
    const page = await explorer.open("/", { locale: "zh-CN" });
    await usingPage(page, async () => {
      await page.getByRole("navigation", { name: "页面" }).getByRole("link", { name: "排行榜" }).waitFor();
      expect(await page.title()).toBe("代币 · Launchpad");
      const otters = card(page, "Rowing Otter");
      await otters.getByText(/^\d+(秒|分|小时)$|^刚刚$/).waitFor();

      await page.getByRole("radio", { name: "English" }).click();
      await page.getByRole("link", { name: "Leaderboard" }).waitFor();
      expect(await page.evaluate("document.documentElement.lang")).toBe("en-GB");
      await page.goto(new URL(otterPage(), shared.service.indexer.url).href);
      await page.getByRole("heading", { name: "Bonding curve" }).waitFor();

      await page.getByRole("radio", { name: "中文" }).click();
      await page.getByRole("heading", { name: "内盘" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "内盘" }).waitFor();
    });
  });
});

test("on a phone, tables of tokens and accounts fit the screen and no keyboard shortcut is shown", async () => {
  const phone = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true };
  const examined = sized({ usual: /tab=(traders|trades|created)/, long: /^\/token\/[^?]+$|tab=/ });
  const withTables = pages().filter(({ path, shown }) => shown.startsWith(".rows") && examined.test(path));
  await onEachPage(
    phone,
    async (page, path) => {
      const { shown, window } = await pageWidths(page);
      expect([path, shown]).toEqual([path, window]);
      const [wide, room] = await Promise.all(
        ["scrollWidth", "clientWidth"].map((what) =>
          page.evaluate(`document.querySelector(".scroll-x:has(.rows)").${what}`),
        ),
      );
      expect([path, wide]).toEqual([path, room]);
      expect(await page.locator(".search .key").isVisible()).toBe(false);
    },
    withTables,
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
