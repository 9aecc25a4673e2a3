import { setImmediate } from "node:timers/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../../local/market/random.ts";
import {
  createPool,
  inSnapshot,
  openDatabase,
  type PooledDatabase,
} from "../../src/api/database/database.ts";
import { readIndexState } from "../../src/api/ponder/index-state.query.ts";
import { readAllListedTokens, unpackTokens } from "../../src/api/tokens/list/all-listed-tokens.query.ts";
import { readListedTokensSince } from "../../src/api/tokens/list/listed-tokens.query.ts";
import { syncList } from "../../src/api/tokens/list/order/list-sync.ts";
import { createListing } from "../../src/api/tokens/list/order/listing.ts";
import { accounts } from "../chain/anvil.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startPriceFeed, type TestFeed } from "../chain/price-feed.ts";
import { startTcpGate } from "../doubles/tcp-gate.ts";
import {
  boards,
  type ExpectedView,
  expectedList,
  sorts,
  windows,
} from "../reference-market/expected-list.ts";
import { onlyInLongRun, sized } from "../run/long-run.ts";
import { seed } from "../run/seed.ts";
import { until, untilServed } from "../service/condition.ts";
import type { Indexer } from "../service/indexer.ts";
import { registrationOf, signed } from "../service/registration.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type Service, startService } from "../service/service.ts";

/*
 * Each process keeps its own list in memory. After each step of a random market with reorgs, in which hours and days pass, and
 * with registrations that come early, late, unsigned and signed, the list must equal the result of plain SQL on the tables.
 * Its entries, which are cached while unchanged, must equal those read for a single token.
 */

const rounds = sized({ usual: 2, long: 30 });
const random = createRandom(seed);
const { pick } = random;
const listWindows = Object.keys(windows) as (keyof typeof windows)[];

let chain: LaunchpadChain;
let service: Service;
let replica: Indexer;
let clients: RestClient[];
let feed: TestFeed;
let issuedAt: number;

beforeAll(async () => {
  chain = await startLaunchpadChain({ hours: 30 });
  const size = sized({
    usual: { blocks: 90, actionsPerBlock: 3, creations: 0.03 },
    long: { blocks: 90, actionsPerBlock: 6, creations: 0.05 },
  });
  await chain.trade(seed, size);
  // Makes everything before it final.
  await chain.testClient.mine({ blocks: 40 });
  feed = await startPriceFeed(chain);
  service = await startService([chain], { env: { BNB_USD_FEED_ADDRESS_56: feed.aggregator } });
  await service.indexer.untilReady();
  replica = await service.startReplica();
  clients = [await createRestClient(service.indexer.url), await createRestClient(replica.url)];
  issuedAt = Math.floor(Date.now() / 1_000) - 1_000;
});

afterAll(async () => {
  await replica?.stop();
  await service?.stop();
  await chain?.stop();
});

type Token = ReturnType<typeof registrationOf>;

/** Registers with one of the processes. Any outcome is fine: the token may be gone, or already registered. */
async function register(token: Token): Promise<void> {
  const rest = pick(clients);
  const text = pick(["Otters all the way", "nothing but ÄPFEL und 小狗狗", "100% legit_token", undefined]);
  const body = { ...token, description: text };
  const account = accounts.find(({ address }) => address.toLowerCase() === token.creator.toLowerCase());
  const isSigned = account !== undefined && random.chance(0.4);
  const sent = isSigned ? await signed(rest, account, body, ++issuedAt) : body;
  const { status } = await untilServed("a registration", () => rest.post("/api/tokens", sent));
  expect([200, 201, 404, 409, 422]).toContain(status);
}

async function indexedTokens(): Promise<Token[]> {
  const rows = await service.database.query("select * from onchain.token");
  return rows.map((row) =>
    registrationOf(row.address, row.creator, {
      name: row.name,
      symbol: row.symbol,
      burnPercent: row.burn_percent,
    }),
  );
}

const actions: Record<string, () => Promise<unknown>> = {
  async create() {
    const token = {
      name: `Otter ${random.integer(1, 999)}`,
      symbol: "OTTER",
      burnPercent: random.integer(30, 70),
    };
    const creator = pick(chain.traders);
    const mint = await chain.create(creator, token.name, token.symbol, token.burnPercent);
    // Immediately, before the token is indexed.
    if (random.chance(0.7)) await register(registrationOf(mint, creator, token));
  },
  async registerLate() {
    const tokens = await indexedTokens();
    for (let count = random.integer(1, 6); count > 0; count--) await register(pick(tokens));
  },
  async buy() {
    const { mint } = pick(await indexedTokens());
    const value = (graduatingAmount * BigInt(random.integer(1, 100))) / 100n;
    await chain.buy(pick(chain.traders), mint as Address, value).catch(expectRevert);
  },
  /** A trade that leaves the number of holders unchanged. */
  async buyMore() {
    const [row] = await holdings();
    if (row !== undefined)
      await chain.buy(row.account, row.token, graduatingAmount / 100n).catch(expectRevert);
  },
  /** Adds holders without a trade. */
  async transfer() {
    const [row] = await holdings();
    const receiver = `0x${random
      .integer(1, 2 ** 30)
      .toString(16)
      .padStart(40, "a")}` as Address;
    if (row !== undefined)
      await chain.transfer(row.account, row.token, receiver, BigInt(row.balance_raw) / 2n);
  },
  /** Reduces the circulating supply without changing trades or the number of holders. */
  async give() {
    const [row] = await holdings();
    if (row === undefined) return;
    const { launchpad } = chain.deployment;
    await chain.transfer(row.account, row.token, launchpad, BigInt(row.balance_raw) / 3n);
  },
  async changeRate() {
    await feed.answer(BigInt(random.integer(500, 700)) * 10n ** 8n);
  },
  /** Passes time until a trade leaves a window, to the second or nearly so. */
  async age() {
    const { timestamp } = await chain.publicClient.getBlock();
    const next = await service.database.query(
      `select timestamp + length as at from onchain.trade, unnest(array[3600, 21600, 86400]) length
       where timestamp + length > $1 order by at limit 20`,
      [timestamp],
    );
    if (next.length > 0) await passTime(Number(pick(next).at) + random.integer(-1, 1));
  },
  async sell() {
    const [row] = await holdings();
    if (row !== undefined)
      await chain.sell(row.account, row.token, BigInt(row.balance_raw)).catch(expectRevert);
  },
};

/** Holdings of the trading accounts, in random order. */
async function holdings(): Promise<{ token: Address; account: Address; balance_raw: string }[]> {
  return await service.database.query(
    `select token, account, balance_raw from onchain.holder
     where balance_raw > 1 and account in (select trader from onchain.trade)
     order by md5(token || account || $1) limit 1`,
    [random.integer(0, 2 ** 30)],
  );
}

/** Mines a block with this timestamp in seconds, unless it is in the past. */
async function passTime(to: number): Promise<void> {
  const { timestamp } = await chain.publicClient.getBlock();
  if (to > Number(timestamp)) await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(to) });
  await chain.testClient.mine({ blocks: 1 });
}

/** Accepts only a revert: the token may have graduated, or be gone. */
function expectRevert(error: Error): void {
  expect(error.message).toMatch(/reverted|revert|execution/i);
}

const waiting: (() => Promise<unknown>)[] = [];

/** Every kind of action comes once before any of them comes again. */
async function actRandomly(): Promise<void> {
  for (let count = random.integer(3, 6); count > 0; count--) {
    if (waiting.length === 0) waiting.push(...Object.values(actions));
    const [action] = waiting.splice(random.integer(0, waiting.length - 1), 1);
    await action?.();
  }
}

/** Every board in every order, some of them with a filter. */
async function someViews(): Promise<ExpectedView[]> {
  const { name, mint, creator } = pick(await indexedTokens()) as Token & { name: string };
  const filters = [
    { q: name.slice(1, 6).trim() },
    { q: mint.slice(0, 4) },
    { q: "ÄPFEL" },
    { q: "l_T" },
    { creator },
    { minVolumeBnb: pick(["0.000000000000000001", "0.05", "1"]) },
    { minTraders: pick(["1", "2", "3"]) },
    {
      minHolders: pick(["1", "2", "5"]),
      maxCreatorPercent: pick(["0", "12.5", "50"]),
      maxInsiderPercent: pick(["0", "3", "20"]),
    },
    {
      maxSniperPercent: pick(["0", "10", "60"]),
      maxBundlerPercent: pick(["0", "5", "40"]),
    },
    { maxCreatorBuysPercent: pick(["0", "33.3333", "80"]), minNetVolumeBnb: pick(["0", "0.001", "0.04"]) },
    { maxOpeningBuysPercent: pick(["0", "33.3333", "80"]) },
    { selfGraduated: "false" as const },
    { verified: "true" as const, q: name.slice(1, 6).trim() },
  ];
  return [
    ...boards.flatMap((board) =>
      sorts.map((sort) => {
        const hasWindow = sort === "gainers" || sort === "losers";
        return { board, sort, ...(hasWindow ? { window: pick(listWindows) } : {}) };
      }),
    ),
    ...filters.map((filter) => ({ board: pick(boards), sort: pick(sorts), ...filter })),
  ];
}

/** Compares these views of both processes, or some of which each comes from one of them. */
async function expectListsEqualTables(step: string, views?: ExpectedView[]): Promise<void> {
  const now = await indexedTime();
  const asked =
    views?.flatMap((view) => clients.map((rest) => ({ view, rest }))) ??
    (await someViews()).map((view) => ({ view, rest: pick(clients) }));
  await Promise.all(
    asked.map(async ({ view, rest }) => {
      const limit = pick([7, 20, 100]);
      const expected = await expectedList(service.database, view, { chainId: chain.chainId, now });
      const found: object[] = [];
      for (let page = 1; ; page++) {
        const parameters = new URLSearchParams({ ...view, page: String(page), limit: String(limit) });
        const { body } = await rest.get(`/api/tokens?${parameters}`);
        expect({ seed, step, view, total: body.total }).toEqual({ seed, step, view, total: expected.length });
        found.push(...body.tokens);
        expect(body.hasMore).toBe(found.length < expected.length);
        if (!body.hasMore) break;
      }
      expect({ seed, step, view, list: found }).toEqual({
        seed,
        step,
        view,
        list: expected.map((row) => expect.objectContaining(row)),
      });
      expect({ seed, step, view, list: await mintsByCursor(view, limit) }).toEqual({
        seed,
        step,
        view,
        list: expected.map(({ mint }) => mint),
      });
    }),
  );
}

/** The list's mints, page by page, from each of the processes in turn. */
async function mintsByCursor(view: ExpectedView, limit: number): Promise<string[]> {
  const found: string[] = [];
  const parameters = new URLSearchParams({ ...view, limit: String(limit) });
  for (let page = 1; ; page++) {
    const { body } = (await clients[page % clients.length]?.get(`/api/tokens?${parameters}`)) ?? {};
    expect(body.page).toBe(page);
    found.push(...body.tokens.map(({ mint }: Token) => mint));
    if (body.nextCursor === null) return found;
    parameters.set("cursor", body.nextCursor);
  }
}

const cacheAdvice =
  "The list keeps an entry until a row that it is made of changes, or a trade leaves a window. A field that changes at other times belongs in tokenDetails";

/** Expects each entry of the lists, or only those of some tokens, to equal the token's own entry from the other process. */
async function expectEntriesEqualTokens(step: string, some?: Set<string>): Promise<void> {
  await indexedTime();
  for (const [index, rest] of clients.entries()) {
    const other = clients[1 - index] as RestClient;
    for (let page = 1; ; page++) {
      const { body } = await rest.get(`/api/tokens?page=${page}&limit=100`);
      for (const entry of body.tokens) {
        if (some?.has(entry.mint) === false) continue;
        const { body: alone } = await other.get(`/api/token/${entry.mint}`);
        const same = Object.fromEntries(Object.keys(entry).map((name) => [name, alone[name]]));
        expect({ seed, step, ...entry }, cacheAdvice).toEqual({ seed, step, ...same });
      }
      if (!body.hasMore) break;
    }
  }
}

/** Resolves with the timestamp of the chain's last block once that block is indexed. */
async function indexedTime(): Promise<number> {
  const { number, timestamp } = await chain.publicClient.getBlock();
  await until("the last block to be indexed", async () => {
    const [at] = await service.database.query(
      "select latest_checkpoint as latest from onchain._ponder_checkpoint",
    );
    return at?.latest.startsWith(timestamp) && BigInt(at.latest.slice(26, 42)) === number;
  });
  return Number(timestamp);
}

test("the lists of two processes equal the tables after each step of a market with reorgs", async () => {
  await expectListsEqualTables("start");
  for (let count = 0; count < 6; count++) await actions.registerLate?.();
  for (let round = 1; round <= rounds; round++) {
    const snapshot = round % 2 === 0 ? await chain.testClient.snapshot() : undefined;
    await actRandomly();
    await service.expectIndexEqualsChain();
    await expectListsEqualTables(`round ${round}`);
    await expectEntriesEqualTokens(`round ${round}`);
    if (snapshot === undefined) continue;

    await chain.testClient.revert({ id: snapshot });
    if (random.chance(0.5)) await actRandomly();
    await chain.testClient.mine({ blocks: random.integer(1, 8) });
    await service.expectIndexEqualsChain();
    await expectListsEqualTables(`reorg of round ${round}`);
    await expectEntriesEqualTokens(`reorg of round ${round}`);
  }
  const [made] = await service.database.query("select count(*)::int as rows from offchain.registration");
  expect(made?.rows).toBeGreaterThan(3);
});

test("every token meets conditions that are the values of its own entry", async () => {
  const [rest] = clients as [RestClient];
  for (let count = 0; count < 4; count++) await actions.registerLate?.();
  const { tokens } = (await rest.get("/api/tokens?limit=100")).body;
  expect(tokens.length).toBeGreaterThan(3);
  for (const { mint, holderCount, netVolumeBnb, risk, windows } of tokens) {
    const conditions = {
      minHolders: holderCount,
      minNetVolumeBnb: netVolumeBnb,
      minVolumeBnb: windows["24h"].volumeBnb,
      minTraders: windows["24h"].traders,
      maxCreatorPercent: risk.creatorPercent ?? 0,
      maxInsiderPercent: risk.insidersPercent ?? 0,
      maxSniperPercent: risk.snipersPercent ?? 0,
      maxBundlerPercent: risk.bundlersPercent ?? 0,
      maxCreatorBuysPercent: risk.creatorBuysPercent ?? 0,
      maxOpeningBuysPercent: risk.openingBuysPercent ?? 0,
    };
    for (const [name, value] of Object.entries(conditions)) {
      const { total } = (await rest.get(`/api/tokens?mint=${mint}&${name}=${value}`)).body;
      expect([mint, name, value, total]).toEqual([mint, name, value, 1]);
    }
  }
});

test("a process's initial read equals what it would read as changes", async () => {
  // A token that its creator's own buy graduates.
  const [creator] = chain.traders;
  const token = { name: "Own Otter", symbol: "OWN", burnPercent: 50 };
  const mint = await chain.create(creator, token.name, token.symbol, token.burnPercent);
  await chain.buy(creator, mint, graduatingAmount);
  await indexedTime();
  await register(registrationOf(mint, creator, token));
  const pool = new pg.Pool({ connectionString: service.database.url });
  try {
    const { all, since } = await inSnapshot(openDatabase(pool), async (tx) => {
      const { chains } = await readIndexState(tx);
      const everything = { registry: 0, before: [], volatileIds: [], now: chains };
      return {
        all: await readAllListedTokens(tx, chains),
        since: await readListedTokensSince(tx, everything),
      };
    });
    const byId = (left: { id: number }, right: { id: number }) => left.id - right.id;
    const atFirst = all.flatMap((packed) => [...unpackTokens(packed)]).toSorted(byId);
    const asChanges = since
      .filter(({ token }) => token !== undefined)
      .map(({ isWritten: _, ...listed }) => listed)
      .toSorted(byId);
    expect(atFirst.length).toBeGreaterThan(10);
    expect(atFirst).toEqual(asChanges);
    const distinct = (
      property:
        | "burnPercent"
        | "createdLogIndex"
        | "verified"
        | "selfGraduated"
        | "creatorBuysPercent"
        | "openingBuysPercent"
        | "netVolume",
    ) => new Set(atFirst.map(({ token }) => token[property])).size;
    expect(distinct("burnPercent")).toBeGreaterThan(1);
    expect(distinct("createdLogIndex")).toBeGreaterThan(1);
    expect(distinct("verified")).toBe(2);
    expect(distinct("selfGraduated")).toBe(2);
    for (const share of ["creatorBuysPercent", "openingBuysPercent", "netVolume"] as const) {
      expect(distinct(share)).toBeGreaterThan(1);
    }
  } finally {
    await pool.end();
  }
});

/** A pool of connections. `onAnswer` gets each statement that was answered, and may hold its answer back. */
function watchedPool(
  connectionString: string,
  onAnswer: (statement: string, client: pg.PoolClient) => void | Promise<void>,
): pg.Pool {
  const pool = new pg.Pool({ connectionString });
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    client.query = (async (given: string | { text: string }, ...more: unknown[]) => {
      const answer = await query(given, ...more);
      await onAnswer(typeof given === "string" ? given : given.text, client);
      return answer;
    }) as typeof client.query;
  });
  return pool;
}

test("the initial read of trades happens once, however often the database was unavailable before", async () => {
  const url = new URL(service.database.url);
  const gate = await startTcpGate(url.hostname, Number(url.port));
  url.port = String(gate.port);
  let snapshots = 0;
  const pool = watchedPool(url.href, (statement) => {
    if (statement.startsWith("begin")) snapshots++;
  });
  try {
    const db = drizzle(pool, { casing: "snake_case" });
    const { read } = syncList(db, db);
    gate.close();
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(read({ withActivity: true })).rejects.toThrow();
    }
    gate.open();
    snapshots = 0;
    await read({ withActivity: true });
    // One for the list, and one for the trades.
    expect(snapshots).toBe(2);
  } finally {
    await pool.end();
    await gate.stop();
  }
});

test("reading the whole list may take longer than a request, which is told to come back", async () => {
  const { url } = service.database;
  const pools = [1, 60].map((statementSeconds) =>
    createPool({ url, name: "list_test", connections: 2, statementSeconds }),
  );
  const [db, listDb] = pools.map(openDatabase) as [PooledDatabase, PooledDatabase];
  const listing = createListing({ db, listDb, maxWaitMs: 100 });
  const holder = new pg.Client({ connectionString: url });
  try {
    await holder.connect();
    await holder.query("begin; lock table offchain.registration");
    const loading = listing.load();
    await expect(listing.untilLoaded()).rejects.toMatchObject({ problem: { code: "warming_up" } });
    await expect(listing.count(56)).rejects.toMatchObject({ problem: { code: "warming_up" } });
    await until("the read takes longer than a request's statement may", async () => {
      const [waiting] = await service.database.query(
        `select from pg_stat_activity where application_name = 'list_test' and wait_event_type = 'Lock'
         and now() - query_start > interval '1.5 s'`,
      );
      return waiting !== undefined;
    });
    await holder.query("rollback");
    await loading;
    expect(await listing.count(56)).toBeGreaterThan(0);
  } finally {
    await holder.end();
    for (const pool of pools) await pool.end();
  }
});

test("the initial read of trades happens once, although the list is read again meanwhile", async () => {
  let readsOfTrades = 0;
  /** The answers of the second and the third snapshot wait for these. */
  const gates = new Map<number, PromiseWithResolvers<void>>([2, 3].map((n) => [n, Promise.withResolvers()]));
  const numbers = new Map<pg.PoolClient, number>();
  let begun = 0;
  let ended = 0;
  const pool = watchedPool(service.database.url, async (statement, client) => {
    if (statement.startsWith("begin")) numbers.set(client, ++begun);
    if (statement.includes("by_trader")) readsOfTrades++;
    if (statement !== "rollback") return;
    ended++;
    await gates.get(numbers.get(client) ?? 0)?.promise;
  });
  const db = drizzle(pool, { casing: "snake_case" });
  const { read } = syncList(db, db);
  try {
    const withActivity = read({ withActivity: true });
    await until("the trades are read", async () => ended === 2);
    await chain.testClient.mine({ blocks: 1 });
    await service.indexer.untilIndexed(56, await chain.head());
    const list = read({ withActivity: false });
    await until("the list is read again", async () => ended === 3);
    gates.get(2)?.resolve();
    // Until the trades are taken over.
    await setImmediate();
    gates.get(3)?.resolve();
    await list;
    await withActivity;
    expect(readsOfTrades).toBe(1);
  } finally {
    await pool.end();
  }
});

onlyInLongRun(() => {
  test("a trade leaves a window once it is as old as the window is long", async () => {
    const views: ExpectedView[] = (["volume", "trades", "trending"] as const).map((sort) => ({
      board: "all",
      sort,
    }));
    for (const length of [3_600, 21_600, 86_400]) {
      const [next] = await service.database.query(
        `select timestamp + $1 as at, array_agg(token) as tokens from onchain.trade
         where timestamp > $2 - $1::int and token in (select mint from offchain.registration)
         group by timestamp order by timestamp limit 1`,
        [length, await indexedTime()],
      );
      const at = Number(next?.at);
      await passTime(at - 1);
      await expectListsEqualTables(`1 s before ${length} s`, views);
      await expectEntriesEqualTokens(`1 s before ${length} s`, new Set(next?.tokens));
      await passTime(at);
      await expectListsEqualTables(`${length} s`, views);
      await expectEntriesEqualTokens(`${length} s`);
    }
  });
});

test("a transfer of a long-idle token and a reorg that reverts it both update the list", async () => {
  const views: ExpectedView[] = [{ board: "all", sort: "holders" }];
  const [row] = await service.database.query(
    `select token, account, balance_raw from onchain.holder join offchain.registration r on r.mint = token
       join onchain.token t on t.address = token join onchain.curve c using (token)
     where balance_raw > 1 and account in (select trader from onchain.trade)
     order by greatest(t.changed_at, c.changed_at) limit 1`,
  );
  await expectListsEqualTables("before the transfer", views);
  const snapshot = await chain.testClient.snapshot();
  await chain.transfer(row?.account, row?.token, `0x${"ab".repeat(20)}`, BigInt(row?.balance_raw) / 2n);
  await service.expectIndexEqualsChain();
  await expectListsEqualTables("after the transfer", views);

  await chain.testClient.revert({ id: snapshot });
  await chain.testClient.mine({ blocks: 2 });
  await service.expectIndexEqualsChain();
  await expectListsEqualTables("after the reorg", views);
});

test.each([
  "page=0",
  "limit=0",
  "limit=101",
  "limit=1e1",
  "page=-1",
  "page=1&page=2",
  "limit=",
  "page=99999999999",
])("%s: 400", async (query) => {
  const { status, body } = (await clients[0]?.get(`/api/tokens?${query}`)) ?? {};
  expect([status, body.code]).toEqual([400, "invalid_request"]);
});

test.each([
  ["board=old", "board"],
  ["sort=oldest", "sort"],
  ["sort=volume&window=1h", "window"],
  ["window=6h", "window"],
  ["mint=0x1", "mint"],
  ["creator=me", "creator"],
  ["chainId=1", "chainId"],
  ["q=%00", "q"],
  [`q=${"a".repeat(201)}`, "q"],
])("%s: 400 that names %s", async (query, path) => {
  const { status, body } = (await clients[0]?.get(`/api/tokens?${query}`)) ?? {};
  expect([status, body.errors[0].path]).toEqual([400, path]);
});

test("the list has defaults, an empty page beyond the last one, and refuses a chain that is not indexed", async () => {
  const rest = clients[0] as RestClient;
  // What generated clients send, whatever the sort.
  expect((await rest.get("/api/tokens?sort=volume&window=24h")).status).toBe(200);
  expect((await rest.get("/api/tokens")).body).toMatchObject({ page: 1, limit: 20 });
  expect((await rest.get("/api/tokens?page=100000000&limit=100")).body).toMatchObject({
    tokens: [],
    hasMore: false,
  });
  expect((await rest.get("/api/tokens?chainId=97")).body.code).toBe("chain_not_indexed");
});
