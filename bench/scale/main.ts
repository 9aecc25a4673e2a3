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
import { type Block, startBlock, startChain } from "../shared/chain.ts";
import { query, settle, watchCommits } from "../shared/database.ts";
import { request } from "../shared/load.ts";
import { contracts, createMarket } from "../shared/market.ts";
import { type Options, whole, wholes } from "../shared/options.ts";
import { type Indexer, onchainSchema, startIndexer } from "../shared/ponder.ts";
import { atFixedTimes } from "../shared/process.ts";
import { count, median, quantile } from "../shared/report.ts";

/* Measures how indexing and storing change with the number of events, and how live blocks fare on top of them. */

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

const aims = { bytesPerEvent: 500, memory: 2_048, delay: 300, holdersAt: 200, hot: 80 };
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
type Sample = Awaited<ReturnType<typeof measure>>;

await runBenchmark(flags, async (options, benchmark) => {
  const samples: Sample[] = [];
  for (const events of options.events) samples.push(await measure(benchmark, events, options));
  return { lines: samples.flatMap((sample) => [...format(sample, options), ""]), data: { samples } };
});

/** Measures a first sync of a history of this size, which is stored already, and then live blocks. */
async function measure(benchmark: Benchmark, events: number, options: ScaleOptions) {
  const { tokens, accounts, days } = options;
  const market = createMarket({ tokens, accounts, transactions: events / eventsPerTransaction });
  const secondsPerBlock = (days * 86_400 * eventsPerTransaction * transactionsPerBlock) / events;
  const chain = await startChain(secondsPerBlock);
  const databaseUrl = await benchmark.createDatabase("bench_scale");
  const nextBlock = (transactions: number) =>
    chain.nextBlock(Array.from({ length: transactions }, () => market.next()));
  const stored = await storeHistory(benchmark, databaseUrl, events, () => nextBlock(transactionsPerBlock));
  await settle(databaseUrl);

  chain.mineEmptyBlocks(finalityBlocks);
  const indexer = await startIndexer(benchmark, { databaseUrl, rpcUrl: chain.rpcUrl });
  const speeds = await measureBackfill(benchmark, indexer, stored);
  const memoryAtReady = await indexer.readPeakMemory();
  await settle(databaseUrl);
  const tableSizes = await query<{ table: string; bytes: number }>(
    databaseUrl,
    `select relname as table, pg_total_relation_size(oid)::float8 as bytes from pg_class
     where relkind = 'r' and relnamespace in ($1::regnamespace, 'offchain'::regnamespace) order by bytes desc`,
    [onchainSchema],
  );
  const byHolders = market.tokens.toSorted((one, other) => other.holders.length - one.holders.length);
  const holdersAt = await measureHoldersAt(databaseUrl, indexer, byHolders[0]?.address ?? "");
  const publishBlock = () => {
    const block = nextBlock(options.tradesPerBlock);
    return { ...chain.publish(block), events: block.logs.length };
  };
  const live = await measureLive(databaseUrl, publishBlock, options);
  const memory = { ready: memoryAtReady, live: await indexer.readPeakMemory() };
  await indexer.stop();
  await chain.stop();
  return {
    events: stored,
    tokens: market.tokens.length,
    ...speeds,
    /** The peak in MiB, at `/ready` and after the live blocks. */
    memory,
    /** With their indexes, the largest first. */
    tableSizes,
    ...live,
    holdersAt,
  };
}

/** Stores blocks with at least this many events as read, the way a sync does. Resolves to the number of their events. */
async function storeHistory(
  { log }: Benchmark,
  databaseUrl: string,
  events: number,
  nextBlock: () => Block,
): Promise<number> {
  const sources = { chainId: 56, ...contracts, priceFeeds: [], startBlock, feedStartBlock: startBlock };
  await migrateSyncTables(databaseUrl);
  const database = new pg.Pool({ connectionString: databaseUrl, options: "-c synchronous_commit=off" });
  await createWindowsTable(database);
  const names = [coveredSources(sources).launchpad.name];
  const progress = showProgress(`Storing ${events} events`, log);
  let stored = 0;
  let from = startBlock;
  let storing: Promise<void> = Promise.resolve();
  while (stored < events) {
    // This window is made while Postgres stores the one before.
    const logs: Log[] = [];
    let to = from;
    while (logs.length < eventsPerWindow && stored + logs.length < events) {
      const block = nextBlock();
      logs.push(...block.logs);
      to = block.number;
    }
    await storing;
    const read = { logs, timestamps: new Map<number, number>() };
    storing = storeWindow(database, sources, { window: { from, to }, sources: names, events: read });
    stored += logs.length;
    from = to + 1;
    progress.update(stored, events);
  }
  await storing;
  progress.end();
  await database.end();
  return stored;
}

/** Waits until the history is indexed. Rates are events per second. */
async function measureBackfill({ log }: Benchmark, indexer: Indexer, total: number) {
  const progress = showProgress(`Indexing ${total} events`, log);
  const indexed = () => indexer.ranges().reduce((sum, range) => sum + range.events, 0);
  const shown = setInterval(() => progress.update(indexed(), total), progressMs);
  const { backfill, readyAt } = await indexer.untilReady().finally(() => clearInterval(shown));
  progress.end();

  const ranges = indexer.ranges();
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
  const eventsPerSecond = total / (backfill / 1_000);
  log(`${total} events: ${Math.round(eventsPerSecond)} events/s until /ready`);
  return {
    quarters: [0, 1, 2, 3].map((quarter) => speed((total * quarter) / 4, (total * (quarter + 1)) / 4)),
    /** Of the first million, if there are more. */
    firstMillion: total > million ? speed(0, million) : undefined,
    eventsPerSecond,
    /** Seconds from the last event to `/ready`: compaction, indexes and triggers. */
    finishing: (readyAt - (points.at(-1)?.time ?? 0)) / 1_000,
  };
}

/** Lets the chain grow, first to warm up and then to measure. */
async function measureLive(
  databaseUrl: string,
  publishBlock: () => { block: number; at: number; events: number },
  { blockTime, liveBlocks }: ScaleOptions,
) {
  const commits = await watchCommits(databaseUrl, onchainSchema);
  async function grow(times: number) {
    const blocks = await atFixedTimes(times, blockTime, publishBlock);
    await commits.untilCommitted(blocks.at(-1)?.block ?? 0, lastBlockMs);
    return blocks;
  }
  await grow(warmUpBlocks);
  const before = await readUpdates(databaseUrl);
  const blocks = await grow(liveBlocks);
  const after = await readUpdates(databaseUrl);
  await commits.stop();
  return {
    /** For each live block that was indexed in time, the milliseconds from when the node had it until it was in the tables. */
    delays: commits.delaysOf(blocks),
    liveEvents: blocks.reduce((sum, block) => sum + block.events, 0),
    /** What the live blocks did to each table. */
    updates: after.map((row) => {
      const earlier = before.find(({ table }) => table === row.table);
      return { ...row, updates: row.updates - (earlier?.updates ?? 0), hot: row.hot - (earlier?.hot ?? 0) };
    }),
  };
}

async function readUpdates(databaseUrl: string) {
  await delay(statisticsMs);
  return await query<{ table: string; updates: number; hot: number; dead: number }>(
    databaseUrl,
    `select relname as table, n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as hot, n_dead_tup::float8 as dead
     from pg_stat_user_tables where schemaname = $1 order by relname`,
    [onchainSchema],
  );
}

/** Asks for all holders of a token as CSV, at times that are spread over its life. Times are in milliseconds. */
async function measureHoldersAt(databaseUrl: string, { url }: Indexer, token: string) {
  const [life = { trades: 0, first: 0, last: 0 }] = await query<Record<"trades" | "first" | "last", number>>(
    databaseUrl,
    `select min(timestamp)::float8 as first, max(timestamp)::float8 as last, count(*)::int as trades
     from ${onchainSchema}.trade where token = $1`,
    [token],
  );
  const { trades, first, last } = life;
  const times: number[] = [];
  let holders = 0;
  for (let index = 0; index <= holderQueries; index++) {
    // The fractional parts of multiples of the golden ratio spread evenly.
    const at = first + Math.floor(((0.5 + index * 0.618) % 1) * (last - first));
    const path = `/api/token/${token}/holders?at=${new Date(at * 1_000).toISOString()}`;
    const { text, milliseconds } = await request(url + path, { headers: { accept: "text/csv" } });
    holders = Math.max(holders, text.split("\n").length - 2);
    // The first answer also warms up.
    if (index > 0) times.push(milliseconds);
  }
  return { holders, trades, times };
}

function format(sample: Sample, { liveBlocks, tradesPerBlock, blockTime }: ScaleOptions): string[] {
  const { events, memory, delays, holdersAt, tableSizes, finishing } = sample;
  const first = sample.firstMillion === undefined ? "" : `the first million ${count(sample.firstMillion)}, `;
  const quarters = sample.quarters.map(count).join(", ");
  const perEvent = (bytes: number) => bytes / events;
  const all = perEvent(tableSizes.reduce((sum, { bytes }) => sum + bytes, 0));
  const largest = tableSizes.filter(({ bytes }) => perEvent(bytes) >= all / 100);
  const never = liveBlocks - delays.length;
  const late = quantile(delays, 0.99).toFixed(0);
  return [
    `${count(events)} events of ${count(sample.tokens)} tokens`,
    `  ${count(sample.eventsPerSecond)} events/s until /ready; ${first}by quarters ${quarters}; the rest took ${finishing.toFixed(1)} s`,
    `  peak memory ${count(memory.ready)} MiB at /ready, ${count(memory.live)} MiB after live blocks: aim ${count(aims.memory)}`,
    `  ${all.toFixed(0)} bytes per event: aim ${aims.bytesPerEvent}`,
    `    ${largest.map(({ table, bytes }) => `${perEvent(bytes).toFixed(1)} ${table}`).join(", ")}`,
    `  ${liveBlocks} live blocks with ${tradesPerBlock} transactions, one every ${blockTime} ms (${count(sample.liveEvents)} events):`,
    `    in the tables after ${median(delays).toFixed(0)} ms, 99 % after ${late}: aim ${aims.delay}${never > 0 ? `; ${never} never` : ""}`,
    ...sample.updates
      .filter(({ updates }) => updates > 0)
      .map(({ table, updates, hot, dead }) => {
        const share = ((100 * hot) / updates).toFixed(0);
        const aim = updatedTables.includes(table) ? `: aim ${aims.hot}` : "";
        return `    ${table}: ${count(updates)} updates, ${share} % HOT${aim}; ${count(dead)} dead rows`;
      }),
    `  all ${count(holdersAt.holders)} holders of a token with ${count(holdersAt.trades)} trades at a time: ${median(holdersAt.times).toFixed(0)} ms, at most ${Math.max(...holdersAt.times).toFixed(0)}: aim ${aims.holdersAt}`,
  ];
}
