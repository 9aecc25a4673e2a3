import net from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../service/condition.ts";
import type { Indexer } from "../service/indexer.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

const reads = 6;
const writes = 3;

let service: SharedService["service"];
const replicas: Indexer[] = [];

beforeAll(async () => {
  ({ service } = await sharedService());
});

afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
});

/** A process with limits on, which has counted nothing yet but the reading of the document. */
async function limited(env: Record<string, string> = {}): Promise<RestClient> {
  const limits = { RATE_LIMIT: "on", RATE_LIMIT_READS: String(reads), RATE_LIMIT_WRITES: String(writes) };
  const replica = await service.startReplica({ env: { ...limits, ...env } });
  replicas.push(replica);
  return await createRestClient(replica.url);
}

const remaining = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);

test("off: no limit, and no headers", async () => {
  const rest = await createRestClient(service.indexer.url);
  for (let count = 0; count < 50; count++) expect((await rest.get("/api/tokens")).status).toBe(200);
  const { headers } = await rest.get("/api/tokens");
  expect([headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([null, null]);
});

test("resized images are counted apart, since a list has many", async () => {
  const rest = await limited();
  const path = `/ipfs/bafkrei${"a".repeat(52)}`;
  for (let count = 1; count <= reads + 2; count++) {
    const { status, headers } = await rest.get(`${path}?width=64`);
    expect([status, headers.get("ratelimit-policy")]).toEqual([404, `"images";q=${5 * reads};w=60`]);
    expect(remaining(headers)).toBe(5 * reads - count);
  }
  const { headers } = await rest.get(path);
  expect(headers.get("ratelimit-policy")).toBe(`"reads";q=${reads};w=60`);
});

test("reads and writes are counted apart, whatever becomes of them; then 429 until the minute is over", async () => {
  const rest = await limited();
  // The document was the first.
  const paths = ["/api/tokens", "/api/nothing", "/api/tokens?page=0", "/api", "/api/curves"];
  for (const [index, path] of paths.entries()) {
    const { status, headers } = await rest.get(path);
    expect(status).not.toBe(429);
    expect(headers.get("ratelimit-policy")).toBe(`"reads";q=${reads};w=60`);
    expect(headers.get("ratelimit")).toMatch(/^"reads";r=\d+;t=\d+$/);
    expect(remaining(headers)).toBe(reads - 2 - index);
  }
  for (const method of ["GET", "HEAD"]) {
    const { status, headers, body } = await rest.request("/api/tokens", { method });
    expect([status, remaining(headers)]).toEqual([429, 0]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
    if (method === "GET") expect(body.code).toBe("too_many_requests");
  }
  for (let count = 1; count <= writes; count++) {
    const { status, headers } = await rest.post("/api/tokens", {});
    expect([status, remaining(headers)]).toEqual([400, writes - count]);
  }
  expect((await rest.post("/api/tokens", {})).status).toBe(429);
  // Who watches the service is not counted.
  for (let count = 0; count < 20; count++) expect((await rest.get("/api/health")).status).toBe(200);
});

test("a tool of MCP counts as a read, and so does each request that it makes; MCP=off takes it away", async () => {
  const rest = await limited();
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_stats", arguments: {} } };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const post = (body: object) => rest.fetch("/mcp", { method: "POST", headers, body: JSON.stringify(body) });
  const first = await post(call);
  expect([first.status, remaining(first.headers)]).toEqual([200, reads - 2]);
  expect(remaining((await rest.get("/api/stats")).headers)).toBe(reads - 4);
  while ((await rest.get("/api/stats")).status !== 429);
  expect((await post(call)).status).toBe(429);

  const off = await limited({ MCP: "off" });
  expect((await off.fetch("/mcp", { method: "POST", headers, body: JSON.stringify(call) })).status).toBe(404);
});

test("X-Forwarded-For makes no new client, unless a proxy is trusted", async () => {
  const [direct, behindTwo] = await Promise.all([limited(), limited({ TRUST_PROXY: "2" })]);
  const ask = async (rest: RestClient, forwarded: string) =>
    (await rest.post("/api/tokens", {}, { "x-forwarded-for": forwarded })).status;

  const found = [];
  for (let count = 0; count <= writes; count++) found.push(await ask(direct, `198.51.100.${count}`));
  expect(found).toEqual([400, 400, 400, 429]);

  const client = (address: string, written: string) => ask(behindTwo, `${written}, ${address}, 10.0.0.1`);
  for (let count = 0; count < writes; count++)
    expect(await client("198.51.100.7", `6.6.6.${count}`)).toBe(400);
  expect(await client("198.51.100.7", "6.6.6.99")).toBe(429);
  expect(await client("198.51.100.8", "6.6.6.99")).toBe(400);
  // Addresses of one IPv6 network are one client.
  for (let count = 0; count < writes; count++)
    expect(await client(`2001:db8::${count}`, "1.1.1.1")).toBe(400);
  expect(await client("2001:db8::ffff", "1.1.1.1")).toBe(429);
  expect(await client("2001:db8:0:1::1", "1.1.1.1")).toBe(400);
});

test("replicas that share a database count together, and go on by themselves without it", async () => {
  const shared = { RATE_LIMIT_STORE: "postgres", RATE_LIMIT_READS: "10000" };
  const [first, second] = await Promise.all([limited(shared), limited(shared)]);
  const found = [];
  for (const rest of [first, second, first, second, first])
    found.push((await rest.post("/api/tokens", {})).status);
  expect(found).toEqual([400, 400, 400, 429, 429]);

  await service.database.query("alter table offchain.rate_limit rename to elsewhere");
  expect((await first.post("/api/tokens", {})).status).toBe(400);
  await service.database.query("alter table offchain.elsewhere rename to rate_limit");
});

test("an address has 100 streams at a time, and those that it left while it was counted are none", async () => {
  const { port, url } = replicas.at(-1) as Indexer;
  const leaves = async (afterMs: number) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write("GET /api/stream HTTP/1.1\r\nhost: localhost\r\n\r\n", () => {
      setTimeout(() => socket.destroy(), afterMs);
    });
    await closed;
  };
  for (let count = 0; count < 60; count++) await leaves(count / 20);

  async function statuses(streams: number): Promise<number[]> {
    const leaving = new AbortController();
    const opened = await Promise.all(
      Array.from({ length: streams }, () => fetch(`${url}/api/stream`, { signal: leaving.signal })),
    );
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
