import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { createRequire, findPackageJSON } from "node:module";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { createSaltPool, type SaltPool } from "../../../salt-search/pool.ts";
import { createChainClients } from "../chain/chain-client.ts";
import { createChains } from "../chain/chains.ts";
import { openDatabase } from "../database/database.ts";
import { handleError } from "../http/error-handler.ts";
import { createVanitySalt } from "./vanity-salt.routes.ts";

// The server that Ponder runs the API with.
type NodeServer = { getRequestListener: (fetch: unknown) => (request: unknown, response: unknown) => void };
const fromPonder = createRequire(findPackageJSON("ponder", import.meta.url) as string);
const { getRequestListener } = fromPonder("@hono/node-server") as NodeServer;

let pool: SaltPool;
let timeoutMs: number;
let endpoint: Server;
let starting: MockInstance;
let server: Server;
let url: string;

beforeEach(async ({ task }) => {
  timeoutMs = task.name.includes("in time") ? 100 : 60_000;
  pool = createSaltPool({ workers: 1, maxRunning: 8, maxWaiting: 32 });
  starting = vi.spyOn(pool, "start");
  // tokenCreationCode() is two bytes of code here.
  const code = `0x${"20".padStart(64, "0")}${"2".padStart(64, "0")}${"6000".padEnd(64, "0")}`;
  endpoint = createServer(async (asked, answer) => {
    let body = "";
    for await (const chunk of asked) body += chunk;
    answer.setHeader("content-type", "application/json");
    answer.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result: code }));
  });
  await once(endpoint.listen(0, "127.0.0.1"), "listening");
  const chain = {
    id: 56 as const,
    rpcUrls: [`http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`],
    sync: "built-in" as const,
    webSocketUrls: [],
    pollingInterval: 1_000,
    tokenFactory: `0x${"11".repeat(20)}` as const,
    launchpad: `0x${"22".repeat(20)}` as const,
    priceFeeds: [],
    startBlock: 0,
  };
  const app = createVanitySalt({
    chains: createChains([chain]),
    db: openDatabase({ query: () => Promise.resolve({ rows: [] }) } as never),
    getClient: createChainClients(),
    trustedHops: 0,
    timeoutMs,
    pool,
    // Nobody ever finds that.
    suffix: "0".repeat(30),
  });
  app.onError(handleError);
  server = createServer(getRequestListener(app.fetch) as never);
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/tokens/vanity-salt?name=A&symbol=B`;
});

afterEach(async () => {
  await pool.close();
  for (const open of [server, endpoint]) {
    open.closeAllConnections();
    await new Promise((resolve) => open.close(resolve));
  }
});

test("the threads start on the first request, not with the service", async () => {
  expect(starting).not.toHaveBeenCalled();
  const asking = request(url).on("error", () => {});
  asking.end();
  await expect.poll(() => pool.tried()).toBeGreaterThan(0);
  expect(starting).toHaveBeenCalled();
  asking.destroy();
  await expect.poll(() => pool.load()).toEqual({ running: 0, waiting: 0 });
});

test("a client that hangs up frees its worker", async () => {
  const asking = request(url);
  asking.on("error", () => {});
  asking.end();
  await expect.poll(() => pool.load().running).toBe(1);
  asking.destroy();
  await expect.poll(() => pool.load()).toEqual({ running: 0, waiting: 0 });
});

test("once all workers are busy and the queue is full: 503 with Retry-After", async () => {
  const clients = Array.from({ length: 40 }, () => request(url).on("error", () => {}));
  for (const client of clients) client.end();
  await expect.poll(() => pool.load()).toEqual({ running: 8, waiting: 32 });
  const refused = await fetch(url);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
  expect(await refused.json()).toMatchObject({ code: "busy" });
  for (const client of clients) client.destroy();
  await expect.poll(() => pool.load()).toEqual({ running: 0, waiting: 0 });
});

test("a search that is not done in time ends with 503, and frees its worker", async () => {
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
  expect(await answer.json()).toMatchObject({ code: "busy" });
  await expect.poll(() => pool.load()).toEqual({ running: 0, waiting: 0 });
});

test("a client that fills the queue loses a place to one from another address", async () => {
  const clients = Array.from({ length: 40 }, () => request(url).on("error", () => {}));
  const answered = clients.map(
    (client) =>
      new Promise<number | undefined>((resolve) =>
        client.on("response", (answer) => resolve(answer.statusCode)),
      ),
  );
  for (const client of clients) client.end();
  await expect.poll(() => pool.load()).toEqual({ running: 8, waiting: 32 });
  const newcomer = request(url, { localAddress: "127.0.0.2" }).on("error", () => {});
  newcomer.end();
  expect(await Promise.race(answered)).toBe(503);
  expect(pool.load()).toEqual({ running: 8, waiting: 32 });
  for (const client of [...clients, newcomer]) client.destroy();
  await expect.poll(() => pool.load()).toEqual({ running: 0, waiting: 0 });
});
