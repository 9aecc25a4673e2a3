import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Address, getAddress } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../support/launchpad-chain.ts";
import { registrationOf } from "../support/registration.ts";
import { createRestClient, type RestClient } from "../support/rest-client.ts";
import { type Service, startService } from "../support/service.ts";

let mainnet: LaunchpadChain;
let testnet: LaunchpadChain;
let service: Service;
let rest: RestClient;
/** Registered, half sold; graduated and traded on the DEX, not registered. */
let onCurve: Address;
let onDex: Address;

beforeAll(async () => {
  [mainnet, testnet] = await Promise.all([startLaunchpadChain(), startLaunchpadChain({ chainId: 97 })]);
  const [creator, buyer, friend] = mainnet.traders;
  onCurve = await mainnet.create(creator, "On the curve", "CURVE", 40);
  await mainnet.buy(buyer, onCurve, 2n * 10n ** 16n);
  await mainnet.buy(creator, onCurve, 10n ** 15n);
  onDex = await mainnet.create(creator, "On the DEX", "DEX", 30);
  await mainnet.buy(buyer, onDex, graduatingAmount);
  await mainnet.transfer(buyer, onDex, friend, 5n * 10n ** 18n);
  await mainnet.transfer(buyer, onDex, "0x000000000000000000000000000000000000dEaD", 7n);
  await mainnet.buyOnDex(friend, onDex, 10n ** 15n);
  await testnet.create(creator, "Only on testnet", "TEST");
  service = await startService([mainnet, testnet]);
  await service.indexer.untilReady();
  for (const chain of [mainnet, testnet])
    await service.indexer.untilIndexed(chain.chainId, await chain.head());
  rest = await createRestClient(service.indexer.url);
  const body = registrationOf(onCurve, creator, { name: "On the curve", symbol: "CURVE", burnPercent: 40 });
  const links = {
    twitterUrl: "https://x.com/a",
    telegramUrl: "https://t.me/a",
    websiteUrl: "https://a.example",
  };
  const texts = { description: "A token.", imageUrl: "ipfs://image", ...links };
  expect((await rest.post("/api/tokens", { ...body, ...texts })).status).toBe(201);
});

afterAll(async () => {
  await service?.stop();
  await mainnet?.stop();
  await testnet?.stop();
});

const curveOnChain = (token: Address) =>
  mainnet.publicClient.readContract({
    address: mainnet.deployment.launchpad,
    abi: launchpadAbi,
    functionName: "curves",
    args: [token],
  });

test("the manifest has every field of the specification, and the endpoints that there are", async () => {
  const { status, body, headers } = await rest.get("/api");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  const text = expect.stringMatching(/\w{3}/);
  expect(body).toMatchObject({
    ...{ name: text, description: text, discoverability: text, barrierToLaunch: text, agentQuickStart: text },
    version: "1.0",
    baseUrl: `http://localhost:${service.indexer.port}`,
    docs: `http://localhost:${service.indexer.port}/docs`,
    chain: { id: 56, name: "BNB Smart Chain", testnetId: 97, testnetName: "BNB Smart Chain Testnet" },
    contracts: {
      launchpad: mainnet.deployment.launchpad.toLowerCase(),
      tokenFactory: mainnet.deployment.tokenFactory.toLowerCase(),
      tokenFactoryAbi,
      launchpadAbi,
      note: text,
    },
  });
  expect(body.agentFaq.length).toBeGreaterThan(3);
  for (const entry of body.agentFaq) expect(entry).toEqual({ q: text, a: text });
  for (const entry of body.forAgents) expect(entry).toEqual(text);
  // Each operation of the document, and nothing else.
  const operations = Object.entries(rest.document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  const named = body.endpoints.map(
    ({ method, path }: { method: string; path: string }) => `${method} ${path}`,
  );
  expect(named.sort()).toEqual(operations.sort());
  for (const path of ["GET /api", "GET /api/health", "GET /api/tokens", "POST /api/tokens"]) {
    expect(named).toContain(path);
  }
  for (const { description } of body.endpoints) expect(description).toEqual(text);
});

test("the manifest of testnet, and of a chain that there is not", async () => {
  const { body } = await rest.get("/api?chainId=97");
  expect(body.chain).toMatchObject({ id: 97, name: "BNB Smart Chain Testnet" });
  expect(body.contracts.launchpad).toBe(testnet.deployment.launchpad.toLowerCase());
  expect(body.registrationSignature.domain).toMatchObject({ chainId: 97 });
  const { status, body: problem } = await rest.get("/api?chainId=1");
  expect([status, problem.code, problem.errors[0].path]).toEqual([400, "invalid_request", "chainId"]);
});

test("the service is up", async () => {
  const { status, body } = await rest.get("/api/health");
  expect([status, body]).toEqual([200, { ok: true, status: "up" }]);
});

test("a curve as the chain has it, before and after graduation", async () => {
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
      pair: graduated ? expect.stringMatching(/^0x[0-9a-f]{40}$/) : null,
      priceBnb: expect.stringMatching(/^0\.\d+$/),
      block: head,
    });
    expect(burned).toBe(burnPercent);
    if (!graduated) expect(Number(body.priceBnb)).toBeCloseTo(Number(bnb) / Number(tokens), 20);
  }
});

test("curves at once, by mint as the caller spelled it", async () => {
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
  test("of a registered token", async () => {
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
        ...{ creator: mainnet.traders[0].toLowerCase(), verified: false },
      },
    ]);
    expect(headers.get("cache-control")).toMatch(/public, max-age=\d+/);
  });

  test("of one that nobody registered, which is in no list", async () => {
    const { status, body } = await rest.get(`/api/metadata/${onDex}`);
    expect([status, body]).toEqual([
      200,
      {
        ...{ name: "On the DEX", symbol: "DEX", decimals: 18, description: "", image: "", chainId: 56 },
        ...{ mint: onDex.toLowerCase(), creator: mainnet.traders[0].toLowerCase() },
        ...{ registered: false, verified: false },
      },
    ]);
    expect(await rest.mints()).toEqual([onCurve.toLowerCase()]);
    expect(await rest.mints(`mint=${onDex}`)).toEqual([]);
    expect(await rest.mints("board=listed")).toEqual([]);
  });
});

describe("holders", () => {
  const decimals4 = (part: bigint, total: bigint) => Number((part * 1_000_000n) / total) / 10_000;

  test("with rank, share and label, the largest first", async () => {
    const { status, body } = await rest.get(`/api/token/${onDex}/holders`);
    expect(status).toBe(200);
    const [buyer, friend] = [mainnet.traders[1], mainnet.traders[2]].map((address) => address.toLowerCase());
    const pair = (await rest.get(`/api/curve/${onDex}`)).body.pair;
    const expected = await Promise.all(
      [
        [buyer, null],
        [pair, "pair"],
        [friend, null],
        ["0x000000000000000000000000000000000000dead", "burn"],
      ].map(async ([address, label]) => ({
        address,
        label,
        balance: await mainnet.balanceOf(onDex, address),
      })),
    );
    expected.sort((left, right) => (left.balance < right.balance ? 1 : -1));
    const total = BigInt(body.totalSupply);
    expect(total).toBe(700_000_000n * 10n ** 18n);
    expect(body).toMatchObject({
      mint: onDex.toLowerCase(),
      chainId: 56,
      holderCount: 2,
      page: 1,
      limit: 20,
    });
    expect(body.hasMore).toBe(false);
    expect(body.holders.filter(({ balance }: { balance: string }) => BigInt(balance) > 0n)).toEqual(
      expected.map(({ address, label, balance }, index) => ({
        rank: index + 1,
        address,
        balance: String(balance),
        percent: decimals4(balance, total),
        label,
      })),
    );
  });

  test("the launchpad and the creator are named", async () => {
    const { body } = await rest.get(`/api/token/${onCurve}/holders`);
    const labels = body.holders.map(({ label }: { label: string }) => label);
    expect(labels).toEqual(["launchpad", null, "creator"]);
    expect(body.holderCount).toBe(2);
  });

  test("pages neither repeat nor skip", async () => {
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

test.each(["/api/curve/", "/api/metadata/", "/api/token/"])("%s of an unknown token: 404", async (start) => {
  const end = start === "/api/token/" ? "/holders" : "";
  const unknown = await rest.get(`${start}0x${"12".repeat(20)}${end}`);
  expect([unknown.status, unknown.body.code]).toEqual([404, "token_not_found"]);
  const elsewhere = await rest.get(`${start}${onDex}${end}?chainId=97`);
  expect(elsewhere.status).toBe(404);
  const malformed = await rest.get(`${start}${onDex}ff${end}`);
  expect([malformed.status, malformed.body.errors[0].path]).toEqual([400, "mint"]);
});

test("a repeated question is answered with 304 until something changes", async () => {
  for (const path of [
    "/api",
    "/api/tokens",
    `/api/curve/${onCurve}`,
    `/api/metadata/${onCurve}`,
    "/api/openapi.json",
  ]) {
    const etag = (await rest.get(path)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await rest.get(path, { "if-none-match": known });
      expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await rest.get(path, { "if-none-match": '"other"' })).status).toBe(200);
  }
  const before = (await rest.get("/api/tokens")).headers.get("etag") ?? "";
  await mainnet.buy(mainnet.traders[1], onCurve, 10n ** 14n);
  await service.indexer.untilIndexed(56, await mainnet.head());
  expect((await rest.get("/api/tokens", { "if-none-match": before })).status).toBe(200);
});

test("browsers on any page may ask, without cookies", async () => {
  const origin = { origin: "https://anywhere.example" };
  for (const path of ["/api", "/api/tokens", "/api/nothing", "/api/tokens?page=0"]) {
    const { headers } = await rest.get(path, origin);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("set-cookie")).toBeNull();
  }
  const preflight = await fetch(`${service.indexer.url}/api/tokens`, {
    method: "OPTIONS",
    headers: {
      ...origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
});

test("HEAD is GET without the body; a method that a path lacks is 405, and a path that is none 404", async () => {
  for (const path of ["/api", "/api/tokens", "/api/health", "/docs"]) {
    const { status, text } = await rest.request(path, { method: "HEAD" });
    expect([status, text]).toEqual([200, ""]);
  }
  const wrong = await rest.request("/api/tokens", { method: "DELETE" });
  expect([wrong.status, wrong.body.code, wrong.headers.get("allow")]).toEqual([
    405,
    "method_not_allowed",
    "GET, POST, HEAD",
  ]);
  for (const path of ["/api/nothing", "/api/curve", "/api/tokens/", "/docs/assets/1/..%2fpackage.json"]) {
    expect((await rest.get(path)).body.code).toBe("not_found");
  }
});

test("the documentation works offline", async () => {
  const { status, text, headers } = await rest.get("/docs");
  expect([status, headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
  expect(text).not.toMatch(/(src|href|url)\s*[=:]\s*["'](https?:)?\/\//);
  const assets = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path as string);
  expect(assets).toHaveLength(2);
  for (const path of assets) {
    const asset = await rest.get(path);
    expect([asset.status, asset.headers.get("cache-control")]).toEqual([
      200,
      expect.stringContaining("immutable"),
    ]);
    expect(asset.text.length).toBeGreaterThan(10_000);
  }
  expect(text).toContain("/api/openapi.json");
});

describe("the OpenAPI document", () => {
  test("has valid JSON schemas, and none elsewhere", () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
    addFormats.default(ajv);
    // OpenAPI's own.
    ajv.addVocabulary(["example", "components", "paths", "openapi", "info", "servers", "tags", "webhooks"]);
    ajv.addSchema(rest.document, "openapi");
    const pointers = schemaPointers(rest.document, "");
    expect(pointers.length).toBeGreaterThan(50);
    for (const pointer of pointers) expect(ajv.getSchema(`openapi#${pointer}`)).toBeTypeOf("function");
    expect(JSON.stringify(rest.document)).not.toMatch(/"\$ref":"(?!#)/);
  });

  test("describes each operation, with all parameters of its path and every way to fail", () => {
    expect(rest.document.openapi).toBe("3.1.0");
    for (const [path, operations] of Object.entries(rest.document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { summary, parameters = [], responses } of Object.values(operations)) {
        expect(summary).toMatch(/\w/);
        const declared = parameters.filter((parameter) => parameter.in === "path");
        expect(declared.map(({ name }) => name)).toEqual(inPath);
        expect(declared.every(({ required }) => required)).toBe(true);
        for (const { description } of Object.values(responses)) expect(description).toMatch(/\w/);
        const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400);
        if (path === "/api/health") continue;
        expect(failures.map(([status]) => status)).toEqual(expect.arrayContaining(["400", "429"]));
        for (const [, { content }] of failures) {
          expect(Object.keys(content ?? {})).toEqual(["application/problem+json"]);
        }
      }
    }
  });
});

/** Where the document's schemas are, as JSON pointers. */
function schemaPointers(value: unknown, pointer: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const below = `${pointer}/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`;
    if (key === "schema") return [below];
    if (pointer === "/components/schemas") return [below];
    return schemaPointers(part, below);
  });
}
