import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLaunchpadClient } from "../../../client/src/index.ts";
import { sorts } from "../../../src/api/tokens/list/order/sorts.ts";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { sized } from "../../run/long-run.ts";
import { connectMcp, type McpClient } from "../../service/mcp-client.ts";
import { registrationOf } from "../../service/registration.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { PricesAndListsServed } from "./served.ts";

const pageSize = 4;

type Row = { mint: string };
/** The mints of each page in turn. */
type Pages = AsyncGenerator<string[], void, void>;

/** Cursors of the list, while some of its tokens trade and others don't. */
export function testListCursors(served: () => PricesAndListsServed): void {
  let chain: LaunchpadChain;
  let service: Service;
  let rest: RestClient;
  let untilIndexed: PricesAndListsServed["untilIndexed"];
  let mcp: McpClient;
  let mints: Address[];
  let movers: Address[];

  beforeAll(async () => {
    ({ service, rest, untilIndexed } = served());
    ({ chain, mints } = served().listed);
    mcp = await connectMcp(service.indexer.url);
    movers = mints.filter((_, index) => index > 3 && index % 2 === 1);
    // Few different amounts and numbers of trades, so that many tokens share a value.
    for (const [index, mint] of mints.entries()) {
      if (index < 3) continue;
      await chain.buy(sellerOf(mint), mint, 10n ** 14n * BigInt(1 + (index % 4)));
      if (index % 5 === 0) await chain.buy(chain.traders[2], mint, 10n ** 14n);
    }
    await untilIndexed(chain);
  });

  afterAll(() => mcp?.close());

  const mintsOf = (rows: Row[]) => rows.map(({ mint }) => mint);
  const stays = (mint: string) => mints.includes(mint as Address) && !movers.includes(mint as Address);
  const sellerOf = (mint: Address) => chain.traders[3 + (mints.indexOf(mint) % 3)] as Address;

  async function launch(name: string): Promise<Address> {
    const [creator] = chain.traders;
    const mint = (await chain.create(creator, name, "NEW")).toLowerCase() as Address;
    await untilIndexed(chain);
    const { status } = await rest.post("/api/tokens", registrationOf(mint, creator, { name, symbol: "NEW" }));
    expect(status).toBe(201);
    return mint;
  }

  /** One token rises in every order by trades or price, another falls, and sometimes a new one comes first in the others. */
  async function moveMarket(step: number): Promise<void> {
    const rising = movers[step % movers.length] as Address;
    await chain.buy(chain.traders[6] as Address, rising, 10n ** 15n * BigInt(2 + (step % 5)));
    const falling = movers[(step * 3 + 4) % movers.length] as Address;
    const balance = await chain.balanceOf(falling, sellerOf(falling));
    if (balance > 0n) await chain.sell(sellerOf(falling), falling, balance);
    if (step % 2 === 0) await launch(`Filler later ${step}`);
    await untilIndexed(chain);
  }

  async function* byCursor(search: string): Pages {
    let next = "";
    do {
      const { body } = await rest.get(`/api/tokens?${search}&limit=${pageSize}${next}`);
      expect(body.hasMore).toBe(body.nextCursor !== null);
      yield mintsOf(body.tokens);
      next = body.nextCursor === null ? "" : `&cursor=${body.nextCursor}`;
    } while (next !== "");
  }

  async function* byNumber(search: string): Pages {
    for (let page = 1; ; page++) {
      const { body } = await rest.get(`/api/tokens?${search}&limit=${pageSize}&page=${page}`);
      yield mintsOf(body.tokens);
      if (!body.hasMore) return;
    }
  }

  async function* byTool(args: object): Pages {
    let cursor: string | undefined;
    do {
      const { tokens, nextCursor } = await mcp.use("find_tokens", { ...args, cursor });
      yield mintsOf(tokens);
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  async function* byClient(query: { sort: (typeof sorts)[number] }): Pages {
    const launchpad = createLaunchpadClient({ baseUrl: service.indexer.url });
    let page: string[] = [];
    for await (const { mint } of launchpad.tokens({ ...query, limit: pageSize })) {
      page.push(mint);
      if (page.length < pageSize) continue;
      yield page;
      page = [];
    }
    yield page;
  }

  test("whatever trades between two pages, a token that stays in place is neither repeated nor skipped", async () => {
    const several = [...mints].reverse();
    const searches = [
      ...sized<readonly string[]>({ usual: [], long: sorts }).map((sort) => `sort=${sort}`),
      "sort=gainers&window=1h",
      "sort=volume&q=filler",
      "sort=holders&board=new",
      `sort=trades&creator=${chain.traders[0]}`,
      "sort=marketcap&minHolders=1&minVolumeBnb=0.0002",
      "sort=trending&view=compact",
      "sort=progress&fields=symbol",
      `mint=${several}`,
    ];
    const fields = ["windows", "risk", "creatorRecord", "liquidityBnb"];
    const walks: { search: string; pages: Pages; seen: string[] }[] = [
      ...searches.map((search) => ({ search, pages: byCursor(search), seen: [] })),
      { search: "sort=holders", pages: byTool({ sort: "holders", limit: pageSize }), seen: [] },
      // More than fits into a result.
      { search: "sort=volume", pages: byTool({ sort: "volume", limit: 100, fields }), seen: [] },
      { search: "sort=trades", pages: byClient({ sort: "trades" }), seen: [] },
    ];
    const numbered: (typeof walks)[number] = {
      search: "sort=volume",
      pages: byNumber("sort=volume"),
      seen: [],
    };

    let open = [...walks, numbered];
    for (let step = 0; open.length > 0; step++) {
      const turned = open.map(async (walk) => {
        const { value: page } = await walk.pages.next();
        walk.seen.push(...(page ?? []));
        return page === undefined ? [] : [walk];
      });
      open = (await Promise.all(turned)).flat();
      if (open.length > 0) await moveMarket(step);
    }

    const expected = async (search: string) => (await rest.mints(`${search}&limit=100`)).filter(stays);
    for (const { search, seen } of walks) {
      const staying = await expected(search);
      expect(staying.length).toBeGreaterThan(pageSize);
      expect([search, seen.filter(stays)]).toEqual([search, staying]);
    }
    // The market did move across the pages.
    expect(numbered.seen.filter(stays)).not.toEqual(await expected(numbered.search));
  });

  test("a page by cursor may have another size and form, and answers HEAD and If-None-Match", async () => {
    const all = (await rest.get("/api/tokens?sort=trades&limit=100")).body;
    expect(all).toMatchObject({ hasMore: false, nextCursor: null });
    const { nextCursor } = (await rest.get("/api/tokens?sort=trades&page=2&limit=3")).body;
    const path = `/api/tokens?sort=trades&chainId=56&cursor=${nextCursor}`;
    const { body, headers } = await rest.get(`${path}&limit=5`);
    expect(body).toMatchObject({ total: all.total, page: 2, limit: 5, hasMore: true });
    expect(body.tokens).toEqual(all.tokens.slice(6, 11));
    expect(await rest.mints(`${path.slice(12)}&view=compact&limit=100`)).toEqual(
      mintsOf(all.tokens.slice(6)),
    );
    const chosen = (await rest.get(`${path}&fields=symbol&limit=1`)).body;
    expect(chosen.tokens).toEqual([{ mint: all.tokens[6].mint, symbol: all.tokens[6].symbol }]);

    const etag = headers.get("etag") ?? "";
    expect((await rest.get(`${path}&limit=5`, { "if-none-match": etag })).status).toBe(304);
    const head = await fetch(`${service.indexer.url}${path}&limit=5`, { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
  });

  test("if everything after a cursor has moved before it, the page is empty, and the last", async () => {
    const [first] = [await launch("Vanishing one"), await launch("Vanishing two")];
    const list = "/api/tokens?q=vanishing&sort=trades&limit=1";
    const { nextCursor } = (await rest.get(list)).body;
    await chain.buy(chain.traders[1], first, 10n ** 14n);
    await untilIndexed(chain);
    expect((await rest.get(`${list}&cursor=${nextCursor}`)).body).toEqual({
      tokens: [],
      total: 2,
      page: 3,
      limit: 1,
      hasMore: false,
      nextCursor: null,
    });
  });

  describe("a cursor is refused", () => {
    let cursor: string;

    beforeAll(async () => {
      cursor = (await rest.get("/api/tokens?sort=gainers&limit=1")).body.nextCursor;
    });

    async function expectRefusal(search: string, message: RegExp): Promise<void> {
      const { status, body } = await rest.get(`/api/tokens?${search}`);
      expect([status, body.code]).toEqual([400, "invalid_request"]);
      expect(body.errors).toEqual([{ path: "cursor", message: expect.stringMatching(message) }]);
    }

    test.each([
      ...["", "sort=losers", "sort=gainers&window=1h", "sort=gainers&board=new", "sort=gainers&q=filler"],
      ...["sort=gainers&minHolders=1", "sort=gainers&verified=true", "sort=gainers&chainId=97"],
      `sort=gainers&creator=0x${"1".repeat(40)}`,
      `sort=gainers&mint=0x${"1".repeat(40)}`,
    ])("in another list: %s", async (search) => {
      await expectRefusal(
        `${search}&cursor=${cursor}`,
        /^is of a list with another sort or other filters: .* start again without cursor$/,
      );
    });

    test("beside a page number", async () => {
      await expectRefusal(`sort=gainers&page=1&cursor=${cursor}`, /leave out either cursor or page$/);
    });

    test("if it is anything but a cursor of the list", async () => {
      const { nextCursor } = (await rest.get("/api/trades?limit=1")).body;
      const wrong = ["", "2", "tokens", nextCursor, `${cursor}A`, cursor.slice(0, -1), `${cursor},${cursor}`];
      for (const text of [...wrong, "a".repeat(8_000), `tokens.${"_".repeat(8)}.${"_".repeat(43)}`]) {
        await expectRefusal(
          `sort=gainers&cursor=${text}`,
          /^must be the nextCursor of an answer, unchanged$/,
        );
      }
      const fromTrades = await mcp.call("find_tokens", { cursor: "nonsense" });
      expect([fromTrades.isError, fromTrades.text]).toEqual([
        true,
        expect.stringMatching(/^invalid_cursor: .*without it/),
      ]);
      const { nextCursor: place } = await mcp.use("find_tokens", { sort: "gainers", limit: 1 });
      const elsewhere = await mcp.call("find_tokens", { sort: "losers", limit: 1, cursor: place });
      expect([elsewhere.isError, elsewhere.text]).toEqual([
        true,
        expect.stringMatching(/^invalid_request: cursor is of a list with another sort/),
      ]);
    });
  });
}
