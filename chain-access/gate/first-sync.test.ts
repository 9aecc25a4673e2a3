import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../../test/chain/launchpad-chain.ts";
import { onlyInLongRun } from "../../test/run/long-run.ts";
import { migrateSyncTables } from "../../test/run/ponder-sync.ts";
import { createDatabase } from "../../test/service/database.ts";
import { type RpcRequest, startEndpointServer } from "../fixtures/endpoint-server.ts";
import { startFillingGate } from "../fixtures/filling-gate.ts";

let chain: LaunchpadChain;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator, "Twin", "TWIN");
  for (let count = 0; count < 5; count++) await chain.buy(buyer, token, 10n ** 15n);
  // Makes all of it final.
  await chain.testClient.mine({ blocks: 40 });
});

afterAll(async () => {
  await chain?.stop();
});

const head = async () => Number(await chain.head());

async function startAll() {
  const database = await createDatabase();
  const endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl });
  onTestFinished(async () => {
    await endpoint.stop();
    await database.drop();
  });
  const countLogs = async () => {
    const [row] = await database.query<{ count: number }>("select count(*)::int from ponder_sync.logs");
    return row?.count;
  };
  return { database, endpoint, countLogs };
}

const logRequests = ({ counts }: EmulatedEndpoint) => counts.byMethod().eth_getLogs?.elements ?? 0;

test("a new database's history is read before its tables exist, and stored once they do", async () => {
  const { database, endpoint, countLogs } = await startAll();
  await database.query("drop schema ponder_sync cascade");
  const gate = startFillingGate({ chain, database, rpcUrls: [endpoint.url] });
  await expect.poll(() => logRequests(endpoint)).toBeGreaterThan(0);
  await migrateSyncTables(database.url);
  // Without a request for it.
  await expect.poll(countLogs).toBeGreaterThan(10);
  await gate.stop();
});

test("a gate that ends before the tables exist stores nothing", async () => {
  const { database, endpoint, countLogs } = await startAll();
  await database.query("drop schema ponder_sync cascade");
  const gate = startFillingGate({ chain, database, rpcUrls: [endpoint.url] });
  await expect.poll(() => logRequests(endpoint)).toBeGreaterThan(0);
  await gate.stop();
  await migrateSyncTables(database.url);
  expect(await countLogs()).toBe(0);
});

test("a history that somebody has dropped is read again", async () => {
  const { database, endpoint, countLogs } = await startAll();
  const first = startFillingGate({ chain, database, rpcUrls: [endpoint.url] });
  await first.fill(await head());
  await first.stop();
  const all = await countLogs();

  await database.query("drop schema ponder_sync cascade");
  await migrateSyncTables(database.url);
  const second = startFillingGate({ chain, database, rpcUrls: [endpoint.url] });
  await second.fill(await head());
  await second.stop();
  expect(await countLogs()).toBe(all);
});

test("of three endpoints, one that reports a head that is far too high neither blocks the start nor is asked for it", async () => {
  const { database, endpoint } = await startAll();
  const others = await Promise.all([1, 2].map(() => startEmulatedEndpoint({ upstream: chain.rpcUrl })));
  endpoint.set({ headAhead: 1_000_000 });
  const gate = startFillingGate({ chain, database, rpcUrls: [endpoint, ...others].map(({ url }) => url) });
  const latest = await gate.request("eth_getBlockByNumber", ["latest", false]);
  expect(Number((latest as { number: string }).number)).toBe(await head());
  expect(endpoint.counts.total().elements).toBeLessThan(10);
  await gate.stop();
  await Promise.all(others.map((other) => other.stop()));
});

type RpcAnswer = { id: number; result?: unknown; error?: unknown };

/** Starts an endpoint in front of the chain that changes its answers. */
async function startChanging(change: (answer: RpcAnswer, request: RpcRequest) => RpcAnswer) {
  return await startEndpointServer(async (requests, response) => {
    const body = JSON.stringify(requests);
    const headers = { "content-type": "application/json" };
    const answered = await fetch(chain.rpcUrl, { method: "POST", headers, body });
    const answers = (await answered.json()) as RpcAnswer[];
    response.end(
      JSON.stringify(answers.map((answer, index) => change(answer, requests[index] as RpcRequest))),
    );
  });
}

onlyInLongRun(() => {
  test("while an endpoint refuses logs, the log says so once", async () => {
    const { database } = await startAll();
    let isRefused = true;
    const { url, received } = await startChanging((answer, { method }) =>
      isRefused && method === "eth_getLogs"
        ? { id: answer.id, error: { code: -32601, message: "the method eth_getLogs is not available" } }
        : answer,
    );
    const gate = startFillingGate({ chain, database, rpcUrls: [url] });
    const filled = gate.fill(await head());
    const refusals = () => received.filter(({ method }) => method === "eth_getLogs").length;
    await expect.poll(refusals).toBeGreaterThan(4);
    expect(gate.lines.filter((line) => line.startsWith("history: "))).toEqual([
      "history: the method eth_getLogs is not available; trying again",
    ]);
    expect(gate.status()).toMatchObject([
      { state: "failing", problem: "the method eth_getLogs is not available" },
    ]);
    isRefused = false;
    await filled;
    await gate.stop();
  });
});

test("a header that lacks something is not passed on to Ponder, and the log names the endpoint", async () => {
  const { database } = await startAll();
  let isWhole = false;
  const { url } = await startChanging((answer) => {
    if (!isWhole) delete (answer.result as { parentHash?: string } | null)?.parentHash;
    return answer;
  });
  const gate = startFillingGate({ chain, database, rpcUrls: [url] });
  const latest = gate.request("eth_getBlockByNumber", ["latest", false]);
  await expect
    .poll(() => gate.lines)
    .toContain("endpoint 1 gave a wrong answer: a block that lacks something");
  isWhole = true;
  expect(await latest).toMatchObject({ number: `0x${(await head()).toString(16)}` });
  await gate.stop();
});

test("while no endpoint answers, the log says so", async () => {
  const { database } = await startAll();
  const rpcUrls = ["http://127.0.0.1:1/key", "http://127.0.0.1:1/other"];
  const gate = startFillingGate({ chain, database, rpcUrls });
  await expect.poll(() => gate.lines).toContain("stopped: no endpoint answers");
  await gate.stop();
});

test("an endpoint that has only begun to sync is waited for: history would otherwise begin at its head", async () => {
  const { database, endpoint, countLogs } = await startAll();
  endpoint.set({ lag: 1_000_000 });
  const gate = startFillingGate({ chain, database, rpcUrls: [endpoint.url] });
  const latest = gate.request("eth_getBlockByNumber", ["latest", false]);
  const { startBlock } = chain.deployment;
  await expect
    .poll(() => gate.lines)
    .toContain(
      `waiting for block ${startBlock}, the first to index: the endpoints are still syncing, and at 0`,
    );
  endpoint.set({ lag: 0 });
  expect(Number(((await latest) as { number: string }).number)).toBe(await head());
  await gate.fill(await head());
  expect(await countLogs()).toBeGreaterThan(10);
  await gate.stop();
});

onlyInLongRun(() => {
  test("through a slow endpoint, the first blocks are stored long before the last ones are asked for", async () => {
    // More ranges than the endpoint answers in half a minute, and no logs near the last final block.
    for (let part = 0; part < 10; part++) await chain.testClient.mine({ blocks: 44 });
    const { database, endpoint } = await startAll();
    endpoint.set({ blockRange: 8, requestsPerSecond: 5 });
    const gate = startFillingGate({ chain, database, rpcUrls: [endpoint.url] });
    // Not awaited: it would take minutes, and ends with the gate.
    gate.fill(await head()).catch(() => {});
    const stored = async () => (await database.query("select 1 from ponder_sync.blocks")).length;
    await expect.poll(stored, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(logRequests(endpoint)).toBeLessThan(50);
    await gate.stop();
  });
});
