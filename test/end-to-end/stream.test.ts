import net from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../../local/market/random.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startTcpGate, type TcpGate } from "../doubles/tcp-gate.ts";
import { activityOnceAsInLogs } from "../reference-market/activity.ts";
import { onlyInLongRun } from "../run/long-run.ts";
import { seed } from "../run/seed.ts";
import { until } from "../service/condition.ts";
import { readEveryTable } from "../service/database.ts";
import { followStream, openEventStream, type StreamEvent } from "../service/event-stream.ts";
import type { Indexer } from "../service/indexer.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type Service, startService } from "../service/service.ts";

/* GET /api/stream delivers everything once and in order, whatever happens to client, server, database and chain. */

let chain: LaunchpadChain;
let testnet: LaunchpadChain;
let service: Service;
/** A replica that reaches the same database through a gate. */
let replica: Indexer;
let gate: TcpGate;
let rest: RestClient;
/** The first answer of a process that has just become ready on a new database. */
let firstEvents: Response;

beforeAll(async () => {
  [chain, testnet] = await Promise.all([startLaunchpadChain(), startLaunchpadChain({ chainId: 97 })]);
  service = await startService([chain, testnet]);
  const url = new URL(service.database.url);
  gate = await startTcpGate(url.hostname, Number(url.port));
  url.hostname = "127.0.0.1";
  url.port = String(gate.port);
  await service.indexer.untilReady();
  firstEvents = await fetch(`${service.indexer.url}/api/events?timeout=0`);
  replica = await service.startReplica({ databaseUrl: url.href });
  rest = await createRestClient(service.indexer.url);
});

afterAll(async () => {
  gate?.open();
  await replica?.stop();
  await gate?.stop();
  await service?.stop();
  await chain?.stop();
  await testnet?.stop();
});

const bought = 10n ** 14n;
const kindsOf = (events: StreamEvent[]) => events.map(({ event }) => event);

/** Applies the events in order and returns the resulting state. Fails on impossible sequences. */
function stateAfter(events: StreamEvent[]): unknown[] {
  const held = new Map<string, StreamEvent["data"]>();
  for (const { event, data } of events) {
    const key = [data.kind, data.mint, data.id].join(" ");
    if (event === "removed") {
      expect(held.get(key)).toEqual(data);
      held.delete(key);
    } else {
      expect(event).toBe(data.kind);
      expect(held.has(key), `${key} comes once`).toBe(false);
      held.set(key, data);
    }
  }
  return [...held.values()].filter(({ kind }) => kind === "trade").map(({ id, tx }) => ({ id, tx }));
}

const tradesSince = (block: bigint) =>
  service.database.query(
    "select '56-' || id as id, tx from onchain.trade where chain_id = 56 and block > $1 order by id",
    [String(block)],
  );

/** Waits until the stream has these tokens. It trails the tables, and a client that connects earlier gets them as new events. */
async function untilStreamed(...mints: string[]): Promise<void> {
  await until("the creations to be in the stream", async () => {
    const streamed = await service.database.query(
      "select from offchain.stream_event where kind = 'created' and mint = any($1) and current",
      [mints.map((mint) => mint.toLowerCase())],
    );
    return streamed.length === mints.length;
  });
}

async function untilTradesAre(read: () => StreamEvent[], since: bigint): Promise<void> {
  await service.expectIndexEqualsChain();
  const expected = await tradesSince(since);
  await until(
    "the trades of the table",
    async () => {
      return JSON.stringify(stateAfter(read())) === JSON.stringify(expected);
    },
    20_000,
  ).catch(() => expect(stateAfter(read())).toEqual(expected));
}

onlyInLongRun(() => {
  test("transfers are sent to those who ask for them, and taken back by a reorg", async () => {
    const [creator, buyer, other] = chain.traders;
    const mint = (await chain.create(creator)).toLowerCase() as `0x${string}`;
    await untilStreamed(mint);
    const open = async (query: string) => {
      const stream = await openEventStream(service.indexer.url, { query });
      await stream.untilReady();
      return stream;
    };
    const asked = await open(`?kind=transfer,trade&mint=${mint}`);
    const unasked = await open(`?mint=${mint}`);
    await chain.buy(buyer, mint, 10n ** 15n);
    await Promise.all([asked.untilEvents(1), unasked.untilEvents(1)]);
    const cursor: string = (await rest.get("/api/events?timeout=0")).body.nextCursor;

    const snapshot = await chain.testClient.snapshot();
    await chain.transfer(buyer, mint, other, 12_345n);
    await asked.untilEvents(2);
    const [, sent] = asked.events;
    expect(sent?.event).toBe("transfer");
    expect(sent?.data).toMatchObject({
      kind: "transfer",
      mint,
      chainId: 56,
      from: buyer.toLowerCase(),
      to: other.toLowerCase(),
      amountRaw: "12345",
      name: expect.any(String),
      id: expect.stringMatching(/^56-\d{12}-\d{6}$/),
    });
    const { body } = await rest.get(`/api/events?cursor=${cursor}&kind=transfer&mint=${mint}&timeout=10`);
    expect(body.events).toMatchObject([{ ...sent?.data, removed: false }]);

    await chain.testClient.revert({ id: snapshot });
    await chain.buy(other, mint, 10n ** 15n);
    await asked.untilEvents(4);
    await unasked.untilEvents(2);
    expect(kindsOf(asked.events)).toEqual(["trade", "transfer", "removed", "trade"]);
    expect(asked.events[2]?.data).toEqual(sent?.data);
    expect(kindsOf(unasked.events)).toEqual(["trade", "trade"]);
    await asked.close();
    await unasked.close();
  });
});

test("changes of liquidity are sent to those who ask for them, once, and taken back by a reorg", async () => {
  const [creator, buyer] = chain.traders;
  const mint = (await chain.create(creator)).toLowerCase() as `0x${string}`;
  await untilStreamed(mint);
  const asked = await openEventStream(service.indexer.url, {
    query: `?kind=graduated,liquidity_added,liquidity_removed&mint=${mint}`,
  });
  await asked.untilReady();
  const cursor: string = (await rest.get("/api/events?timeout=0")).body.nextCursor;
  // What the launchpad adds at graduation is no event of its own.
  await chain.buy(buyer, mint, 2n * graduatingAmount);
  const pair = await chain.pairOf(mint);
  await chain.addLiquidity(buyer, mint, 10n ** 24n, 10n ** 15n);
  await asked.untilEvents(2);
  const snapshot = await chain.testClient.snapshot();
  await chain.removeLiquidity(buyer, mint, pair, (await chain.balanceOf(pair, buyer)) / 2n);
  await asked.untilEvents(3);
  expect(kindsOf(asked.events)).toEqual(["graduated", "liquidity_added", "liquidity_removed"]);
  const { liquidity } = (await rest.get(`/api/token/${mint}/liquidity`)).body;
  const [, added, removed] = asked.events.map(({ data }) => data);
  for (const [event, listed] of [
    [removed, liquidity[0]],
    [added, liquidity[1]],
  ]) {
    const { kind, ...change } = listed;
    expect(event).toEqual({
      ...change,
      kind: { add: "liquidity_added", remove: "liquidity_removed" }[kind as "add" | "remove"],
      name: "Brave Otter",
      symbol: "OTTER",
      creator: creator.toLowerCase(),
    });
  }
  const { body } = await rest.get(
    `/api/events?cursor=${cursor}&kind=liquidity_removed&mint=${mint}&timeout=10`,
  );
  expect(body.events).toMatchObject([{ ...removed, removed: false }]);

  await chain.testClient.revert({ id: snapshot });
  await chain.addLiquidity(buyer, mint, 10n ** 23n, 10n ** 14n);
  await asked.untilEvents(5);
  expect(kindsOf(asked.events).slice(3)).toEqual(["removed", "liquidity_added"]);
  expect(asked.events[3]?.data).toEqual(removed);
  await asked.close();
});

test("every kind of event reaches the clients that subscribed to it", async () => {
  const [creator, buyer, other] = chain.traders;
  const mint = (await chain.create(creator)).toLowerCase() as `0x${string}`;
  await untilStreamed(mint);
  const { url } = service.indexer;
  const open = async (query: string) => {
    const stream = await openEventStream(url, { query });
    await stream.untilReady();
    return stream;
  };
  const all = await open("");
  const ofMint = await open(`?mint=${mint.toUpperCase().replace("0X", "0x")}`);
  const ofCreator = await open(`?creator=${other},${creator}&chainId=56`);
  const ofKinds = await open("?kind=graduated,registered");
  const ofNobody = await open(`?creator=${buyer}`);
  expect(all.headers.get("content-type")).toBe("text/event-stream");

  const second = (await chain.create(other, "Second", "TWO", 30)).toLowerCase() as `0x${string}`;
  await chain.buy(buyer, mint, graduatingAmount);
  await chain.buyOnDex(other, mint, 10n ** 15n);
  await chain.sellOnDex(other, mint, 10n ** 20n);
  await all.untilEvents(5);
  expect((await rest.post("/api/tokens", registrationOf(mint, creator))).status).toBe(201);
  await all.untilEvents(6);
  expect(kindsOf(all.events)).toEqual(["created", "trade", "graduated", "trade", "trade", "registered"]);
  const [created, trade, graduated, onDex, sold, registered] = all.events.map(({ data }) => data);

  const [curve] = await service.database.query("select * from onchain.curve where token = $1", [mint]);
  const trades = await service.database.query("select * from onchain.trade where token = $1 order by id", [
    mint,
  ]);
  const token = { chainId: 56, mint, name: "Brave Otter", symbol: "OTTER", creator: creator.toLowerCase() };
  expect(created).toMatchObject({
    risk: { creatorSoldOut: false, insiders: 0 },
    creatorRecord: {
      tokensCreated: expect.any(Number),
      tokensGraduated: expect.any(Number),
      tokensSoldOut: 0,
    },
    kind: "created",
    mint: second,
    name: "Second",
    symbol: "TWO",
    burnPercent: 30,
  });
  for (const [index, data] of [trade, onDex, sold].entries()) {
    const row = trades[index] ?? {};
    expect(data).toMatchObject({
      ...token,
      kind: "trade",
      id: `56-${row.id}`,
      trader: row.trader,
      bnbAmountWei: row.bnb_amount_wei,
      tokenAmountRaw: row.token_amount_raw,
      bnbReservesWei: row.bnb_reserves_wei,
      tokenReservesRaw: row.token_reserves_raw,
      block: Number(row.block),
      timestamp: new Date(Number(row.timestamp) * 1_000).toISOString(),
      tx: row.tx,
      logIndex: row.log_index,
      progress: 100,
    });
    expect(data).not.toHaveProperty("bnbUsd");
  }
  expect([trade, onDex, sold].map(({ venue, side }) => `${side} on ${venue}`)).toEqual([
    "buy on curve",
    "buy on dex",
    "sell on dex",
  ]);
  expect(trade.priceAfterBnb).toBe("0.00000000025");
  expect(graduated).toMatchObject({ ...token, kind: "graduated", pair: curve?.pair, block: trade.block });
  expect(registered).toMatchObject({ ...token, kind: "registered", verified: false, description: null });

  await Promise.all([ofMint.untilEvents(5), ofCreator.untilEvents(6), ofKinds.untilEvents(2)]);
  expect(kindsOf(ofMint.events)).toEqual(["trade", "graduated", "trade", "trade", "registered"]);
  expect(ofCreator.events).toEqual(all.events);
  expect(ofKinds.events.map(({ data }) => data)).toEqual([graduated, registered]);
  expect(ofNobody.events).toEqual([]);
  for (const stream of [all, ofMint, ofCreator, ofKinds, ofNobody]) await stream.close();
});

test("invalid and unknown positions are refused", async () => {
  const status = async (id: string) => {
    const { status, body } = await rest.get("/api/stream", { "last-event-id": id });
    return [status, body.code];
  };
  for (const id of ["0", "a-b", "-1-2", "1-2-3-4", "1e3-0"]) {
    expect(await status(id)).toEqual([400, "invalid_request"]);
  }
  const problem = (await rest.get("/api/stream?lastEventId=nothing&kind=trade,sale")).body;
  expect(problem.errors.map(({ path }: { path: string }) => path).sort()).toEqual(["kind", "lastEventId"]);
  expect(await status("999999-0")).toEqual([409, "stream_position_unknown"]);
  expect(await status("1-999999")).toEqual([409, "stream_position_unknown"]);
  // The journal includes what existed before it began, so that it can be reverted, but doesn't send it as events.
  for (const id of ["0-0", "1-0"]) expect(await status(id)).toEqual([410, "stream_position_gone"]);
  // The header wins over the query, because a reconnecting browser repeats the query.
  expect((await rest.get("/api/stream?lastEventId=999999-0", { "last-event-id": "0-0" })).status).toBe(410);
  // An empty one would begin with new events.
  expect((await rest.get("/api/stream?lastEventId=")).status).toBe(400);
  expect((await rest.get("/api/stream?mint=0x1")).status).toBe(400);
  const misspelled = await rest.get(`/api/stream?mints=0x${"1".repeat(40)}`);
  expect([misspelled.status, misspelled.body.errors?.[0].path]).toEqual([400, "mints"]);
  expect((await rest.get("/api/stream?chainId=1")).status).toBe(400);
  const head = await rest.request("/api/stream", { method: "HEAD" });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
});

test("the stream of a process that has just become ready has begun", async () => {
  expect([firstEvents.status, await firstEvents.json()]).toMatchObject([200, { events: [], timedOut: true }]);
});

test("long polling returns the stream's events, once and in order, from any process", async () => {
  const [creator, buyer] = chain.traders;
  const stream = await openEventStream(service.indexer.url, { query: `?creator=${creator}` });
  await stream.untilReady();
  const first = await rest.get(`/api/events?creator=${creator}&timeout=0`);
  expect(first.body).toMatchObject({ events: [], timedOut: true });
  let cursor: string = first.body.nextCursor;
  const waiting = rest.get(`/api/events?creator=${creator}&cursor=${cursor}`);

  const mint = await chain.create(creator);
  await chain.buy(buyer, mint, bought);
  await chain.buy(buyer, mint, bought);
  await stream.untilEvents(3);
  // On a busy machine later events may come with it.
  const { body } = await waiting;
  const kinds = body.events.map(({ kind }: { kind: string }) => kind);
  expect(kinds.length).toBeGreaterThan(0);
  expect([kinds, body.timedOut]).toEqual([["created", "trade", "trade"].slice(0, kinds.length), false]);

  const polled = [];
  for (const url of [service.indexer.url, replica.url, service.indexer.url]) {
    const answer = await fetch(`${url}/api/events?creator=${creator}&limit=1&cursor=${cursor}`);
    const { events, nextCursor } = (await answer.json()) as { events: object[]; nextCursor: string };
    polled.push(...events);
    cursor = nextCursor;
  }
  const sent = stream.events.map(({ id, data }) => ({ ...data, cursor: id, removed: false }));
  expect(polled).toEqual(sent);
  const { trades } = (await rest.get(`/api/trades?mint=${mint}`)).body;
  const ids = stream.events.slice(1).map(({ data }) => data.id);
  expect(ids.reverse()).toEqual(trades.map(({ id }: { id: string }) => id));
  // An id is no cursor, and is not taken for one.
  expect((await rest.get(`/api/events?cursor=${ids[0]}`)).status).toBe(400);
  await stream.close();

  const status = async (query: string) => (await rest.get(`/api/events?${query}`)).status;
  expect([await status("cursor=999999-0"), await status("cursor=1-0")]).toEqual([409, 410]);
  // An empty cursor is a program's mistake, which would begin with new events.
  for (const query of ["timeout=26", "limit=0", "cursor=x", "cursor="])
    expect([query, await status(query)]).toEqual([query, 400]);
  expect((await rest.request("/api/events", { method: "HEAD" })).status).toBe(200);
});

test("trades that an earlier version wrote have the ids that they have now", async () => {
  const [creator, buyer] = chain.traders;
  const { nextCursor } = (await rest.get("/api/events?timeout=0")).body;
  const mint = (await chain.create(creator, "Upgraded", "UP")).toLowerCase() as `0x${string}`;
  await chain.buy(buyer, mint, bought);
  const read = async () => (await rest.get(`/api/events?cursor=${nextCursor}&mint=${mint}`)).body.events;
  await until("the trade", async () => (await read()).length === 2);
  const events = await read();
  expect(events.map(({ id }: { id: string }) => id)).toEqual(
    Array(2).fill(expect.stringMatching(/^56-\d{12}-/)),
  );
  const [written] = await service.database.query<{ data: string }>(
    `update offchain.stream_event set data = replace(data, '"id":"56-', '"id":"') where mint = $1 and kind = 'trade' returning data`,
    [mint],
  );
  expect(JSON.parse(written?.data ?? "{}").id).toMatch(/^\d{12}-\d{6}$/);
  expect(await read()).toEqual(events);
});

test("conditions on trades hold for new and for missed events, and exclude all other kinds", async () => {
  const [creator, buyer, other] = chain.traders;
  const live = await openEventStream(service.indexer.url, { query: `?trader=${buyer},${creator}&side=buy` });
  await live.untilReady();
  const { nextCursor } = (await rest.get("/api/events?timeout=0")).body;
  const mint = await chain.create(creator, "Filtered", "FILTER");
  await chain.buy(buyer, mint, 3n * bought);
  await chain.buy(other, mint, 2n * bought);
  await chain.sell(buyer, mint, 10n ** 18n);
  await chain.buy(buyer, mint, bought);
  await live.untilEvents(2);
  const amounts = (events: { kind: string; bnbAmountWei: string }[]) =>
    events.map(({ kind, bnbAmountWei }) => `${kind} ${bnbAmountWei}`);
  expect(amounts(live.events.map(({ data }) => data))).toEqual([`trade ${3n * bought}`, `trade ${bought}`]);
  await live.close();
  const missed = async (query: string) =>
    amounts((await rest.get(`/api/events?mint=${mint}&cursor=${nextCursor}&${query}`)).body.events);
  expect(await missed("minBnb=2e-4")).toEqual([`trade ${3n * bought}`, `trade ${2n * bought}`]);
  expect(await missed(`trader=${other}&venue=curve`)).toEqual([`trade ${2n * bought}`]);
  expect(await missed("side=sell")).toHaveLength(1);
  expect(await missed("venue=dex&timeout=1")).toEqual([]);
  expect((await rest.get("/api/stream?kind=created,trade&minBnb=1")).body.errors).toEqual([
    { path: "kind", message: expect.stringContaining("must be trade") },
  ]);
  for (const query of ["minBnb=1e3", "minBnb=-1", "side=hold", "venue=moon", "trader=me"]) {
    expect([query, (await rest.get(`/api/events?${query}`)).status]).toEqual([query, 400]);
  }
});

test("a client that reconnects gets exactly what it missed, from any process, while trades continue", async () => {
  const [creator, buyer] = chain.traders;
  const since = await chain.head();
  const reference = await openEventStream(service.indexer.url);
  await reference.untilReady();
  let turn = 0;
  const anywhere = () => (turn++ % 2 === 0 ? service.indexer.url : replica.url);
  const { integer } = createRandom(seed);
  const random = () => integer(0, 3);
  const lastId = reference.lastId as string;
  const reconnecting = [1, 2, 3].map(() => followStream(anywhere, { hop: random }));
  const mint = await chain.create(creator, "Hop", "HOP");
  const filtered = followStream(anywhere, { query: `?kind=trade,registered&mint=${mint}`, hop: random });
  await until("all to be connected", async () =>
    [...reconnecting, filtered].every(({ connections }) => connections > 0),
  );
  const registering = (async () => {
    const body = registrationOf(mint, creator, { name: "Hop", symbol: "HOP" });
    await until("the registration", async () => (await rest.post("/api/tokens", body)).status === 201);
  })();
  for (let index = 0; index < 25; index++) await chain.buy(buyer, mint, bought);
  await registering;
  await untilTradesAre(() => reference.events, since);
  const all = reference.events;

  const chainOf = (events: StreamEvent[]) =>
    events.filter(({ event }) => event !== "registered").map(({ data }) => data);
  const registeredOf = (events: StreamEvent[]) =>
    events.filter(({ event }) => event === "registered").map(({ data }) => data);
  for (const follower of [...reconnecting, filtered]) {
    await until("what all have", async () =>
      follower.events.some(({ data }) => data.id === all.findLast(({ event }) => event === "trade")?.data.id),
    );
    await until("the registration", async () => registeredOf(follower.events).length === 1);
    const events = await follower.stop();
    const first = events.find(({ event }) => event !== "registered")?.data;
    const expected = chainOf(all).filter(({ kind }) => follower !== filtered || kind === "trade");
    const from = expected.findIndex((data) => JSON.stringify(data) === JSON.stringify(first));
    expect(chainOf(events)).toEqual(expected.slice(from));
    expect(registeredOf(events)).toEqual(registeredOf(all));
    expect(follower.connections).toBeGreaterThan(3);
  }

  // Everything once more, from each process, with the id in the query as well.
  for (const url of [service.indexer.url, replica.url]) {
    for (const stream of [
      await openEventStream(url, { lastEventId: lastId }),
      await openEventStream(url, { query: `?lastEventId=${lastId}` }),
    ]) {
      await stream.untilReady();
      expect(chainOf(stream.events)).toEqual(chainOf(all));
      expect(registeredOf(stream.events)).toEqual(registeredOf(all));
      await stream.close();
    }
  }
  await reference.close();
});

test("a reorg sends removals in reverse order, then the replacing events", async () => {
  const [creator, buyer, other] = chain.traders;
  const mint = await chain.create(creator, "Reorganized", "REORG");
  await untilStreamed(mint);
  const since = await chain.head();
  const stream = await openEventStream(replica.url);
  await stream.untilReady();

  const elsewhere = await openEventStream(replica.url, { query: "?chainId=97" });
  await elsewhere.untilReady();
  const onTestnet = await testnet.create(creator);
  await testnet.buy(buyer, onTestnet, bought);
  await elsewhere.untilEvents(2);

  const snapshot = await chain.testClient.snapshot();
  await chain.buy(buyer, mint, bought);
  const lost = await chain.create(buyer, "Lost", "LOST");
  await chain.buy(buyer, lost, graduatingAmount);
  await stream.untilEvents(4);
  const before = stream.events;
  expect(kindsOf(before)).toEqual(["trade", "created", "trade", "graduated"]);
  await chain.testClient.revert({ id: snapshot });
  // A shorter chain than before.
  await chain.buy(other, mint, 2n * bought);
  await stream.untilEvents(9);
  expect(kindsOf(stream.events.slice(4))).toEqual(["removed", "removed", "removed", "removed", "trade"]);
  expect(stream.events.slice(4, 8).map(({ data }) => data)).toEqual(before.map(({ data }) => data).reverse());
  await untilTradesAre(() => stream.events, since);

  for (let index = 0; index < 6; index++) await chain.buy(buyer, mint, bought);
  await untilTradesAre(() => stream.events, since);
  await chain.testClient.request({ method: "anvil_reorg", params: [4, []] } as never);
  await chain.testClient.mine({ blocks: 1 });
  await chain.buy(other, mint, bought);
  await untilTradesAre(() => stream.events, since);
  expect(kindsOf(stream.events).filter((kind) => kind === "removed").length).toBeGreaterThan(4);
  // Ponder reverts rows of all chains.
  await testnet.buy(buyer, onTestnet, bought);
  await elsewhere.untilEvents(3);
  expect(kindsOf(elsewhere.events)).toEqual(["created", "trade", "trade"]);
  await stream.close();
  await elsewhere.close();
});

test("while the database is down streams stay open, and nothing is lost", async () => {
  const [creator, buyer] = chain.traders;
  const mint = await chain.create(creator, "Away", "AWAY");
  await untilStreamed(mint);
  const since = await chain.head();
  const stream = await openEventStream(replica.url);
  await stream.untilReady();
  gate.close();
  for (let index = 0; index < 3; index++) await chain.buy(buyer, mint, bought);
  await service.expectIndexEqualsChain();
  const turned = await fetch(`${replica.url}/api/stream`, {
    headers: { "last-event-id": stream.lastId ?? "" },
  });
  expect(turned.status).toBe(503);
  gate.open();
  await untilTradesAre(() => stream.events, since);
  expect(stream.outcome).toBe("open");
  await stream.close();
});

onlyInLongRun(() => {
  test("a client that does not read is disconnected, and others continue", async () => {
    const [creator, buyer] = chain.traders;
    const [slow, mint] = [
      await chain.create(creator, "Slow", "SLOW"),
      await chain.create(creator, "Fast", "FAST"),
    ];
    await untilStreamed(slow, mint);
    const other = await openEventStream(service.indexer.url, { query: `?mint=${mint}` });
    await other.untilReady();
    const lastEventId = other.lastId;
    const socket = net.connect(service.indexer.port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.write(`GET /api/stream?mint=${slow} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await new Promise<void>((resolve) => {
      socket.on("data", (chunk) => {
        if (!chunk.includes("event: ready")) return;
        socket.pause();
        resolve();
      });
    });
    // More than all buffers on the way can hold.
    await service.database.query(
      `insert into offchain.stream_event (schema, chain_id, position, kind, mint, fingerprint, data, current)
       select 'onchain', 56, '', 'trade', $1, '', '"' || repeat('x', 2000) || '"', false from generate_series(1, 15000)`,
      [slow.toLowerCase()],
    );
    // Arrives after all of that.
    await chain.buy(buyer, mint, bought);
    await other.untilEvents(1);
    expect(other.events).toHaveLength(1);
    socket.resume();
    await closed;
    await other.close();

    // A returning client whose filter excludes all of that still receives the current position, and can resume from it.
    const nothing = { query: `?creator=${slow}`, lastEventId };
    const returned = await openEventStream(service.indexer.url, nothing);
    await returned.untilReady();
    const [progress, ...rest] = returned.ids;
    expect([rest.length, returned.events]).toEqual([1, []]);
    const again = await openEventStream(replica.url, { ...nothing, lastEventId: progress });
    await again.untilReady();
    expect(again.ids).toEqual(rest);
    await returned.close();
    await again.close();
  });
});

/** Makes the functions of Ponder's triggers those of an earlier version, which did their work in every transaction. */
async function useEarlierFunctions(): Promise<void> {
  const functions = await service.database.query<{ text: string }>(
    `select pg_get_functiondef(oid) as text from pg_proc
     where pronamespace = 'onchain'::regnamespace and prosrc like '%ponder.checkpoint%'`,
  );
  expect(functions.length).toBeGreaterThan(1);
  for (const { text } of functions) {
    await service.database.query(text.replace(/IF coalesce.* THEN RETURN NULL; END IF;/, ""));
  }
}

test("kill -9 amid trades causes no gap, no repeat and no removal, the index and activity equal the chain, and the restart doesn't wait for readers", async () => {
  const [creator, buyer] = chain.traders;
  const mint = await chain.create(creator, "Restarted", "AGAIN");
  await untilStreamed(mint);
  const since = await chain.head();
  const staying = await openEventStream(replica.url);
  const follower = followStream(() => service.indexer.url, { hop: () => 5 });
  await staying.untilReady();
  await until("the first connection", async () => follower.connections > 0);
  for (let index = 0; index < 4; index++) await chain.buy(buyer, mint, bought);
  await staying.untilEvents(3);
  const trading = (async () => {
    for (let index = 0; index < 10; index++) await chain.buy(buyer, mint, bought);
  })();
  await useEarlierFunctions();
  await service.indexer.kill();
  await trading;
  const stopReading = await readEveryTable(service.database);
  try {
    await service.restart();
    await service.indexer.untilReady();
  } finally {
    await stopReading();
  }
  await chain.buy(buyer, mint, bought);
  await untilTradesAre(() => staying.events, since);
  await untilTradesAre(() => follower.events, since);
  const followed = await follower.stop();
  expect(kindsOf(staying.events)).not.toContain("removed");
  expect(followed).toEqual(staying.events);
  await staying.close();
  await service.expectIndexEqualsChain();
  // Recomputed by the restarted process or by the replica.
  const active = await activityOnceAsInLogs(chain, service.database);
  expect(active.map(({ address }) => address)).toContain(mint.toLowerCase());
});

test("a process that is stopped ends its streams and releases its connections", async () => {
  const streams = await Promise.all([1, 2, 3].map(() => openEventStream(replica.url)));
  await Promise.all(streams.map((stream) => stream.untilReady()));
  expect(await replica.stop()).toBe(0);
  await Promise.all(streams.map(({ over }) => over));
  // Streams end cleanly, not in the middle of a line.
  expect(streams.map(({ outcome }) => outcome)).toEqual(["ended", "ended", "ended"]);
  // Postgres notices the closed connections a moment later.
  await until("the other process to be the only one that listens", async () => {
    const listening = await service.database.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'onchain_listener'",
    );
    return listening.length === 1;
  });
});
