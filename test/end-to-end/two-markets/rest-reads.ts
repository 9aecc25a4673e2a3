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
          ...{
            name: "On the curve",
            symbol: "CURVE",
            decimals: 18,
            description: "A token.",
            image: "ipfs://image",
          },
          ...{ external_url: "https://a.example", website: "https://a.example", twitter: "https://x.com/a" },
          ...{ telegram: "https://t.me/a", mint: onCurve.toLowerCase(), chainId: 56, registered: true },
          ...{ creator: creator.toLowerCase(), verified: false },
        },
      ]);
      expect(headers.get("cache-control")).toMatch(/public, max-age=\d+/);
    });

    test("of an unregistered token is available, although no list has the token", async () => {
      const { status, body } = await rest.get(`/api/metadata/${onDex}`);
      expect([status, body]).toEqual([
        200,
        {
          ...{ name: "On the DEX", symbol: "DEX", decimals: 18, description: "", image: "", chainId: 56 },
          ...{ mint: onDex.toLowerCase(), creator: creator.toLowerCase() },
          ...{ registered: false, verified: false },
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
