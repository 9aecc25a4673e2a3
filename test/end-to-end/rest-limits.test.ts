import http from "node:http";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "../browser/explorer.ts";
import { type ForwardingProxy, startForwardingProxy } from "../doubles/forwarding-proxy.ts";
import { uploadHead, uploadRest } from "../service/begun-upload.ts";
import { until } from "../service/condition.ts";
import type { Indexer } from "../service/indexer.ts";
import { connect, problemIn, type RawClient } from "../service/raw-client.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { encode, picture } from "../service/sample-images.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

const reads = 6;
const writes = 3;
const uploads = 10;
const maxConnections = 5;

let service: SharedService["service"];
let inMemory: Indexer;
/** Client of a process that counts requests in memory, behind two proxies. */
let inMemoryRest: RestClient;
/**
 * Two that count in Postgres: one behind a proxy; one that trusts no proxy, has all optional features disabled, and too little free
 * disk space.
 */
let behindProxy: Indexer;
let direct: Indexer;
let proxy: ForwardingProxy;
let passing: ForwardingProxy;
const replicas: Indexer[] = [];

beforeAll(async () => {
  ensureBuilt();
  const { dataDir, ...shared } = await sharedService();
  ({ service } = shared);
  const start = async (env: Record<string, string>) => {
    const limits = { RATE_LIMIT: "on", RATE_LIMIT_WRITES: String(writes), DATA_DIR: dataDir };
    const replica = await service.startReplica({ env: { ...limits, ...env } });
    replicas.push(replica);
    return replica;
  };
  const inPostgres = {
    RATE_LIMIT_STORE: "postgres",
    RATE_LIMIT_READS: "10000",
    MAX_CONNECTIONS_PER_ADDRESS: String(maxConnections),
  };
  const without = { EXPLORER: "off", MCP: "off", SQL: "off", IMAGES_MIN_FREE_DISK_MB: "1000000000" };
  [inMemory, behindProxy, direct] = await Promise.all([
    start({ RATE_LIMIT_READS: String(reads), RATE_LIMIT_UPLOADS: String(uploads), TRUST_PROXY: "2" }),
    start({ ...inPostgres, TRUST_PROXY: "1" }),
    start({ ...inPostgres, ...without }),
  ]);
  inMemoryRest = await createRestClient(inMemory.url);
  [proxy, passing] = await Promise.all([
    startForwardingProxy(behindProxy.port),
    startForwardingProxy(direct.port),
  ]);
});

afterAll(async () => {
  await Promise.all([proxy?.stop(), passing?.stop()]);
  await Promise.all(replicas.map((replica) => replica.stop()));
});

/** The headers of a client behind two proxies. Each test uses a different client. */
const headersOf = (client: string) => ({ "x-forwarded-for": `${client}, 10.0.0.1` });

const remaining = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);

test("with RATE_LIMIT=off there is no limit, and there are no headers", async () => {
  const rest = await createRestClient(service.indexer.url);
  for (let count = 0; count < 50; count++) expect((await rest.get("/api/tokens")).status).toBe(200);
  const { headers } = await rest.get("/api/tokens");
  expect([headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([null, null]);
});

test("resized images and the explorer's pages and files are counted together, five for each read", async () => {
  const client = headersOf("192.0.2.1");
  const path = `/ipfs/bafkrei${"a".repeat(52)}`;
  const files = [`${path}?width=64`, "/create", "/manifest.webmanifest", "/assets/none.js"];
  for (let count = 1; count <= 5 * reads; count++) {
    const at = files[count % files.length] ?? "";
    const { status, headers } = await inMemoryRest.fetch(at, { headers: client });
    expect([at, status === 429, headers.get("ratelimit-policy")]).toEqual([
      at,
      false,
      `"files";q=${5 * reads};w=60`,
    ]);
    expect(remaining(headers)).toBe(5 * reads - count);
  }
  for (const at of [...files, "/"]) {
    expect((await inMemoryRest.fetch(at, { headers: client })).status).toBe(429);
  }
  for (const at of ["/health", "/ready", "/status"]) {
    expect((await inMemoryRest.fetch(at, { headers: client })).status).toBe(200);
  }
  const preflight = { ...client, origin: "https://app.example", "access-control-request-method": "POST" };
  for (let count = 0; count < 6 * reads; count++) {
    const { status } = await inMemoryRest.fetch("/api/tokens", { method: "OPTIONS", headers: preflight });
    expect(status).toBe(204);
  }
  const { headers } = await inMemoryRest.get(path, client);
  expect(headers.get("ratelimit-policy")).toBe(`"reads";q=${reads};w=60`);
});

test("reads and writes are counted separately, even failed ones; beyond the limit, 429 until the minute is over", async () => {
  const client = headersOf("192.0.2.2");
  const refused = ["/api/nothing", "/api/tokens?page=0", "/api/curves"];
  const paths = ["/api/openapi.json", "/api/tokens", "/api", ...refused];
  for (const [index, path] of paths.entries()) {
    const { status, headers } = await inMemoryRest.get(path, client);
    expect(status).not.toBe(429);
    expect(headers.get("ratelimit-policy")).toBe(`"reads";q=${reads};w=60`);
    expect(headers.get("ratelimit")).toMatch(/^"reads";r=\d+;t=\d+$/);
    expect(remaining(headers)).toBe(reads - 1 - index);
  }
  const bodies: unknown[] = [];
  // All but the first are refused before they reach the routes.
  for (const [method, path] of [
    ["GET", "/api/tokens"],
    ["HEAD", "/api/tokens"],
    ["GET", "/api/tokens"],
    ["GET", "/api/tokens?page=0"],
    ["GET", "/api/nothing"],
    ["POST", "/graphql"],
  ] as const) {
    const { status, headers, body } = await inMemoryRest.request(path, { method, headers: client });
    expect([status, remaining(headers)]).toEqual([429, 0]);
    expect(headers.get("ratelimit-policy")).toBe(`"reads";q=${reads};w=60`);
    expect(headers.get("content-type")).toBe("application/problem+json");
    expect(headers.get("access-control-expose-headers")).toContain("RateLimit");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
    if (method !== "HEAD") bodies.push({ ...body, detail: body.detail.replace(/\d+ s/, "") });
  }
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  expect(bodies[0]).toMatchObject({ code: "too_many_requests", status: 429 });
  for (let count = 1; count <= writes; count++) {
    const { status, headers } = await inMemoryRest.post("/api/tokens", {}, client);
    expect([status, remaining(headers)]).toEqual([400, writes - count]);
  }
  expect((await inMemoryRest.post("/api/tokens", {}, client)).status).toBe(429);
  // Health checks are not counted.
  for (let count = 0; count < 20; count++) {
    expect((await inMemoryRest.get("/api/health", client)).status).toBe(200);
  }
});

test("texts for models and the typed client count as reads", async () => {
  const client = headersOf("192.0.2.6");
  for (const [index, path] of ["/llms.txt", "/client.tgz", "/client.tgz.sha256"].entries()) {
    const { headers } = await inMemoryRest.get(path, client);
    expect([path, remaining(headers)]).toEqual([path, reads - 1 - index]);
  }
});

const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_stats", arguments: {} } };
const mcpRequest = {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify(call),
};

test("an MCP tool call counts as a read, and so does each request that it makes", async () => {
  const client = headersOf("192.0.2.3");
  const post = () =>
    inMemoryRest.fetch("/mcp", { ...mcpRequest, headers: { ...mcpRequest.headers, ...client } });
  const stats = () => inMemoryRest.get("/api/stats", client);
  const first = await post();
  expect([first.status, remaining(first.headers)]).toEqual([200, reads - 1]);
  expect(remaining((await stats()).headers)).toBe(reads - 3);
  while ((await stats()).status !== 429);
  expect((await post()).status).toBe(429);
});

test("what pages and cards of shared links read counts for their own client, not for the proxy", async () => {
  const { chain } = await sharedService();
  const mint = (await chain.create(chain.traders[0], "Shared", "SHARE")).toLowerCase();
  await service.indexer.untilIndexed(56, await chain.head());
  const at = (path: string, client: string) => inMemoryRest.fetch(path, { headers: headersOf(client) });
  const page = async (client: string) => await (await at(`/token/${mint}`, client)).text();
  const preview = '<meta property="og:title" content="Shared (SHARE)" />';

  for (let count = 0; count < reads; count++) expect(await page("192.0.2.4")).toContain(preview);
  expect(await page("192.0.2.4")).not.toContain(preview);
  expect((await at(`/token/${mint}/card.png`, "192.0.2.4")).status).toBe(429);

  expect(await page("192.0.2.5")).toContain(preview);
  expect((await at(`/token/${mint}/card.png`, "192.0.2.5")).status).toBe(200);
});

test("with MCP=off, EXPLORER=off and SQL=off there is no /mcp, no page and no /sql, and the rest of the API is unchanged", async () => {
  const at = (path: string, init?: RequestInit) =>
    fetch(new URL(path, direct.url), { redirect: "manual", ...init });
  expect((await at("/mcp", mcpRequest)).status).toBe(404);
  const home = await at("/");
  expect([home.status, home.headers.get("location")]).toEqual([302, "/graphql"]);
  expect((await at("/create")).status).toBe(404);
  const manifest = await at("/api");
  expect(manifest.status).toBe(200);
  expect(await manifest.text()).not.toContain('"path":"/sql');
  const asked = await at("/sql", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{ "sql": "select 1" }',
  });
  expect([asked.status, (await at("/sql/db?sql=")).status]).toEqual([404, 404]);
});

function upload(url: string, bytes: Buffer, headers: Record<string, string> = {}): Promise<Response> {
  const body = new FormData();
  body.append("file", new Blob([new Uint8Array(bytes)]), "a.png");
  return fetch(`${url}/api/upload-image`, { method: "POST", body, headers });
}

test("with less free disk space than configured, uploads are refused and everything else works", async () => {
  const image = await encode(picture(), "png");
  const stored = await upload(service.indexer.url, image);
  expect(stored.status).toBe(201);
  const { cid } = (await stored.json()) as { cid: string };
  const refused = await upload(direct.url, image);
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "storage_full" }]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await fetch(`${direct.url}/ipfs/${cid}`)).status).toBe(200);
  expect((await fetch(`${direct.url}/api`)).status).toBe(200);
});

test("an address's eleventh upload is refused before its body arrives or counts, and the first ten are accepted", async () => {
  const image = await encode(picture(), "png");
  const { "x-forwarded-for": address } = headersOf("192.0.2.50");
  const opened: RawClient[] = [];
  const begin = async () => {
    const client = await connect(inMemory.port);
    opened.push(client);
    client.send(uploadHead(address, image.length));
    return client;
  };
  try {
    const first = await Promise.all(Array.from({ length: uploads }, begin));
    let answer = "";
    await until("the eleventh to be refused for this", async () => {
      const eleventh = await begin();
      eleventh.read();
      await until("an answer", async () => eleventh.text() !== "");
      answer = eleventh.text();
      return answer.includes('"too_many_uploads"');
    });
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer).toMatch(/retry-after: 5\r\n/i);
    for (const client of first) client.send(uploadRest(image));
    const statuses = await Promise.all(first.map((client) => client.answers()));
    expect(statuses).toEqual(first.map(() => [201]));
    expect((await upload(inMemory.url, image, headersOf("192.0.2.51"))).status).toBe(201);
  } finally {
    for (const client of opened) client.close();
  }
});

/** Sends an invalid registration from one of this machine's addresses, and resolves with the status. */
function post(port: number, localAddress: string, forwarded?: string): Promise<number> {
  const headers: http.OutgoingHttpHeaders = { "content-type": "application/json" };
  if (forwarded !== undefined) headers["x-forwarded-for"] = forwarded;
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: "127.0.0.1",
        port,
        localAddress,
        method: "POST",
        path: "/api/tokens",
        headers,
        agent: new http.Agent(),
      },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
      },
    );
    request.on("error", reject);
    request.end("{}");
  });
}

describe("X-Forwarded-For", () => {
  test("doesn't make a new client unless the proxy is trusted", async () => {
    const found = [];
    for (let count = 0; count <= writes; count++) {
      found.push(await post(direct.port, "127.0.0.30", `198.51.100.${count}`));
    }
    expect(found).toEqual([400, 400, 400, 429]);

    const client = async (address: string, written: string) => {
      const headers = { "x-forwarded-for": `${written}, ${address}, 10.0.0.1` };
      return (await inMemoryRest.post("/api/tokens", {}, headers)).status;
    };
    for (let count = 0; count < writes; count++)
      expect(await client("198.51.100.7", `6.6.6.${count}`)).toBe(400);
    expect(await client("198.51.100.7", "6.6.6.99")).toBe(429);
    expect(await client("198.51.100.8", "6.6.6.99")).toBe(400);
    // Addresses in the same IPv6 network count as one client.
    for (let count = 0; count < writes; count++)
      expect(await client(`2001:db8::${count}`, "1.1.1.1")).toBe(400);
    expect(await client("2001:db8:0:ff::ffff", "1.1.1.1")).toBe(429);
    expect(await client("2001:db8:0:100::1", "1.1.1.1")).toBe(400);
  });

  test("behind a trusted proxy each client has its own limit, whatever it forges", async () => {
    const found = [];
    for (let count = 0; count <= writes; count++) {
      found.push(await post(proxy.port, "127.0.0.2", `198.51.100.${count}, 10.0.0.${count}`));
    }
    expect(found).toEqual([400, 400, 400, 429]);
    expect(await post(proxy.port, "127.0.0.3")).toBe(400);
    // Nor can one client use up another's limit.
    for (let count = 0; count <= writes; count++) await post(proxy.port, "127.0.0.4", "127.0.0.5");
    expect(await post(proxy.port, "127.0.0.5")).toBe(400);
  });

  test("without TRUST_PROXY all requests through a proxy count as one client, whatever the header says", async () => {
    const found = [];
    for (let count = 0; count <= writes; count++) {
      found.push(await post(passing.port, `127.0.0.${10 + count}`, `198.51.100.${count}`));
    }
    expect(found).toEqual([400, 400, 400, 429]);
  });
});

test("connections in use are limited per address, except those of a trusted proxy", async () => {
  const open = (port: number, count: number): Promise<RawClient[]> =>
    Promise.all(Array.from({ length: count }, () => connect(port, { localAddress: "127.0.0.6" })));
  const begin = async (clients: RawClient[]) => {
    for (const client of clients) client.send("GET /api/stream HTTP/1.1\r\nhost: h\r\n\r\n");
    for (const client of clients) expect(await client.answers()).toEqual([200]);
  };

  const many = await open(behindProxy.port, 3 * maxConnections);
  await begin(many);

  const few = await open(direct.port, maxConnections);
  await begin(few);
  const [refused] = await open(direct.port, 1);
  expect(problemIn((await refused?.closed()) ?? "")).toMatchObject({
    status: 429,
    code: "too_many_connections",
  });
  for (const client of [...many, ...few]) client.close();
});

test("processes that share a database count together, and count separately without it", async () => {
  const client = "127.0.0.20";
  const first = () => post(direct.port, client);
  const second = () => post(behindProxy.port, "127.0.0.7", client);
  const found = [];
  for (const ask of [first, second, first, second, first]) found.push(await ask());
  expect(found).toEqual([400, 400, 400, 429, 429]);
  // Each process asks the database once more at most, however many requests it refuses.
  for (let count = 0; count < 20; count++) expect(await first()).toBe(429);
  const [counted] = await service.database.query("select points from offchain.rate_limit where key = $1", [
    `writes:${client}`,
  ]);
  expect(counted?.points).toBeLessThanOrEqual(writes + 2);

  await service.database.query("alter table offchain.rate_limit rename to elsewhere");
  expect(await post(direct.port, "127.0.0.21")).toBe(400);
  await service.database.query("alter table offchain.elsewhere rename to rate_limit");
});

test("an address may have 100 streams at a time, and streams closed while being counted don't count", async () => {
  const { port, url } = behindProxy;
  const client = "198.51.100.60";
  const leaves = async (afterMs: number) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const request = `GET /api/stream HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${client}\r\n\r\n`;
    socket.write(request, () => {
      setTimeout(() => socket.destroy(), afterMs);
    });
    await closed;
  };
  for (let count = 0; count < 60; count++) await leaves(count / 20);

  async function statuses(streams: number): Promise<number[]> {
    const leaving = new AbortController();
    const init = { headers: { "x-forwarded-for": client }, signal: leaving.signal };
    const opened = await Promise.all(Array.from({ length: streams }, () => fetch(`${url}/api/stream`, init)));
    const refused = opened.find(({ status }) => status === 429);
    if (refused !== undefined) expect(await refused.json()).toMatchObject({ code: "too_many_streams" });
    leaving.abort();
    return opened.map(({ status }) => status);
  }
  await until(
    "100 streams, and no more",
    async () => {
      const found = await statuses(101);
      return found.filter((status) => status === 200).length === 100;
    },
    8_000,
  );
});
