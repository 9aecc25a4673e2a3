import fc from "fast-check";
import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { createLaunchpadClient } from "../../../client/src/index.ts";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { connectMcp } from "../../service/mcp-client.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import { listedNames } from "./listed-market.ts";
import type { PricesAndListsServed } from "./served.ts";

/** Compact rows, chosen fields, several mints at once, and short searches. */
export function testListForms(served: () => PricesAndListsServed): void {
  let chain: LaunchpadChain;
  let service: Service;
  let rest: RestClient;
  let mints: Address[];
  let unregistered: Address;

  beforeAll(() => {
    ({ service, rest } = served());
    ({ chain, mints, unregistered } = served().listed);
  });

  type Entry = Record<string, never> & {
    mint: string;
    priceBnb: string;
    marketCapBnb: string;
    windows: { "24h": { volumeBnb: string } };
  };

  const entriesOf = async (search: string): Promise<Entry[]> =>
    (await rest.get(`/api/tokens?${search}`)).body.tokens;

  /** To 6 significant digits, as a number. */
  const rounded = (decimal: string) => Number(Number(decimal).toPrecision(6));

  test("compact rows have the values of full entries, rounded, in the same order", async () => {
    for (const sort of ["newest", "volume"]) {
      const full = await entriesOf(`sort=${sort}&limit=100`);
      const { body, text } = await rest.get(`/api/tokens?sort=${sort}&limit=100&view=compact`);
      expect(body).toMatchObject({
        view: "compact",
        total: mints.length,
        page: 1,
        limit: 100,
        hasMore: false,
      });
      expect(
        body.tokens.map(({ priceBnb, marketCapBnb, volume24hBnb, ...row }: Record<string, string>) => ({
          ...row,
          amounts: [priceBnb, marketCapBnb, volume24hBnb].map(Number),
        })),
      ).toEqual(
        full.map(({ mint, name, symbol, createdAt, progress, holderCount, ...entry }) => ({
          mint,
          name,
          symbol,
          createdAt,
          progress,
          holderCount,
          amounts: [entry.priceBnb, entry.marketCapBnb, entry.windows["24h"].volumeBnb].map(rounded),
        })),
      );
      expect(Buffer.byteLength(text) / mints.length).toBeLessThan(270);
    }
    const [row] = (await rest.get(`/api/tokens?view=compact&mint=${mints[1]}`)).body.tokens;
    expect(row.volume24hBnb).toBe("0.00111111");
  });

  test("selected fields equal those of the full entry, with the mint added", async () => {
    const full = await entriesOf("limit=7");
    const { body } = await rest.get("/api/tokens?limit=7&fields=windows,%20symbol,symbol");
    expect(body).toMatchObject({ fields: ["windows", "symbol"], total: mints.length, hasMore: true });
    expect(body.tokens).toEqual(full.map(({ mint, symbol, windows }) => ({ mint, symbol, windows })));
    const all = Object.keys(full[0] ?? {}).join(",");
    expect((await rest.get(`/api/tokens?limit=7&fields=${all}`)).body.tokens).toEqual(full);
  });

  test.each([() => mints[3] ?? "", () => unregistered])(
    "selected fields of one token equal those of all of it (%#)",
    async (getMint) => {
      const path = `/api/token/${getMint()}`;
      const { body: full } = await rest.get(path);
      const { mint, symbol, windows, buyImpacts } = full;
      const { body } = await rest.get(`${path}?fields=buyImpacts,windows,%20symbol,symbol`);
      expect(body).toEqual({
        fields: ["buyImpacts", "windows", "symbol"],
        mint,
        symbol,
        windows,
        buyImpacts,
      });
      const all = Object.keys(full);
      expect((await rest.get(`${path}?fields=${all}`)).body).toEqual({ ...full, fields: all });
      const wrong = await rest.get(`${path}?fields=symbol,price`);
      expect([wrong.status, wrong.body.errors]).toEqual([
        400,
        [{ path: "fields", message: expect.stringMatching(/must be names of fields.*, buyImpacts$/) }],
      ]);
    },
  );

  test.each([
    ["fields=symbol,price", "fields", /must be names of fields.*: mint, chainId, .*priceBnb/],
    ["fields=", "fields", /must be names of fields/],
    ["fields=symbol&view=compact", "fields", /leave out either/],
    ["view=short", "view", /full, compact/],
    [`mint=${"0x1"}`, "mint", /^must be an address/],
    [`mint=0x${"1".repeat(40)},0x1`, "mint", /addresses, separated by commas: number 2 is not/],
    [`mint=0x${"1".repeat(40)},`, "mint", /number 2 is not/],
    [`mint=${Array(101).fill(`0x${"1".repeat(40)}`)}`, "mint", /at most 100 mints/],
  ])("%s: 400 that names %s", async (query, path, message) => {
    const { status, body } = await rest.get(`/api/tokens?${query}`);
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(body.errors).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  test("several mints are returned with full market data, in the order given", async () => {
    const entries = new Map((await entriesOf("limit=100")).map((entry) => [entry.mint, entry]));
    const unknown = `0x${"9".repeat(40)}`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...mints, unregistered, unknown), { minLength: 2, maxLength: 100 }),
        fc.boolean(),
        async (asked, inCapitals) => {
          const written = asked.map((mint) => (inCapitals ? `0x${mint.slice(2).toUpperCase()}` : mint));
          const { body } = await rest.get(`/api/tokens?sort=volume&mint=${written}`);
          const listed = [...new Set(asked)].filter((mint) => entries.has(mint));
          expect(body.tokens).toEqual(listed.map((mint) => entries.get(mint)));
          expect([body.total, body.hasMore]).toEqual([listed.length, false]);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("a list of several mints can be paged, filtered and shortened", async () => {
    const asked = [...mints].reverse().join(",");
    const found = async (search: string) => await rest.get(`/api/tokens?mint=${asked}&${search}`);
    expect((await found("")).body).toMatchObject({
      total: mints.length,
      page: 1,
      limit: 100,
      hasMore: false,
    });
    const second = (await found("limit=10&page=2")).body;
    expect(second).toMatchObject({ total: mints.length, page: 2, limit: 10, hasMore: true });
    expect(second.tokens.map(({ mint }: Entry) => mint)).toEqual([...mints].reverse().slice(10, 20));

    const of = async (search: string) => (await found(search)).body.tokens.map(({ mint }: Entry) => mint);
    expect(await of("board=listed")).toEqual([mints[0]]);
    expect(await of("q=小狗")).toEqual([mints[1]]);
    expect(await of("q=otter&board=new")).toEqual([]);
    const byCreator = await of(`creator=${chain.traders[2]}`);
    expect(byCreator).toEqual(mints.filter((_, index) => index % 2 === 1).reverse());
    expect(await of("view=compact")).toEqual([...mints].reverse());
    expect(await of("fields=name")).toEqual([...mints].reverse());
    // A single mint is a filter like any other.
    expect((await rest.get(`/api/tokens?mint=${mints[0]},${mints[0]}`)).body).toMatchObject({
      total: 1,
      limit: 20,
    });
  });

  test("a lookup of several mints is as current as the list", async () => {
    const asked = `/api/tokens?fields=holderCount&mint=${mints[3]},${mints[4]}`;
    const before = (await rest.get(asked)).body.tokens[0].holderCount;
    await chain.buy(chain.traders[1], mints[3] as Address, 10n ** 15n);
    const after = await rest.get(`${asked}&minBlock=${await chain.head()}`);
    expect(after.body.tokens[0].holderCount).toBe(before + 1);
    expect(after.headers.get("x-index-block")).toBe(`${chain.chainId}:${await chain.head()}`);
  });

  test.each([
    ...["小狗", "狗", "级小", "🐶", "币🐶", "🐶x", "A超"].map((query) => [query, 1] as const),
    ...["❤", "❤️", "👍", "👍🏽", "i ❤️"].map((query) => [query, 2] as const),
  ])("a search for %s finds it anywhere in name or symbol", async (query, index) => {
    expect(await rest.mints(`q=${encodeURIComponent(query)}`)).toEqual([mints[index]]);
  });

  test.each(["狗小", "👍🏿", "x", "ts"])("a search for %s finds nothing", async (query) => {
    expect(await rest.mints(`q=${encodeURIComponent(query)}`)).toEqual([]);
  });

  test("find_tokens returns compact rows or the requested fields, with names kept apart", async () => {
    const mcp = await connectMcp(service.indexer.url);
    try {
      const { tokens } = await mcp.use("find_tokens", { limit: 5 });
      const { body } = await rest.get("/api/tokens?limit=5&view=compact");
      expect(tokens).toEqual(
        body.tokens.map(({ name, symbol, ...row }: Record<string, string>) => ({
          ...row,
          untrusted: { name, symbol },
        })),
      );
      const chosen = await mcp.use("find_tokens", {
        limit: 5,
        exact: true,
        fields: ["priceBnb", "windows"],
      });
      expect(chosen.tokens).toEqual(
        (await rest.get("/api/tokens?limit=5")).body.tokens.map(
          ({ mint, priceBnb, windows, name, symbol }: Record<string, string>) => ({
            mint,
            priceBnb,
            windows,
            untrusted: { name, symbol },
          }),
        ),
      );
    } finally {
      await mcp.close();
    }
  });

  test("the client's lists are typed by their form", async () => {
    const launchpad = createLaunchpadClient({ baseUrl: service.indexer.url });
    const mint = mints.slice(0, 3).join(",");
    const volumes: string[] = [];
    for await (const token of launchpad.tokens({ mint, view: "compact" })) volumes.push(token.volume24hBnb);
    const symbols: (string | undefined)[] = [];
    for await (const token of launchpad.tokens({ mint, fields: "symbol" })) symbols.push(token.symbol);
    const trades: number[] = [];
    for await (const token of launchpad.tokens({ mint })) trades.push(token.windows["24h"].trades);
    expect({ volumes, symbols, trades }).toEqual({
      volumes: ["0", "0.00111111", "0.001"],
      symbols: listedNames.map(([, symbol]) => symbol),
      trades: [0, 1, 1],
    });
  });
}
