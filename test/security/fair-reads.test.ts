import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { query } from "../../runtime/process/fixtures/query.ts";
import { onlyInLongRun } from "../run/long-run.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

let service: SharedService["service"];
let mint: string;

beforeAll(async () => {
  const { chain, service: shared } = await sharedService();
  service = shared;
  const [trader] = chain.traders;
  mint = await chain.create(trader);
  await chain.buy(trader, mint as `0x${string}`, 10n ** 15n);
  await service.indexer.untilIndexed(chain.chainId, await chain.head());
  // The very first request loads the list and asks the chain for its DEX.
  for (const path of ["/api/tokens", "/api/coingecko/tickers"]) expect(await get(path, other)).toBe(200);
});

/** Two clients: on Linux, all of 127.0.0.0/8 is this machine. */
const greedy = "127.0.0.2";
const other = "127.0.0.3";

function open(path: string, localAddress: string): { asked: ClientRequest; status: Promise<number> } {
  const asked = request(new URL(path, service.indexer.url), { localAddress });
  const status = once(asked, "response").then(async ([answer]) => {
    const response = answer as IncomingMessage;
    await text(response);
    return response.statusCode ?? 0;
  });
  status.catch(() => {});
  asked.end();
  return { asked, status };
}

const get = (path: string, localAddress: string) => open(path, localAddress).status;

/** Blocks every statement that reads the table until the returned function is called. */
async function lockTable(table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return () => client.end();
}

/** The number of read connections that wait for a lock. */
async function waitingReads(): Promise<number> {
  // Only a superuser sees what other roles wait for.
  const rows = await query(
    service.database.adminUrl,
    `select from pg_stat_activity where datname = current_database() and application_name = 'onchain_rest'
       and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

test.each([
  {
    kind: "searches",
    path: (n: number) => `/api/tokens?q=text${n}`,
    table: "offchain.registration",
  },
  { kind: "tickers", path: () => "/api/coingecko/tickers", table: "onchain.trade" },
])("a hundred slow $kind from one address don't delay others", async ({ path, table }) => {
  const unlock = await lockTable(table);
  let answered = 0;
  const flood = Array.from({ length: 100 }, (_, index) => open(path(index), greedy));
  for (const { status } of flood) void status.finally(() => answered++).catch(() => {});
  try {
    await expect.poll(waitingReads).toBe(1);

    expect(await get("/api/health", greedy)).toBe(200);
    expect(await get(`/api/curve/${mint}`, other)).toBe(200);
    // Beyond the end of the list, so that no row is read.
    expect(await get("/api/tokens?page=1000", other)).toBe(200);
    expect(answered).toBe(0);

    // A client has one slot at a time, so the other is free.
    const same = get(path(1_000), other);
    await expect.poll(waitingReads).toBe(2);
    // Clients that disconnect leave the queue: half of the queries never run.
    for (const { asked } of flood.slice(50)) asked.destroy();
    await unlock();
    expect(await same).toBe(200);
    const statuses = await Promise.all(flood.slice(0, 50).map(({ status }) => status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  } finally {
    await unlock().catch(() => {});
    for (const { asked } of flood) asked.destroy();
  }
});

test("when the queue is full, the client with the most requests in it loses one to another client", async () => {
  const unlock = await lockTable("offchain.registration");
  const flood = Array.from({ length: 510 }, (_, index) => open(`/api/tokens?q=word${index}`, greedy));
  try {
    // One runs, 500 wait, and nine are refused.
    const refused = flood.map(({ status }) => status.then((code) => expect(code).toBe(503)));
    await Promise.any(refused);
    const [first, second] = [get("/api/tokens?q=one", other), get("/api/tokens?q=two", other)];
    await expect.poll(waitingReads).toBe(2);
    for (const { asked } of flood) asked.destroy();
    await unlock();
    expect([await first, await second]).toEqual([200, 200]);
  } finally {
    await unlock().catch(() => {});
    for (const { asked } of flood) asked.destroy();
  }
});

onlyInLongRun(() => {
  test("requests that wait for the list of a starting process don't delay others", async () => {
    const unlock = await lockTable("offchain.registration");
    const replica = await service.startReplica({}, { is: "up" });
    const ask = (path: string) => fetch(replica.url + path).then(({ status }) => status);
    try {
      const lists = Array.from({ length: 20 }, () => ask("/api/tokens"));
      expect(await ask(`/api/curve/${mint}`)).toBe(200);
      // The process is not ready, so no load balancer sends requests here yet.
      const ready = await fetch(`${replica.url}/ready`);
      expect([ready.status, ((await ready.json()) as { code: string }).code]).toEqual([503, "warming_up"]);
      await unlock();
      expect(new Set(await Promise.all(lists))).toEqual(new Set([200]));
      await replica.untilReady();
    } finally {
      await unlock().catch(() => {});
      await replica.stop();
    }
  });
});
