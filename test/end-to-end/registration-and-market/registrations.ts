import { type Address, getAddress } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import type { RpcGate } from "../../doubles/rpc-gate.ts";
import { sized } from "../../run/long-run.ts";
import { until, untilServed } from "../../service/condition.ts";
import type { Indexer } from "../../service/indexer.ts";
import { registrationOf } from "../../service/registration.ts";
import { createRestClient, type RestClient } from "../../service/rest-client.ts";
import type { Service } from "../../service/service.ts";
import type { RegistrationServed } from "./served.ts";

export function testRegistrations(served: () => RegistrationServed): void {
  let chain: LaunchpadChain;
  let gate: RpcGate;
  let service: Service;
  /** Also accepts registrations, with its own connection to the chain. */
  let replica: Indexer;
  let rest: RestClient;
  let replicaRest: RestClient;

  beforeAll(async () => {
    ({ chain, gate, service, rest } = served());
    replica = await service.startReplica({
      chains: [chain, served().market.chain].map((each) => each.indexed()),
    });
    replicaRest = await createRestClient(replica.url);
  });

  afterAll(() => replica?.stop());

  const untilIndexed = async () => service.indexer.untilIndexed(56, await chain.head());
  const registrations = () => service.database.query("select * from offchain.registration order by id");
  const listed = async (client: RestClient, mint: Address) =>
    (await client.get(`/api/tokens?mint=${mint}`)).body.tokens[0];

  /** Creates a token that is indexed and not registered. */
  async function newToken(name?: string, symbol?: string, burnPercent?: number): Promise<Address> {
    const token = await chain.create(chain.traders[0], name, symbol, burnPercent);
    await untilIndexed();
    return token;
  }

  test("a registration is answered with its entry, and appears in the list", async () => {
    const [creator, buyer] = chain.traders;
    const mint = await newToken();
    await chain.buy(buyer, mint, 2n * 10n ** 16n);
    await untilIndexed();
    const texts = {
      description: "The bravest of otters.",
      imageUrl: "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
      twitterUrl: "https://x.com/otter",
      telegramUrl: "https://t.me/otter",
      websiteUrl: "http://otter.example/?a=1&b=2#c",
    };
    const { status, body } = await rest.post("/api/tokens", {
      ...registrationOf(getAddress(mint), getAddress(creator), texts),
      chainId: 56,
      launchpadAddress: getAddress(chain.deployment.launchpad),
    });
    expect(status).toBe(201);
    const [curve] = await service.database.query("select * from onchain.curve where token = $1", [
      mint.toLowerCase(),
    ]);
    const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const traded = { volumeBnb: "0.02", trades: 1, buys: 1, sells: 0 };
    // The price rose from (0.1 / 0.1)² to (0.12 / 0.1)² of the opening price.
    const window = { ...traded, traders: 1, priceChangePercent: 44 };
    expect(body).toEqual({
      ...registrationOf(mint.toLowerCase() as Address, creator.toLowerCase() as Address, texts),
      imageHttpUrl: `https://launchpad.example/ipfs/${texts.imageUrl.slice("ipfs://".length)}`,
      launchpadAddress: chain.deployment.launchpad.toLowerCase(),
      chainId: 56,
      registered: true,
      verified: false,
      registeredAt: isTime,
      createdAt: isTime,
      createdBlock: expect.any(Number),
      progress: curve?.progress,
      graduated: false,
      graduatedAt: null,
      // By the constant product: 0.12 BNB for 9e8 tokens * 0.1 / 0.12; and 5e8 tokens at that price.
      priceBnb: "0.00000000016",
      marketCapBnb: "0.08",
      holderCount: 1,
      liquidityBnb: "0.02",
      pair: null,
      lastTradeAt: isTime,
      ...traded,
      netVolumeBnb: "0.02",
      windows: { "5m": window, "1h": window, "6h": window, "24h": window },
      // 9e8 * 0.02 / 0.12 of 5e8 tokens, bought in the block after the curve opened.
      risk: {
        creatorPercent: 0,
        top10Percent: 100,
        earlyBuyersPercent: 100,
        creatorOfSupplyPercent: 0,
        top10OfSupplyPercent: 30,
        earlyBuyersOfSupplyPercent: 30,
        snipers: 1,
        snipersPercent: 100,
        snipersBoughtPercent: 100,
        bundlers: 0,
        bundlersPercent: 0,
        bundlersBoughtPercent: 0,
        insiders: 0,
        insidersPercent: 0,
        insidersReceivedPercent: 0,
        earlyBuyers: 1,
        effectiveHolders: 1,
        creatorBuysPercent: 0,
        openingBuysPercent: 0,
        creatorSoldOut: false,
        creatorGraduated: null,
      },
      creatorRecord: { tokensCreated: 1, tokensGraduated: 0, tokensSoldOut: 0 },
    });
    expect(Date.now() - Date.parse(body.registeredAt)).toBeLessThan(60_000);
    expect(await listed(rest, mint)).toEqual(body);
    expect(await listed(replicaRest, mint)).toEqual(body);
  });

  test("a token can be registered in the second it is mined, and is listed as soon as it is indexed", async () => {
    const [creator] = chain.traders;
    gate.hold();
    const mint = await chain.create(creator, "Just mined", "JUST", 30);
    const body = registrationOf(mint, creator, { name: "Just mined", symbol: "JUST", burnPercent: 30 });
    const first = await replicaRest.post("/api/tokens", body);
    expect([first.status, first.body]).toMatchObject([
      201,
      {
        mint: mint.toLowerCase(),
        createdAt: null,
        progress: 0,
        graduated: false,
        graduatedAt: null,
        holderCount: 0,
      },
    ]);
    const again = await replicaRest.post("/api/tokens", body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await replicaRest.post("/api/tokens", { ...body, burnPercent: 31 })).status).toBe(422);
    expect(await listed(replicaRest, mint)).toBeUndefined();
    expect((await replicaRest.get(`/api/metadata/${mint}`)).status).toBe(404);

    // The indexer's own connection to the chain is blocked.
    const away = await rest.post("/api/tokens", body);
    expect([away.status, away.body.code]).toEqual([503, "chain_unavailable"]);
    expect(Number(away.headers.get("retry-after"))).toBeGreaterThan(0);

    gate.open();
    await untilIndexed();
    const entry = await listed(replicaRest, mint);
    expect(entry).toEqual({ ...first.body, createdAt: expect.any(String), createdBlock: expect.any(Number) });
    expect(await listed(rest, mint)).toEqual(entry);
  });

  test("an RPC endpoint that refuses causes 503 only for tokens that are not indexed", async () => {
    const [creator] = chain.traders;
    const known = await newToken();
    gate.close();
    const mint = await chain.create(creator);
    const before = await registrations();
    const { status, headers, body } = await rest.post("/api/tokens", registrationOf(mint, creator));
    expect([status, body.code, headers.has("retry-after")]).toEqual([503, "chain_unavailable", true]);
    expect(await registrations()).toEqual(before);
    expect((await rest.post("/api/tokens", registrationOf(known, creator))).status).toBe(201);
    gate.open();
    await untilIndexed();
    expect((await rest.post("/api/tokens", registrationOf(mint, creator))).status).toBe(201);
  });

  test("the same body again changes nothing, and a different one is refused", async () => {
    const [creator] = chain.traders;
    const mint = await newToken();
    const body = registrationOf(mint, creator, { description: "First", websiteUrl: "https://first.example" });
    const first = await rest.post("/api/tokens", body);
    expect(first.status).toBe(201);
    const before = await registrations();

    const again = await rest.post("/api/tokens", { ...body, mint: mint.toLowerCase() });
    expect([again.status, again.body]).toEqual([200, first.body]);
    for (const change of [
      { description: "Second" },
      { description: undefined },
      { twitterUrl: "https://x.com/a" },
    ]) {
      const other = await rest.post("/api/tokens", { ...body, ...change });
      expect([other.status, other.body.code]).toEqual([409, "already_registered"]);
    }
    expect(await registrations()).toEqual(before);
  });

  const concurrent: [string, (index: number) => string, number][] = [
    ["different bodies", (index) => `Different ${index}`, 409],
    ["the same body", () => "Same", 200],
  ];

  test.each(sized({ usual: concurrent.slice(0, 1), long: concurrent }))(
    "of thirty concurrent registrations with %s, exactly one is first",
    async (_, description, status) => {
      const [creator] = chain.traders;
      const mint = await newToken();
      const register = (index: number) =>
        (index % 2 === 0 ? rest : replicaRest).post(
          "/api/tokens",
          registrationOf(mint, creator, { description: description(index) }),
        );
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => untilServed(`registration ${index}`, () => register(index))),
      );
      const byStatus = Map.groupBy(answers, ({ status }) => status);
      const others = answers.filter((answer) => ![201, status].includes(answer.status));
      expect(others.map(({ text }) => text)).toEqual([]);
      expect([byStatus.get(201)?.length, byStatus.get(status)?.length]).toEqual([1, 29]);
      expect((await listed(rest, mint)).description).toBe(byStatus.get(201)?.[0]?.body.description);
    },
  );

  test("fields that contradict the chain are named one by one, with both values", async () => {
    const [creator, other] = chain.traders;
    const mint = await newToken();
    const { status, body } = await rest.post("/api/tokens", {
      ...registrationOf(mint, other, { name: "brave otter", symbol: "OTTERS", burnPercent: 51 }),
      launchpadAddress: other,
    });
    expect([status, body.code]).toEqual([422, "contradicts_chain"]);
    const values = {
      name: ["brave otter", "Brave Otter"],
      symbol: ["OTTERS", "OTTER"],
      creator: [other.toLowerCase(), creator.toLowerCase()],
      burnPercent: [51, 50],
      launchpadAddress: [other.toLowerCase(), chain.deployment.launchpad.toLowerCase()],
    };
    expect(body.errors).toEqual(
      Object.entries(values).map(([path, [claim, fact]]) => ({
        path,
        message: `is ${JSON.stringify(claim)} in the request and ${JSON.stringify(fact)} on the chain`,
      })),
    );
    expect(await listed(rest, mint)).toBeUndefined();
  });

  test("a mint that the factory did not create is unknown, be it an account or another contract", async () => {
    const [creator] = chain.traders;
    for (const mint of [creator, chain.deployment.wbnb, `0x${"0".repeat(40)}` as const]) {
      const { status, body } = await rest.post("/api/tokens", registrationOf(mint, creator));
      expect([status, body.code]).toEqual([404, "token_not_found"]);
    }
  });

  test("names are accepted as they are on the chain, with NUL, markup and surrogate pairs", async () => {
    const [creator] = chain.traders;
    for (const name of ["a\0b", "</script>", "'; --", "\u0007\n", "__proto__", "𝒳".repeat(16)]) {
      const mint = await newToken(name, "S");
      const { status, body } = await rest.post(
        "/api/tokens",
        registrationOf(mint, creator, { name, symbol: "S" }),
      );
      expect([status, body.name]).toEqual([201, name.replaceAll("\0", "")]);
      expect((await listed(rest, mint)).name).toBe(name.replaceAll("\0", ""));
    }
  });

  describe("after a reorg", () => {
    test("an entry disappears with its token, and reappears with it", async () => {
      const [creator] = chain.traders;
      const snapshot = await chain.testClient.snapshot();
      const mint = await newToken("Comes and goes", "COME");
      const body = registrationOf(mint, creator, { name: "Comes and goes", symbol: "COME" });
      expect((await rest.post("/api/tokens", body)).status).toBe(201);
      expect((await rest.mints("q=comes and goes")).length).toBe(1);

      await chain.testClient.revert({ id: snapshot });
      await chain.testClient.mine({ blocks: 3 });
      for (const client of [rest, replicaRest]) {
        await until("the entry to go", async () => (await listed(client, mint)) === undefined);
        expect((await client.get("/api/tokens?q=comes and goes")).body).toMatchObject({
          tokens: [],
          total: 0,
        });
        expect((await client.get("/api/tokens?q=coems&typos=true")).body.total).toBe(0);
        expect((await client.get(`/api/curve/${mint}`)).status).toBe(404);
      }

      expect(await chain.create(creator, "Comes and goes", "COME")).toBe(mint);
      await untilIndexed();
      for (const client of [rest, replicaRest]) {
        await until("the entry to come back", async () => (await listed(client, mint)) !== undefined);
        expect((await client.get("/api/tokens?q=comes and goes")).body.total).toBe(1);
        expect((await client.get("/api/tokens?q=coems")).body.total).toBe(0);
        expect((await client.get("/api/tokens?q=coems&typos=true")).body).toMatchObject({
          tokens: [{ mint: mint.toLowerCase() }],
          total: 1,
        });
        expect((await client.get("/api/tokens?typos=true")).body.errors).toMatchObject([{ path: "typos" }]);
      }
    });

    test("another token at the same address has a separate entry", async () => {
      const [creator] = chain.traders;
      const before = (await rest.get("/api/tokens")).body.total;
      const snapshot = await chain.testClient.snapshot();
      // A token's address depends on its creator, name and symbol.
      const names = { name: "Same", symbol: "SAME" };
      const first = { ...names, burnPercent: 30, description: "the first" };
      const second = { ...names, burnPercent: 70, description: "the second" };
      const mint = await newToken(first.name, first.symbol, first.burnPercent);
      expect((await rest.post("/api/tokens", registrationOf(mint, creator, first))).status).toBe(201);
      expect(await listed(rest, mint)).toMatchObject(first);

      // The index keeps the lost token until it sees the new block.
      gate.hold();
      await chain.testClient.revert({ id: snapshot });
      expect(await chain.create(creator, second.name, second.symbol, second.burnPercent)).toBe(mint);
      const registered = await replicaRest.post("/api/tokens", registrationOf(mint, creator, second));
      expect([registered.status, registered.body]).toMatchObject([201, second]);
      gate.open();
      for (const client of [rest, replicaRest]) {
        const entry = () => listed(client, mint);
        await until(
          "the second token's entry",
          async () => (await entry())?.burnPercent === second.burnPercent,
        );
        expect(await entry()).toMatchObject(second);
        expect((await client.get("/api/tokens")).body.total).toBe(before + 1);
        expect(await client.mints("q=the first")).toEqual([]);
      }
      expect((await rest.post("/api/tokens", registrationOf(mint, creator, first))).status).toBe(422);
    });
  });
}
