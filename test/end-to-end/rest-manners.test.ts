import http from "node:http";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Address } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* How the API describes itself, and its HTTP behaviour. */

let mainnet: SharedService["chain"];
let service: SharedService["service"];
let rest: RestClient;
let onCurve: Address;

beforeAll(async () => {
  ({ chain: mainnet, service } = await sharedService());
  const [creator] = mainnet.traders;
  onCurve = await mainnet.create(creator);
  await service.indexer.untilIndexed(56, await mainnet.head());
  rest = await createRestClient(service.indexer.url);
  expect((await rest.post("/api/tokens", registrationOf(onCurve, creator))).status).toBe(201);
});

test("caches store no problem, also of what they may store for a while", async () => {
  const unknown = `0x${"12".repeat(20)}`;
  for (const path of [
    `/api/metadata/${unknown}`,
    `/api/metadata/${onCurve}?chainId=1`,
    `/api/token/${unknown}`,
  ]) {
    const { status, headers } = await fetch(service.indexer.url + path);
    expect([path, status >= 400, headers.get("cache-control")]).toEqual([path, true, "no-store"]);
  }
  const { headers } = await fetch(`${service.indexer.url}/api/metadata/${onCurve}`);
  expect(headers.get("cache-control")).toBe("public, max-age=30, stale-while-revalidate=300");
});

describe("an answer sent before the whole body has arrived", () => {
  const megabyte = 1_000_000;
  const partHead = '--b\r\ncontent-disposition: form-data; name="file"\r\n\r\n';
  const bodyOf = (bytes: number) => Buffer.alloc(bytes).fill(partHead, 0, partHead.length);
  const bodies = [
    // The size of a phone's photo.
    { path: "/api/upload-image", type: "multipart/form-data; boundary=b", bytes: 8 * megabyte, status: 413 },
    { path: "/api/upload-image", type: "text/plain", bytes: 3 * megabyte, status: 415 },
    { path: "/graphql", type: "application/json", bytes: megabyte, status: 413 },
    { path: "/api/tokens", type: "application/json", bytes: megabyte, status: 413 },
    { path: "/api/nothing", type: "application/json", bytes: 3 * megabyte, status: 404 },
  ];

  test.each(bodies)(
    "$status from $path reaches Node's client, and so does the next answer",
    async ({ path, type, bytes, status }) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (method: string, target: string, body?: Buffer) =>
        new Promise<number | undefined>((resolve, reject) => {
          const headers = body === undefined ? {} : { "content-type": type, "content-length": body.length };
          const sent = http.request(service.indexer.url + target, { agent, method, headers }, (answer) => {
            answer.resume().once("end", () => resolve(answer.statusCode));
          });
          sent.once("error", reject).end(body);
        });
      for (let round = 0; round < 5; round++) {
        expect(await ask("POST", path, bodyOf(bytes))).toBe(status);
        expect(await ask("GET", "/api/health")).toBe(200);
      }
      agent.destroy();
    },
  );

  test.each(bodies)(
    "$status from $path reaches fetch, and so does the next answer",
    async ({ path, type, bytes, status }) => {
      for (let round = 0; round < 5; round++) {
        const headers = { "content-type": type };
        const answer = await fetch(service.indexer.url + path, {
          method: "POST",
          headers,
          body: bodyOf(bytes),
        });
        expect(answer.status).toBe(status);
        expect(await answer.json()).toMatchObject({ status });
        expect((await fetch(`${service.indexer.url}/api/health`)).status).toBe(200);
      }
    },
  );
});

test("the manifest has every field of the specification, and lists exactly the existing endpoints", async () => {
  const { status, body, headers } = await rest.get("/api");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  const text = expect.stringMatching(/\w{3}/);
  expect(body).toMatchObject({
    name: text,
    description: text,
    discoverability: text,
    barrierToLaunch: text,
    agentQuickStart: text,
    version: "1.0",
    baseUrl: `http://localhost:${service.indexer.port}`,
    docs: `http://localhost:${service.indexer.port}/docs`,
    chain: { id: 56, name: "BNB Smart Chain", testnetId: 97, testnetName: "BNB Smart Chain Testnet" },
    contracts: {
      launchpad: mainnet.deployment.launchpad.toLowerCase(),
      tokenFactory: mainnet.deployment.tokenFactory.toLowerCase(),
      tokenFactoryAbi,
      launchpadAbi,
      tokenAbi: launchTokenAbi,
      note: text,
    },
  });
  expect(body.agentFaq.length).toBeGreaterThan(3);
  for (const entry of body.agentFaq) expect(entry).toEqual({ q: text, a: text });
  for (const entry of body.forAgents) expect(entry).toEqual(text);
  // Exactly the operations of the OpenAPI document.
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

test("a repeated request is answered with 304 until something changes", async () => {
  for (const path of [
    "/api",
    "/api/tokens",
    `/api/curve/${onCurve}`,
    `/api/metadata/${onCurve}`,
    "/api/openapi.json",
    "/server.json",
  ]) {
    const etag = (await rest.get(path)).headers.get("etag") ?? "";
    // Node's client accepts compressed answers.
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    for (const known of [etag, etag.replace("W/", ""), `"other", ${etag}`, "*"]) {
      const answer = await rest.get(path, { "if-none-match": known });
      expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await rest.get(path, { "if-none-match": '"other"' })).status).toBe(200);
  }
  const text = (await rest.get("/llms.txt")).headers;
  const unchanged = await rest.get("/llms.txt", { "if-none-match": text.get("etag") ?? "" });
  expect([unchanged.status, unchanged.headers.get("etag"), unchanged.headers.get("vary")]).toEqual([
    304,
    text.get("etag"),
    text.get("vary"),
  ]);
  const before = (await rest.get("/api/tokens")).headers.get("etag") ?? "";
  await mainnet.buy(mainnet.traders[1], onCurve, 10n ** 14n);
  await service.indexer.untilIndexed(56, await mainnet.head());
  expect((await rest.get("/api/tokens", { "if-none-match": before })).status).toBe(200);
});

test("JSON is compressed for clients that accept it, and streams are not", async () => {
  const get = (path: string, accepted: string) =>
    new Promise<http.IncomingMessage & { bytes: Buffer }>((resolve, reject) => {
      const headers = { "accept-encoding": accepted };
      const sent = http.get(service.indexer.url + path, { headers }, async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) {
          chunks.push(chunk);
          if (path === "/api/stream") break;
        }
        resolve(Object.assign(answer, { bytes: Buffer.concat(chunks) }));
      });
      sent.once("error", reject);
    });
  const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
  const path = "/api/openapi.json";
  const plain = await get(path, "identity");
  expect(plain.headers).toMatchObject({ etag: expect.stringMatching(/^"/), vary: "Accept-Encoding" });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  for (const [encoding, decode] of Object.entries(decoders)) {
    const { headers, bytes } = await get(path, encoding);
    expect(headers["content-encoding"]).toBe(encoding);
    expect(Number(headers["content-length"])).toBe(bytes.length);
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect(decode(bytes).equals(plain.bytes)).toBe(true);
    // The same headers for HEAD, and for whoever has it already.
    const again = { "accept-encoding": encoding, "if-none-match": headers.etag ?? "" };
    const [head, same] = await Promise.all([
      rest.fetch(path, { method: "HEAD", headers: { "accept-encoding": encoding } }),
      rest.fetch(path, { headers: again }),
    ]);
    expect([head.headers.get("etag"), same.status]).toEqual([headers.etag, 304]);
    expect([same.headers.get("etag"), same.headers.get("vary")]).toEqual([headers.etag, "Accept-Encoding"]);
  }
  expect((await get("/api/health", "gzip")).headers["content-encoding"]).toBeUndefined();
  expect((await get(path, "gzip;q=0, *;q=0")).headers["content-encoding"]).toBeUndefined();
  const stream = await get("/api/stream", "gzip, zstd");
  expect(stream.headers["content-encoding"]).toBeUndefined();
  expect(stream.bytes.toString()).toContain("event: ready");
  // It is not sent by Hono, but has the headers that all answers have.
  expect(stream.headers).toMatchObject({
    "content-type": "text/event-stream",
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
  });
});

test("any web page may send requests, without cookies", async () => {
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

test("HEAD is GET without the body; an unsupported method is 405, and an unknown path 404", async () => {
  for (const path of ["/api", "/api/tokens", "/api/health", "/docs"]) {
    const { status, text } = await rest.request(path, { method: "HEAD" });
    expect([status, text]).toEqual([200, ""]);
  }
  const wrong = await rest.request("/api/tokens", { method: "DELETE" });
  expect([wrong.status, wrong.body.code, wrong.headers.get("allow")]).toEqual([
    405,
    "method_not_allowed",
    "GET, HEAD, POST",
  ]);
  for (const path of ["/api/nothing", "/api/curve", "/docs/assets/1/..%2fpackage.json"]) {
    expect((await rest.get(path)).body.code).toBe("not_found");
  }
});

describe("unknown parameters", () => {
  const known = "limit, cursor, chainId and minBlock";
  test.each([
    ["/api/trades?mimt=1", "mimt", "did you mean mint?"],
    ["/api/trades?kind=1", "kind", `it takes mint, trader, ${known}`],
    ["/api/trades?token=1", "token", `it takes mint, trader, ${known}`],
    ["/api?chainid=56", "chainid", "did you mean chainId?"],
    ["/api/tokens?sort_by=burn", "sort_by", "did you mean sort?"],
    ["/api/tokens?offset=20", "offset", expect.stringMatching(/^it takes page, limit, q, .* and minBlock$/)],
    ["/api/token/MINT?chain=56", "chain", "did you mean chainId?"],
    ["/api/token/MINT/trades?before=1", "before", `it takes ${known}`],
    ["/api/token/MINT/candles?intervall=1h", "intervall", "did you mean interval?"],
    ["/api/token/MINT/holders?pages=2", "pages", "did you mean page?"],
    ["/api/curve/MINT?x=1", "x", "it takes chainId and minBlock"],
    ["/api/curves?mints=MINT&mint=MINT", "mint", "did you mean mints?"],
    ["/api/curve/MINT/quote?side=buy&amount=1&slipage=1", "slipage", "did you mean slippage?"],
    ["/api/metadata/MINT?x=1", "x", "it takes chainId and minBlock"],
    ["/api/account/MINT?limits=1", "limits", "did you mean limit?"],
    ["/api/account/MINT/holdings?page=1", "page", `it takes mint, ${known}`],
    ["/api/stats?window=1h", "window", "it takes chainId and minBlock"],
    ["/api/stream?kinds=trade", "kinds", "did you mean kind?"],
    [
      "/api/tokens/vanity-salt?name=A&symbol=B&suffix=1",
      "suffix",
      "it takes name, symbol, creator and chainId",
    ],
    ["/api/dexscreener/asset?id=MINT&ids=1", "ids", "did you mean id?"],
    ["/api/coingecko/tickers?tickerId=1", "tickerId", "did you mean ticker_id?"],
    ["/api/historical_trades?ticker_id=MINT_MINT&start=1", "start", expect.stringContaining("start_time")],
  ])("%s", async (path, parameter, advice) => {
    const { status, body } = await rest.get(path.replaceAll("MINT", onCurve));
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    const [{ message }] = body.errors;
    expect(body.errors).toEqual([{ path: parameter, message: expect.any(String) }]);
    expect(message.split(": ")).toEqual(["is not a parameter of this request", advice]);
    expect(body.detail).toBe(`${parameter} ${message}`);
  });

  test("of a POST are refused too, and each is named", async () => {
    const { status, body } = await rest.post(
      "/api/tokens?chainId=97&mint=1",
      registrationOf(onCurve, onCurve),
    );
    expect([status, body.errors]).toEqual([
      400,
      [
        { path: "chainId", message: "is not a parameter of this request: take it out" },
        { path: "mint", message: "is not a parameter of this request: take it out" },
      ],
    ]);
    const many = Array.from({ length: 1_000 }, (_, index) => `x${index}`).join("&");
    expect((await rest.get(`/api/trades?limit=0&${many}`)).text.length).toBeLessThan(10_000);
  });

  test.each(["/api/health", "/api/openapi.json", "/docs"])(
    "are allowed at %s, to bypass caches",
    async (path) => {
      expect((await rest.get(`${path}?t=1`)).status).toBe(200);
    },
  );
});

test("a trailing slash redirects to the path without it, on the requested host", async () => {
  const noRedirect = { redirect: "manual" as const };
  for (const [path, location] of [
    ["/api/", "/api"],
    ["/api/tokens/?limit=1&q=%20a", "/api/tokens?limit=1&q=%20a"],
    ["/api/health//", "/api/health"],
    [`/api/token/${onCurve}/`, `/api/token/${onCurve}`],
    ["/docs/", "/docs"],
    ["/graphql/", "/graphql"],
  ] as const) {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await rest.request(path, { method, ...noRedirect });
      expect([status, headers.get("location")]).toEqual([308, location]);
    }
    expect((await rest.get(path)).status).toBe(200);
  }
  expect((await rest.request("/api/tokens/", { method: "POST", ...noRedirect })).body.code).toBe("not_found");
  // Clients would read this as another host if it were sent back unchanged.
  const { status } = await rest.request("//elsewhere.example/", noRedirect);
  expect(status).toBe(404);
});

test("a URL that is too long is refused with a problem, whichever part is too long", async () => {
  const long = "a".repeat(15_000);
  for (const [path, status] of [
    [`/api/tokens?q=${long}`, 400],
    [`/api/tokens?${long}=1`, 400],
    [`/api/trades?cursor=${long}`, 400],
    [`/api/stream?lastEventId=${long}`, 400],
    [`/api/curves?mints=${long}`, 400],
    [`/api/token/${long}`, 400],
    [`/ipfs/${long}`, 400],
    [`/api/${long}`, 404],
    [`/api/tokens?q=${long.repeat(2)}`, 431],
    [`/graphql?query=${long.repeat(2)}`, 431],
  ] as const) {
    const answer = await fetch(service.indexer.url + path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
    expect(await answer.json()).toMatchObject({ status });
  }
});

test("the stream begins with a single message, the ready event", async () => {
  const closing = new AbortController();
  const { body } = await fetch(`${service.indexer.url}/api/stream`, { signal: closing.signal });
  let text = "";
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes("\n\n")) break;
  }
  closing.abort();
  // A heartbeat (a lone colon) may come first, where the journal is slow to answer.
  expect(text).toMatch(/^(?::\n)*retry: \d{4}\nid: (\d+-\d+)\nevent: ready\ndata: \{"cursor":"\1"\}\n\n/);
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
  test("has valid JSON schemas, and refers to none outside itself", () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
    addFormats.default(ajv);
    // OpenAPI's own keywords.
    ajv.addVocabulary([
      "example",
      "components",
      "paths",
      "openapi",
      "info",
      "servers",
      "security",
      "tags",
      "webhooks",
      "discriminator",
    ]);
    ajv.addSchema(rest.document, "openapi");
    const pointers = schemaPointers(rest.document, "");
    expect(pointers.length).toBeGreaterThan(50);
    for (const pointer of pointers) expect(ajv.getSchema(`openapi#${pointer}`)).toBeTypeOf("function");
    expect(JSON.stringify(rest.document)).not.toMatch(/"\$ref":"(?!#)/);
  });

  test("describes each operation, with all its path parameters and every error", () => {
    expect(rest.document.openapi).toBe("3.1.0");
    for (const [path, operations] of Object.entries(rest.document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { summary, parameters = [], requestBody, responses } of Object.values(operations)) {
        expect(summary).toMatch(/\w/);
        const declared = parameters.filter((parameter) => parameter.in === "path");
        expect(declared.map(({ name }) => name)).toEqual(inPath);
        expect(declared.every(({ required }) => required)).toBe(true);
        for (const { description } of Object.values(responses)) expect(description).toMatch(/\w/);
        const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400);
        if (path === "/api/health") continue;
        const takesNothing = parameters.length === 0 && requestBody === undefined;
        const expected = takesNothing ? ["429"] : ["400", "429"];
        expect(failures.map(([status]) => status)).toEqual(expect.arrayContaining(expected));
        for (const [, { content }] of failures) {
          expect(Object.keys(content ?? {})).toEqual(["application/problem+json"]);
        }
      }
    }
  });
});

/** Returns the JSON pointers of the document's schemas. */
function schemaPointers(value: unknown, pointer: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const below = `${pointer}/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`;
    if (key === "schema") return [below];
    if (pointer === "/components/schemas") return [below];
    return schemaPointers(part, below);
  });
}
