import { setTimeout as delay } from "node:timers/promises";
import { zeroAddress } from "../../chain-access/hex.ts";
import type { Sources } from "../../chain-access/sources/sources.ts";
import { showProgress } from "../../runtime/progress.ts";
import { ours } from "../index/apps.ts";
import { createDatabase, dropDatabase, query, settle } from "../index/database.ts";
import { type Indexer, startIndexer } from "../index/indexer.ts";
import type { Processes } from "../index/processes.ts";
import { watchCommits } from "../stream/commits.ts";
import { type Block, createTimeline, finalityBlocks, startBlock } from "./chain.ts";
import { contracts, createMarket, type Event } from "./market.ts";
import { startNode } from "./node.ts";
import type { BenchmarkOptions } from "./options.ts";
import { storeHistory } from "./store-history.ts";

type Relation = { table: string; index: string | null; bytes: number };
type Updates = { table: string; updates: number; hot: number; dead: number; live: number };

export type Sample = {
  events: number;
  tokens: number;
  /** Events per second of each quarter of the history, and of all of it until `/ready`. */
  quarters: number[];
  eventsPerSecond: number;
  /** Seconds from the last event to `/ready`: compaction, indexes and triggers. */
  finishing: number;
  /** The peak in MiB, at `/ready` and after the live blocks. */
  memory: { ready: number; live: number };
  relations: Relation[];
  /** For each live block that was indexed in time, the milliseconds from when the node had it until it was in the tables. */
  delays: number[];
  liveEvents: number;
  /** What the live blocks did to each table. */
  updates: Updates[];
  /** Milliseconds of answers with all holders of the busiest token, each at another time; CSV. */
  holdersAt: { holders: number; movements: number; times: number[] };
};

type Options = { events: number; options: BenchmarkOptions; log: (line: string) => void };

const schema = "scale";
const warmUpBlocks = 20;
const transactionsPerBlock = 4;
const holderQueries = 20;

export async function measure(
  processes: Processes,
  serverUrl: string,
  { events, options, log }: Options,
): Promise<Sample> {
  const { tokens, accounts, days, liveBlocks, tradesPerBlock, blockTime } = options;
  const market = createMarket({ tokens, accounts, events });
  // A transaction has between two and three events.
  const timeline = createTimeline((days * 86_400 * 2.6 * transactionsPerBlock) / events);
  const name = `scale_${events}`;
  const databaseUrl = await createDatabase(serverUrl, name);
  const sources: Sources = {
    chainId: 56,
    ...contracts,
    priceFeeds: [],
    startBlock,
    feedStartBlock: startBlock,
  };

  const transactions = (count: number): Event[][] => Array.from({ length: count }, () => market.next());
  let number = startBlock;
  function* history(): Generator<Block> {
    for (let made = 0; made < events; ) {
      const block = timeline.block(++number, transactions(transactionsPerBlock));
      made += block.logs.length;
      yield block;
    }
  }
  const progress = showProgress(`Storing ${events} events`, log);
  const stored = await storeHistory(databaseUrl, sources, history(), (done) => progress.update(done, events));
  progress.end();
  await settle(databaseUrl);

  number += finalityBlocks;
  const node = await startNode(timeline, number);
  const deployment = {
    ...contracts,
    startBlock,
    wbnb: zeroAddress,
    dexFactory: zeroAddress,
    router: zeroAddress,
  };
  const indexer = await startIndexer(processes, ours, { databaseUrl, schema, rpcUrl: node.url, deployment });
  const { backfill, readyAt } = await indexer.untilReady();
  const ready = await indexer.peakMemory();
  const { quarters, endedAt } = computeQuarters(indexer.ranges(), stored);
  log(`${events} events: ${Math.round(stored / (backfill / 1_000))} events/s until /ready`);
  await settle(databaseUrl);
  const relations = await readRelations(databaseUrl);
  const busiest = market.busiest();
  const holdersAt = await measureHoldersAt(databaseUrl, indexer, busiest.address, log);

  const commits = await watchCommits(databaseUrl, schema);
  async function grow(count: number): Promise<{ number: number; at: number; events: number }[]> {
    const startedAt = performance.now();
    const pushed = [];
    for (let index = 0; index < count; index++) {
      await delay(Math.max(0, startedAt + index * blockTime - performance.now()));
      const block = timeline.block(++number, transactions(tradesPerBlock));
      pushed.push({ number, at: node.push(block), events: block.logs.length });
    }
    const until = performance.now() + 30_000;
    while (!commits.committedAt.has(number) && performance.now() < until) await delay(20);
    return pushed;
  }
  await grow(warmUpBlocks);
  const before = await readUpdates(databaseUrl);
  const pushed = await grow(liveBlocks);
  const updates = subtract(await readUpdates(databaseUrl), before);
  const memory = { ready, live: await indexer.peakMemory() };
  await commits.stop();
  await indexer.stop();
  node.stop();
  await dropDatabase(serverUrl, name);

  const committed = [...commits.committedAt].toSorted(([a], [b]) => a - b);
  return {
    events: stored,
    tokens: market.created,
    quarters,
    eventsPerSecond: stored / (backfill / 1_000),
    finishing: (readyAt - endedAt) / 1_000,
    memory,
    relations,
    delays: pushed.flatMap(({ number, at }) => {
      const commit = committed.find(([block]) => block >= number);
      return commit === undefined ? [] : [commit[1] - at];
    }),
    liveEvents: pushed.reduce((sum, { events }) => sum + events, 0),
    updates,
    holdersAt,
  };
}

/** Events per second of each quarter of the events, and when the last one was indexed. */
function computeQuarters(ranges: { time: number; events: number; duration: number }[], total: number) {
  const quarters: number[] = [];
  let [done, startedAt, since] = [0, (ranges[0]?.time ?? 0) - (ranges[0]?.duration ?? 0), 0];
  for (const { time, events } of ranges) {
    done += events;
    if (done < (total * (quarters.length + 1)) / 4) continue;
    quarters.push((done - since) / ((time - startedAt) / 1_000));
    [startedAt, since] = [time, done];
  }
  return { quarters, endedAt: ranges.at(-1)?.time ?? 0 };
}

async function readRelations(databaseUrl: string): Promise<Relation[]> {
  const { rows } = await query(
    databaseUrl,
    `select t.relname as table, i.relname as index, pg_total_relation_size(coalesce(i.oid, t.oid))::float8
       - case when i.oid is null then pg_indexes_size(t.oid) else 0 end as bytes
     from pg_class t cross join lateral (
       select null::oid as oid, null::name as relname union all
       select c.oid, c.relname from pg_index x join pg_class c on c.oid = x.indexrelid where x.indrelid = t.oid) i
     where t.relkind = 'r' and t.relnamespace in ($1::regnamespace, 'offchain'::regnamespace)`,
    [schema],
  );
  return rows as Relation[];
}

/** Statistics reach other sessions within a second. */
const statisticsMs = 2_000;

async function readUpdates(databaseUrl: string): Promise<Updates[]> {
  await delay(statisticsMs);
  const { rows } = await query(
    databaseUrl,
    `select relname as table, n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as hot, n_dead_tup::float8 as dead,
       n_live_tup::float8 as live
     from pg_stat_user_tables where schemaname = $1 order by relname`,
    [schema],
  );
  return rows as Updates[];
}

function subtract(after: Updates[], before: Updates[]): Updates[] {
  return after.map((row) => {
    const earlier = before.find(({ table }) => table === row.table);
    return { ...row, updates: row.updates - (earlier?.updates ?? 0), hot: row.hot - (earlier?.hot ?? 0) };
  });
}

/** Asks for the holders of a token at times that are spread over its life. */
async function measureHoldersAt(
  databaseUrl: string,
  { port }: Indexer,
  token: string,
  log: (line: string) => void,
): Promise<Sample["holdersAt"]> {
  const { rows } = await query(
    databaseUrl,
    `select min(timestamp)::int8 as first, max(timestamp)::int8 as last, count(*)::int as movements
     from ${schema}.trade where token = $1`,
    [token],
  );
  const { movements, first, last } = rows[0] as { movements: number; first: string; last: string };
  const times: number[] = [];
  let holders = 0;
  for (let index = 0; index <= holderQueries; index++) {
    // The fractional parts of multiples of the golden ratio spread evenly.
    const at = Number(first) + Math.floor(((0.5 + index * 0.618) % 1) * (Number(last) - Number(first)));
    const path = `/api/token/${token}/holders?at=${new Date(at * 1_000).toISOString()}`;
    const startedAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: "text/csv" } });
    const lines = (await response.text()).split("\n").length - 2;
    if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}`);
    // The first answer also warms up.
    if (index > 0) times.push(performance.now() - startedAt);
    holders = Math.max(holders, lines);
  }
  log(`holders of ${token}: ${times.map((time) => time.toFixed(0)).join(" ")} ms`);
  return { holders, movements, times };
}
