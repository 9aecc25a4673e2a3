import { type Address, getAddress } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { registrationOf } from "../../service/registration.ts";
import type { RestClient } from "../../service/rest-client.ts";
import type { TwoMarketsServed } from "./served.ts";

export function testReads(served: () => TwoMarketsServed): void {
  let mainnet: LaunchpadChain;
  let testnet: LaunchpadChain;
  let rest: RestClient;
  /** `creator` made both tokens, `buyer` bought most of both, `friend` holds a little of the second. */
  let creator: Address;
  let buyer: Address;
  let friend: Address;
  /** `onCurve` is registered and half sold; `onDex` graduated, was traded on the DEX and is not registered. */
  let onCurve: Address;
  let onDex: Address;

  beforeAll(async () => {
    ({ mainnet, testnet, rest, creator, buyer, friend, onCurve, onDex } = served());
    await served().untilIndexed();
    const body = registrationOf(onCurve, creator, { name: "On the curve", symbol: "CURVE", burnPercent: 40 });
    const links = {
      twitterUrl: "https://x.com/a",
      telegramUrl: "https://t.me/a",
      websiteUrl: "https://a.example",
    };
    const texts = { description: "A token.", imageUrl: "ipfs://image", ...links };
    expect((await rest.post("/api/tokens", { ...body, ...texts })).status).toBe(201);
  });

  const curveOnChain = (token: Address) =>
    mainnet.publicClient.readContract({
      address: mainnet.deployment.launchpad,
      abi: launchpadAbi,
      functionName: "curves",
      args: [token],
    });

  test("the health endpoint says that the service is up", async () => {
    const { status, body } = await rest.get("/api/health");
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, status: "up", index: { writer: "live" } });
  });

  test("the manifest covers testnet, and an unknown chain is refused", async () => {
    const { body } = await rest.get("/api?chainId=97");
    expect(body.chain).toMatchObject({ id: 97, name: "BNB Smart Chain Testnet" });
    expect(body.contracts.launchpad).toBe(testnet.deployment.launchpad.toLowerCase());
    expect(body.registrationSignature.domain).toMatchObject({ chainId: 97 });
    const { status, body: problem } = await rest.get("/api?chainId=1");
    expect([status, problem.code, problem.errors[0].path]).toEqual([400, "invalid_request", "chainId"]);
  });

  test("a curve equals the chain's, before and after graduation", async () => {
    const head = Number(await mainnet.head());
    for (const [token, burnPercent] of [
      [onCurve, 40],
      [onDex, 30],
    ] as const) {
      const [bnb, tokens, real, sold, total, burned, graduated] = await curveOnChain(token);
      const { status, body } = await rest.get(`/api/curve/${getAddress(token)}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        mint: token.toLowerCase(),
        chainId: 56,
        virtualBnbReserves: String(bnb),
        virtualTokenReserves: String(tokens),
        realTokenReserves: String(real),
        tokensSold: String(sold),
        totalToSell: String(total),
        burnPercent,
        progress: graduated ? 100 : Math.floor((Number(sold) / Number(total)) * 1_000_000) / 10_000,
        graduated,
        reservesAreFinal: graduated,
        pair: graduated ? expect.stringMatching(/^0x[0-9a-f]{40}$/) : null,
        priceBnb: expect.stringMatching(/^0\.\d+$/),
        block: head,
      });
      expect(burned).toBe(burnPercent);
      if (!graduated) expect(Number(body.priceBnb)).toBeCloseTo(Number(bnb) / Number(tokens), 20);
    }
  });

  test("several curves come at once, keyed by mint as the caller spelled it", async () => {
    const unknown = `0x${"ab".repeat(20)}`;
    const spelled = [onCurve.toLowerCase(), getAddress(onCurve), getAddress(onDex), unknown];
    const { status, body } = await rest.get(`/api/curves?mints=${spelled.join(",")}`);
    const curve = { progress: expect.any(Number), graduated: false };
    expect([status, body]).toEqual([
      200,
      {
        curves: {
          [spelled[0] as string]: curve,
          [spelled[1] as string]: curve,
          [spelled[2] as string]: { progress: 100, graduated: true },
        },
        missing: [unknown],
      },
    ]);
  });

  test.each([
    ["", 400],
    ["?mints=", 400],
    ["?mints=0x12", 400],
    [
      `?mints=${Array(100)
        .fill(`0x${"0".repeat(40)}`)
        .join(",")}`,
      200,
    ],
    [
      `?mints=${Array(101)
        .fill(`0x${"0".repeat(40)}`)
        .join(",")}`,
      400,
    ],
  ])("curves%.30s: %i", async (query, status) => {
    expect((await rest.get(`/api/curves${query}`)).status).toBe(status);
  });

  describe("metadata", () => {
    test("of a registered token has all of its fields", async () => {
      const { status, body, headers } = await rest.get(`/api/metadata/${onCurve}`);
      expect([status, body]).toEqual([
        200,
        {
          name: "On the curve",
          symbol: "CURVE",
          decimals: 18,
          description: "A token.",
          image: "ipfs://image",
          external_url: "https://a.example",
          website: "https://a.example",
          twitter: "https://x.com/a",
          telegram: "https://t.me/a",
          mint: onCurve.toLowerCase(),
          chainId: 56,
          registered: true,
          creator: creator.toLowerCase(),
          verified: false,
        },
      ]);
      expect(headers.get("cache-control")).toMatch(/public, max-age=\d+/);
    });

    test("of an unregistered token is available, although no list has the token", async () => {
      const { status, body } = await rest.get(`/api/metadata/${onDex}`);
      expect([status, body]).toEqual([
        200,
        {
          name: "On the DEX",
          symbol: "DEX",
          decimals: 18,
          description: "",
          image: "",
          chainId: 56,
          mint: onDex.toLowerCase(),
          creator: creator.toLowerCase(),
          registered: false,
          verified: false,
        },
      ]);
      expect(await rest.mints(`creator=${creator}`)).toEqual([onCurve.toLowerCase()]);
      expect(await rest.mints(`mint=${onDex}`)).toEqual([]);
      expect(await rest.mints(`board=listed&creator=${creator}`)).toEqual([]);
    });
  });

  describe("holders", () => {
    const decimals4 = (part: bigint, total: bigint) => Number((part * 1_000_000n) / total) / 10_000;

    test("come with rank, share and label, largest first", async () => {
      const { status, body } = await rest.get(`/api/token/${onDex}/holders`);
      expect(status).toBe(200);
      const [larger, smaller] = [buyer, friend].map((address) => address.toLowerCase());
      const pair = (await rest.get(`/api/curve/${onDex}`)).body.pair;
      const expected = await Promise.all(
        [
          [larger, null],
          [pair, "pair"],
          [smaller, null],
          ["0x000000000000000000000000000000000000dead", "burn"],
        ].map(async ([address, label]) => ({
          address,
          label,
          balance: await mainnet.balanceOf(onDex, address),
        })),
      );
      expected.sort((left, right) => (left.balance < right.balance ? 1 : -1));
      const total = BigInt(body.totalSupplyRaw);
      expect(total).toBe(700_000_000n * 10n ** 18n);
      expect(body).toMatchObject({
        mint: onDex.toLowerCase(),
        chainId: 56,
        holderCount: 2,
        page: 1,
        limit: 20,
      });
      expect(body.hasMore).toBe(false);
      expect(
        body.holders.filter(({ balanceRaw }: { balanceRaw: string }) => BigInt(balanceRaw) > 0n),
      ).toEqual(
        expected.map(({ address, label, balance }, index) => ({
          rank: index + 1,
          address,
          balanceRaw: String(balance),
          percent: decimals4(balance, total),
          label,
          earlyBuyer: address === larger,
          labels: address === larger ? ["sniper"] : [],
        })),
      );
    });

    test("are labelled where they are the launchpad or the creator", async () => {
      const { body } = await rest.get(`/api/token/${onCurve}/holders`);
      const labels = body.holders.map(({ label }: { label: string }) => label);
      expect(labels).toEqual(["launchpad", null, "creator"]);
      expect(body.holderCount).toBe(2);
    });

    test("come in pages that neither repeat nor skip", async () => {
      const all = (await rest.get(`/api/token/${onDex}/holders`)).body.holders;
      for (const limit of [1, 2, 3]) {
        const found: unknown[] = [];
        for (let page = 1; ; page++) {
          const { body } = await rest.get(`/api/token/${onDex}/holders?page=${page}&limit=${limit}`);
          found.push(...body.holders);
          if (!body.hasMore) break;
        }
        expect(found).toEqual(all);
      }
    });

    test("follow a cursor with the same ranks, now and at a block", async () => {
      const now = `/api/token/${onDex}/holders`;
      const all = (await rest.get(now)).body.holders;
      for (const path of [`${now}?limit=1`, `${now}?limit=2`, `${now}?limit=1&at=${await mainnet.head()}`]) {
        const found: unknown[] = [];
        for (let next = path, number = 1; next !== ""; number++) {
          const { body } = await rest.get(next);
          expect(body.page).toBe(number);
          found.push(...body.holders);
          expect(body.hasMore).toBe(body.nextCursor !== null);
          next = body.nextCursor === null ? "" : `${path}&cursor=${body.nextCursor}`;
        }
        expect(found).toEqual(all);
      }
      for (const query of ["page=1&cursor=holders.1.0x", "cursor=holders.-1.0x", "cursor=trades.1.2"]) {
        expect((await rest.get(`${now}?${query}`)).body.code).toBe("invalid_request");
      }
    });

    test("refuse the cursor of another list, as leaderboards do", async () => {
      const holders = (await rest.get(`/api/token/${onDex}/holders?limit=1`)).body.nextCursor;
      const leaders = (await rest.get("/api/leaderboard?by=volume&limit=1")).body.nextCursor;
      expect((await rest.get(`/api/token/${onDex}/holders?cursor=${holders}`)).status).toBe(200);
      expect((await rest.get(`/api/leaderboard?by=volume&cursor=${leaders}`)).status).toBe(200);
      // A token's trades are the same list at both addresses.
      const trades = (await rest.get(`/api/token/${onDex}/trades?limit=1`)).body.nextCursor;
      for (const path of [`/api/token/${onDex}/trades?`, `/api/trades?mint=${onDex}&`]) {
        expect((await rest.get(`${path}cursor=${trades}`)).status).toBe(200);
      }
      for (const path of [
        `/api/token/${onCurve}/holders?cursor=${holders}`,
        `/api/token/${onDex}/holders?at=${await mainnet.head()}&cursor=${holders}`,
        `/api/leaderboard?by=volume&chainId=97&cursor=${leaders}`,
        // Of other tokens and chains, these would begin at the time of a trade that is none of theirs.
        `/api/token/${onCurve}/trades?cursor=${trades}`,
        `/api/trades?mint=${onDex}&trader=${mainnet.traders[0]}&cursor=${trades}`,
        `/api/trades?cursor=${trades}`,
        `/api/trades?mint=${onDex}&chainId=97&cursor=${trades}`,
      ]) {
        const { status, body } = await rest.get(path);
        expect([path, status, body.errors?.[0]?.path]).toEqual([path, 400, "cursor"]);
      }
    });

    test("at a block come in the same pages, and wait for it", async () => {
      const head = await mainnet.head();
      const path = `/api/token/${onDex}/holders?at=${head}&minBlock=${head}`;
      const { body } = await rest.get(path);
      const now = (await rest.get(`/api/token/${onDex}/holders`)).body;
      expect(body.holders).toEqual(now.holders);
      expect(body).toMatchObject({
        holderCount: now.holderCount,
        totalSupplyRaw: now.totalSupplyRaw,
        page: 1,
        hasMore: false,
        asOf: { block: expect.any(Number), time: expect.any(String) },
      });
      expect(body).not.toHaveProperty("risk");
      const second = (await rest.get(`${path}&limit=1&page=2`)).body;
      expect(second).toMatchObject({ holders: [now.holders[1]], page: 2, limit: 1, hasMore: true });
      const beyond = (await rest.get(`${path}&page=50`)).body;
      expect(beyond).toMatchObject({ holders: [], holderCount: now.holderCount, hasMore: false });
    });

    test("at a block before the token's creation are none", async () => {
      for (const at of ["1", "2020-01-01"]) {
        const { body } = await rest.get(`/api/token/${onDex}/holders?at=${at}`);
        expect(body).toMatchObject({ holders: [], holderCount: 0, totalSupplyRaw: "0", asOf: null });
        const { text } = await rest.get(`/api/token/${onDex}/holders?at=${at}`, { accept: "text/csv" });
        expect(text).toBe("address,balance_raw,percent,label\r\n");
      }
    });

    test.each([
      ["9999999999", 404, "block_not_indexed"],
      ["2200-01-01T00:00:00Z", 404, "block_not_indexed"],
      ["12345678901", 400, "invalid_request"],
      ["-1", 400, "invalid_request"],
      ["0x10", 400, "invalid_request"],
      ["latest", 400, "invalid_request"],
      ["2026-02-30", 400, "invalid_request"],
      ["", 400, "invalid_request"],
    ])("at %j: %i", async (at, status, code) => {
      for (const accept of ["application/json", "text/csv"]) {
        const answer = await rest.get(`/api/token/${onDex}/holders?at=${at}`, { accept });
        expect([answer.status, answer.body.code]).toEqual([status, code]);
      }
    });

    test.each([
      ["text/csv", "text/csv; charset=utf-8"],
      ["text/*", "text/csv; charset=utf-8"],
      ["application/json;q=0.5, text/csv", "text/csv; charset=utf-8"],
      ["text/csv;q=0.5, application/json", "application/json"],
      ["*/*", "application/json"],
      ["text/html, */*;q=0.1", "application/json"],
      ["text/csv;q=0.5, */*", "application/json"],
      ["text/csv;q=0, text/*", "application/json"],
      ["image/png", "application/json"],
      ["nonsense", "application/json"],
    ])("for Accept: %s are %s", async (accept, type) => {
      const { status, headers, text } = await rest.get(`/api/token/${onDex}/holders`, { accept });
      expect([status, headers.get("content-type"), headers.get("vary")]).toEqual([
        ...[200, type, expect.stringContaining("Accept")],
      ]);
      const etag = String(headers.get("etag"));
      const same = await rest.get(`/api/token/${onDex}/holders`, { accept, "if-none-match": etag });
      expect(same.status).toBe(304);
      if (type === "application/json") return;
      expect(headers.get("content-disposition")).toMatch(/^attachment; filename="0x[0-9a-f]{40}-\d+\.csv"$/);
      const { holders } = (await rest.get(`/api/token/${onDex}/holders`)).body;
      type Row = { address: string; balanceRaw: string; percent: number; label: string | null };
      const lines = holders.map(({ address, balanceRaw, percent, label }: Row) =>
        [address, balanceRaw, percent, label ?? ""].join(","),
      );
      expect(text).toBe(["address,balance_raw,percent,label", ...lines, ""].join("\r\n"));
    });

    test("per day begin with the token's creation", async () => {
      const { status, body } = await rest.get(`/api/token/${onDex}/holders/history`);
      const { body: now } = await rest.get(`/api/token/${onDex}/holders`);
      expect(status).toBe(200);
      expect(body.days.length).toBeLessThanOrEqual(2);
      const { top10Percent, effectiveHolders } = now.risk;
      const day = body.asOf.time.slice(0, "2026-01-01".length);
      expect(body.days.at(-1)).toEqual({ day, holders: 2, top10Percent, effectiveHolders });
      const unknown = await rest.get(`/api/token/0x${"12".repeat(20)}/holders/history`);
      expect([unknown.status, unknown.body.code]).toEqual([404, "token_not_found"]);
      for (const days of [0, 366, "a"]) {
        const refused = await rest.get(`/api/token/${onDex}/holders/history?days=${days}`);
        expect([refused.status, refused.body.errors[0].path]).toEqual([400, "days"]);
      }
    });

    test.each([
      "page=0",
      "limit=0",
      "limit=101",
      "page=-1",
      "page=1.5",
      "page=a",
      "page=1&page=2",
      "page=101&limit=100",
    ])("%s: 400", async (query) => {
      const { status, body } = await rest.get(`/api/token/${onDex}/holders?${query}`);
      expect([status, body.code]).toEqual([400, "invalid_request"]);
      expect(["page", "limit"]).toContain(body.errors[0].path);
    });
  });

  test.each(["/api/curve/", "/api/metadata/", "/api/token/"])(
    "%s of an unknown token: 404",
    async (start) => {
      const end = start === "/api/token/" ? "/holders" : "";
      const unknown = await rest.get(`${start}0x${"12".repeat(20)}${end}`);
      expect([unknown.status, unknown.body.code]).toEqual([404, "token_not_found"]);
      const elsewhere = await rest.get(`${start}${onDex}${end}?chainId=97`);
      expect(elsewhere.status).toBe(404);
      const malformed = await rest.get(`${start}${onDex}ff${end}`);
      expect([malformed.status, malformed.body.errors[0].path]).toEqual([400, "mint"]);
    },
  );
}
