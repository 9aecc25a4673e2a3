import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { coveredSources } from "../../chain-access/history/coverage.ts";
import { storeWindow } from "../../chain-access/history/store-window.ts";
import { createWindowsTable } from "../../chain-access/history/window-counts.ts";
import { finalityBlocks } from "../../chain-access/pool/anchor.ts";
import type { Log } from "../../chain-access/sources/log.ts";
import { showProgress } from "../../runtime/progress.ts";
import { migrateSyncTables } from "../../test/run/ponder-sync.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { type Block, deployment, type PublishedBlock, startBlock, startChain } from "../shared/chain.ts";
import { createDatabase, dropDatabase, query, settle, watchCommits } from "../shared/database.ts";
import { type Indexer, ours, startIndexer } from "../shared/indexer.ts";
import { contracts, createMarket } from "../shared/market.ts";
import { type Options, whole, wholes } from "../shared/options.ts";
import { atFixedTimes, timed } from "../shared/process.ts";
import { count, median, quantile } from "../shared/report.ts";

/* Measures how indexing and storing change with the number of events, and how live blocks fare on top of them. */

const schema = "scale";
const warmUpBlocks = 20;
const transactionsPerBlock = 4;
const eventsPerTransaction = 2.6;
const holderQueries = 20;
/** Events that are stored in one transaction, as a window of a fast sync has. */
const eventsPerWindow = 20_000;
/** Statistics reach other sessions within a second. */
const statisticsMs = 2_000;
const million = 1_000_000;
const progressMs = 5_000;
/** How long the last live block may take. */
const lastBlockMs = 30_000;

const aims = { bytesPerEvent: 500, memory: 2_048, delay: 300, hot: 80, holdersAt: 200 };
/** The tables that the aim for HOT updates is for. */
const updatedTables = ["token", "curve", "account", "holder"];

const flags = {
  /** How many events of history there are; measured one after the other. */
  events: wholes([1_000_000], 1_000),
  tokens: whole(100_000),
  accounts: whole(1_000_000, 2),
  /** Days that the history spans. */
  days: whole(100),
  liveBlocks: whole(1_000),
  tradesPerBlock: whole(20),
  /** Milliseconds between live blocks. */
  blockTime: whole(450),
};

type ScaleOptions = Options<typeof flags>;

type Relation = { table: string; index: string | null; bytes: number };
type Updates = { table: string; updates: number; hot: number; dead: number };
type Sample = Awaited<ReturnType<typeof measure>>;

await runBenchmark(flags, async (options, benchmark) => {
  const { adminUrl } = await benchmark.startPostgres();
  const samples: Sample[] = [];
  for (const events of options.events) samples.push(await measure(benchmark, adminUrl, events, options));
  return { lines: samples.flatMap((sample) => [...format(sample, options), ""]), data: { samples } };
});

async function measure(benchmark: Benchmark, serverUrl: string, events: number, options: ScaleOptions) {
  const { tokens, accounts, days, liveBlocks, tradesPerBlock, blockTime } = options;
  const { log } = benchmark;
  const market = createMarket({ tokens, accounts, transactions: events / eventsPerTransaction });
  const secondsPerBlock = (days * 86_400 * eventsPerTransaction * transactionsPerBlock) / events;
  const chain = await startChain(secondsPerBlock);
  const databaseUrl = await createDatabase(serverUrl, schema);

  const nextBlock = (transactions: number) =>
    chain.nextBlock(Array.from({ length: transactions }, () => market.next()));
  function* history(): Generator<Block> {
    for (let made = 0; made < events; ) {
      const block = nextBlock(transactionsPerBlock);
      made += block.logs.length;
      yield block;
    }
  }
  const progress = showProgress(`Storing ${events} events`, log);
  const stored = await storeHistory(databaseUrl, history(), (done) => progress.update(done, events));
  progress.end();
  await settle(databaseUrl);

  chain.mineEmptyBlocks(finalityBlocks);
  const { rpcUrl } = chain;
  const indexer = await startIndexer(benchmark, ours, { databaseUrl, schema, rpcUrl, deployment });
  const indexing = showProgress(`Indexing ${stored} events`, log);
  const indexed = () => indexer.ranges().reduce((sum, range) => sum + range.events, 0);
  const shown = setInterval(() => indexing.update(indexed(), stored), progressMs);
  const { backfill, readyAt } = await indexer.untilReady().finally(() => clearInterval(shown));
  indexing.end();
  const ready = await indexer.readPeakMemory();
  const { quarters, firstMillion, endedAt } = computeSpeeds(indexer.ranges(), stored);
  log(`${events} events: ${Math.round(stored / (backfill / 1_000))} events/s until /ready`);
  await settle(databaseUrl);
  const relations = await readRelations(databaseUrl);
  const busiest = market.tokens.reduce((one, other) =>
    other.holders.length > one.holders.length ? other : one,
  );
  const holdersAt = await measureHoldersAt(benchmark, databaseUrl, indexer, busiest.address);

  const commits = await watchCommits(databaseUrl, schema);
  let liveEvents = 0;
  async function grow(times: number): Promise<PublishedBlock[]> {
    const published: PublishedBlock[] = [];
    liveEvents = 0;
    await atFixedTimes(times, blockTime, () => {
      const block = nextBlock(tradesPerBlock);
      liveEvents += block.logs.length;
      published.push(chain.publish(block));
    });
    await commits.untilCommitted(chain.head(), lastBlockMs);
    return published;
  }
  await grow(warmUpBlocks);
  const before = await readUpdates(databaseUrl);
  const pushed = await grow(liveBlocks);
  const updates = (await readUpdates(databaseUrl)).map((row) => {
    const earlier = before.find(({ table }) => table === row.table);
    return { ...row, updates: row.updates - (earlier?.updates ?? 0), hot: row.hot - (earlier?.hot ?? 0) };
  });
  const memory = { ready, live: await indexer.readPeakMemory() };
  await commits.stop();
  await indexer.stop();
  await chain.stop();
  await dropDatabase(serverUrl, schema);
  return {
    events: stored,
    tokens: market.tokens.length,
    /** Events per second of each quarter of the history, and of all of it until `/ready`. */
    quarters,
    /** Events per second of the first million, if there are more. */
    firstMillion,
    eventsPerSecond: stored / (backfill / 1_000),
    /** Seconds from the last event to `/ready`: compaction, indexes and triggers. */
    finishing: (readyAt - endedAt) / 1_000,
    /** The peak in MiB, at `/ready` and after the live blocks. */
    memory,
    relations,
    /** For each live block that was indexed in time, the milliseconds from when the node had it until it was in the tables. */
    delays: commits.delaysOf(pushed),
    liveEvents,
    /** What the live blocks did to each table. */
    updates,
    holdersAt,
  };
}

/** Stores blocks as read, the way a sync does. They must be in order. Resolves to the number of their events. */
async function storeHistory(
  databaseUrl: string,
  blocks: Iterable<Block>,
  onProgress: (events: number) => void,
): Promise<number> {
  const sources = { chainId: 56, ...contracts, priceFeeds: [], startBlock, feedStartBlock: startBlock };
  await migrateSyncTables(databaseUrl);
  const database = new pg.Pool({ connectionString: databaseUrl, options: "-c synchronous_commit=off" });
  await createWindowsTable(database);
  const names = [coveredSources(sources).launchpad.name];
  let stored = 0;
  let window = { from: startBlock, to: startBlock };
  let logs: Log[] = [];
  let storing: Promise<void> = Promise.resolve();
  /** Returns once the window before is stored, so that the next one is made while Postgres stores this one. */
  async function store(): Promise<void> {
    await storing;
    onProgress(stored);
    const events = { logs, timestamps: new Map<number, number>() };
    storing = storeWindow(database, sources, { window, sources: names, events });
    stored += logs.length;
    logs = [];
    window = { from: window.to + 1, to: window.to + 1 };
  }
  for (const block of blocks) {
    logs.push(...block.logs);
    window = { ...window, to: block.number };
    if (logs.length >= eventsPerWindow) await store();
  }
  if (logs.length > 0) await store();
  await storing;
  onProgress(stored);
  await database.end();
  return stored;
}

/** Events per second of each quarter of the events and of the first million, and when the last event was indexed. */
function computeSpeeds(ranges: ReturnType<Indexer["ranges"]>, total: number) {
  const [first] = ranges;
  const points = [{ done: 0, time: (first?.time ?? 0) - (first?.duration ?? 0) }];
  let done = 0;
  for (const { time, events } of ranges) {
    done += events;
    points.push({ done, time });
  }
  /** The first point at which that many events were indexed. */
  const at = (events: number) => points.find((point) => point.done >= events) ?? { done, time: Number.NaN };
  function speed(from: number, to: number): number {
    const [start, end] = [at(from), at(to)];
    return (end.done - start.done) / ((end.time - start.time) / 1_000);
  }
  const quarters = [0, 1, 2, 3].map((quarter) => speed((total * quarter) / 4, (total * (quarter + 1)) / 4));
  const firstMillion = total > million ? speed(0, million) : undefined;
  return { quarters, firstMillion, endedAt: ranges.at(-1)?.time ?? 0 };
}

/** The bytes of each table without its indexes, and of each index. */
function readRelations(databaseUrl: string): Promise<Relation[]> {
  return query<Relation>(
    databaseUrl,
    `select t.relname as table, i.relname as index, pg_total_relation_size(coalesce(i.oid, t.oid))::float8
       - case when i.oid is null then pg_indexes_size(t.oid) else 0 end as bytes
     from pg_class t cross join lateral (
       select null::oid as oid, null::name as relname union all
       select c.oid, c.relname from pg_index x join pg_class c on c.oid = x.indexrelid where x.indrelid = t.oid) i
     where t.relkind = 'r' and t.relnamespace in ($1::regnamespace, 'offchain'::regnamespace)`,
    [schema],
  );
}

async function readUpdates(databaseUrl: string): Promise<Updates[]> {
  await delay(statisticsMs);
  return await query<Updates>(
    databaseUrl,
    `select relname as table, n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as hot, n_dead_tup::float8 as dead
     from pg_stat_user_tables where schemaname = $1 order by relname`,
    [schema],
  );
}

/** Asks for all holders of a token as CSV, at times that are spread over its life. Times are in milliseconds. */
async function measureHoldersAt(
  { log }: Benchmark,
  databaseUrl: string,
  { port }: Indexer,
  token: string,
): Promise<{ holders: number; movements: number; times: number[] }> {
  const [life] = await query<{ movements: number; first: number; last: number }>(
    databaseUrl,
    `select min(timestamp)::float8 as first, max(timestamp)::float8 as last, count(*)::int as movements
     from ${schema}.trade where token = $1`,
    [token],
  );
  const { movements, first, last } = life as NonNullable<typeof life>;
  const times: number[] = [];
  let holders = 0;
  for (let index = 0; index <= holderQueries; index++) {
    // The fractional parts of multiples of the golden ratio spread evenly.
    const at = first + Math.floor(((0.5 + index * 0.618) % 1) * (last - first));
    const path = `/api/token/${token}/holders?at=${new Date(at * 1_000).toISOString()}`;
    const milliseconds = await timed(async () => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: "text/csv" } });
      if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}`);
      holders = Math.max(holders, (await response.text()).split("\n").length - 2);
    });
    // The first answer also warms up.
    if (index > 0) times.push(milliseconds);
  }
  log(`holders of ${token}: ${times.map((time) => time.toFixed(0)).join(" ")} ms`);
  return { holders, movements, times };
}

function format(sample: Sample, { liveBlocks, tradesPerBlock, blockTime }: ScaleOptions): string[] {
  const { events, tokens, memory, delays, holdersAt, relations, updates, quarters } = sample;
  const never = liveBlocks - delays.length;
  const first = sample.firstMillion === undefined ? "" : `the first million ${count(sample.firstMillion)}, `;
  return [
    `${count(events)} events of ${count(tokens)} tokens`,
    `  ${count(sample.eventsPerSecond)} events/s until /ready; ${first}by quarters ${quarters.map(count).join(", ")}; the rest took ${sample.finishing.toFixed(1)} s`,
    `  peak memory ${count(memory.ready)} MiB at /ready, ${count(memory.live)} MiB after live blocks: aim ${count(aims.memory)}`,
    `  ${(bytesOf(relations) / events).toFixed(0)} bytes per event: aim ${aims.bytesPerEvent}`,
    ...formatRelations(sample),
    `  ${liveBlocks} live blocks with ${tradesPerBlock} transactions, one every ${blockTime} ms (${count(sample.liveEvents)} events):`,
    `    in the tables after ${median(delays).toFixed(0)} ms, 99 % after ${quantile(delays, 0.99).toFixed(0)}: aim ${aims.delay}${never > 0 ? `; ${never} never` : ""}`,
    ...updates
      .filter((row) => row.updates > 0)
      .map(({ table, updates, hot, dead }) => {
        const aim = updatedTables.includes(table) ? `: aim ${aims.hot}` : "";
        return `    ${table}: ${count(updates)} updates, ${((100 * hot) / updates).toFixed(0)} % HOT${aim}; ${count(dead)} dead rows`;
      }),
    `  all ${count(holdersAt.holders)} holders of a token with ${count(holdersAt.movements)} trades at a time: ${median(holdersAt.times).toFixed(0)} ms, at most ${Math.max(...holdersAt.times).toFixed(0)}: aim ${aims.holdersAt}`,
  ];
}

/** The bytes per event of the tables that take at least a hundredth, each with its parts, the largest first. */
function formatRelations({ relations, events }: Sample): string[] {
  return [...Map.groupBy(relations, ({ table }) => table)]
    .filter(([, parts]) => bytesOf(parts) >= bytesOf(relations) / 100)
    .toSorted(([, one], [, other]) => bytesOf(other) - bytesOf(one))
    .map(([table, parts]) => {
      const sizes = parts
        .toSorted((one, other) => other.bytes - one.bytes)
        .map(({ index, bytes }) => `${index ?? "rows"} ${(bytes / events).toFixed(1)}`);
      return `    ${(bytesOf(parts) / events).toFixed(1).padStart(6)} ${table}: ${sizes.join(", ")}`;
    });
}

function bytesOf(relations: Relation[]): number {
  return relations.reduce((sum, { bytes }) => sum + bytes, 0);
}
