import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { readRows, rowDifferences } from "../../test/service/table-rows.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { deployment, startMarketChain } from "../shared/chain.ts";
import { createDatabase, dropDatabase, query } from "../shared/database.ts";
import { ours, startIndexer } from "../shared/indexer.ts";
import { someOf, toggle, whole } from "../shared/options.ts";
import { count, inTurn, median, tableOf } from "../shared/report.ts";

/* Measures what a first sync requests from its endpoint, and how long it takes. */

/** Both have fewer blocks than BNB Smart Chain would have, since every block up to the last trade has events. */
const chains = {
  /** One transaction per block. */
  sparse: { tokens: 60, trades: 9_800, transactionsPerBlock: 1 },
  /** 250 transactions per block. */
  dense: { tokens: 1_000, trades: 20_000 },
};

/** The settings of the emulated endpoint in front of the node. The first one only counts requests. */
const endpoints = {
  direct: {},
  limited: { latencyMs: 60, requestsPerSecond: 50, blockRange: 2_000 },
};

const contenders = { ours: "ours", ponder: "Ponder's own sync" };

type ChainName = keyof typeof chains;
type EndpointName = keyof typeof endpoints;
type ContenderName = keyof typeof contenders;

const schema = "sync";
/** Ponder limits itself to slightly more than 20 requests/s per URL, so an unlimited endpoint is listed this often. */
const lanes = 40;

const flags = {
  only: someOf(Object.keys(contenders) as ContenderName[]),
  chain: someOf(Object.keys(chains) as ChainName[]),
  endpoint: someOf(Object.keys(endpoints) as EndpointName[]),
  rounds: whole(1),
  /** Seconds after which a run is stopped and extrapolated. */
  limit: whole(120, 20),
  full: toggle(),
};

await runBenchmark(flags, async (options, benchmark) => {
  const { only, rounds } = options;
  const limit = options.full ? Number.POSITIVE_INFINITY : options.limit;
  const { adminUrl } = await benchmark.startPostgres();
  const results = [];
  for (const name of options.chain) {
    const chain = await startMarketChain(chains[name]);
    const runs: Run[] = [];
    for (let round = 1; round <= rounds; round++) {
      for (const contender of inTurn(only, round)) {
        for (const kind of options.endpoint) {
          const endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl, ...endpoints[kind] });
          const sample = await measure(benchmark, adminUrl, contender, endpoint, limit);
          await endpoint.stop();
          runs.push({ kind, contender, round, sample });
          benchmark.log(
            `${name}, round ${round}, ${contenders[contender]}, ${kind}: ${sample.seconds.toFixed(1)} s`,
          );
        }
      }
    }
    await chain.stop();
    results.push({ name, blocks: chain.head(), runs, comparison: compareTables(runs) });
  }

  const isExtrapolated = results.some(({ runs }) => runs.some(({ sample }) => sample.share < 1));
  return {
    lines: [
      ...results.flatMap(({ name, blocks, runs, comparison }) => [
        `${name} chain: ${count(blocks)} blocks`,
        "",
        ...options.endpoint.flatMap((kind) => [
          ...formatTable(
            kind,
            only,
            runs.filter((run) => run.kind === kind),
          ),
          "",
        ]),
        comparison.line,
        "",
      ]),
      ...(isExtrapolated
        ? ["~ was stopped early and extrapolated from the share of blocks that it had synced"]
        : []),
    ],
    data: {
      results: results.map(({ runs, ...result }) => ({
        ...result,
        runs: runs.map(({ sample: { rows, ...sample }, ...run }) => ({ ...run, ...sample })),
      })),
    },
    failure: results.every(({ comparison }) => comparison.areEqual)
      ? undefined
      : "our sync and Ponder's own produced different tables",
  };
});

type Sample = Awaited<ReturnType<typeof measure>>;
type Run = { kind: EndpointName; contender: ContenderName; round: number; sample: Sample };

/** Lets a contender sync the chain once, into a new database, as far as it comes. */
async function measure(
  benchmark: Benchmark,
  serverUrl: string,
  contender: ContenderName,
  { url, settings, counts }: EmulatedEndpoint,
  limit: number,
) {
  const databaseUrl = await createDatabase(serverUrl, schema);
  const isLimited = Number.isFinite(settings().requestsPerSecond);
  const urls = Array.from({ length: lanes }, (_, index) => `${url}/?lane=${index + 1}`);
  const indexer = await startIndexer(benchmark, ours, {
    databaseUrl,
    schema,
    rpcUrl: url,
    deployment,
    settings: {
      POLLING_INTERVAL_56: "1000",
      SYNC_56: contender === "ponder" ? "ponder" : "",
      PONDER_RPC_URL_56: contender === "ponder" && !isLimited ? urls.join(",") : url,
    },
  });
  const servesAt = await indexer.untilServing();
  const ready = indexer.untilReady();
  // Rejects if it is stopped before.
  ready.catch(() => undefined);
  const over = new AbortController();
  const late = Number.isFinite(limit)
    ? delay(limit * 1_000, undefined, { signal: over.signal }).catch(() => undefined)
    : new Promise<undefined>(() => {});
  const readyAt = (await Promise.race([ready, late]))?.readyAt;
  over.abort();
  const { requests, elements, refused, bytesOut } = counts.total();
  const seconds = ((readyAt ?? Date.now()) - servesAt) / 1_000;
  const share = readyAt === undefined ? await indexer.backfilledShare() : 1;
  if (!(share > 0)) throw new Error(`nothing was synced in ${seconds.toFixed(0)} s`);
  // All blocks may have been read while some are still being indexed.
  const database = {
    query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      query<Row>(databaseUrl, text, values),
  };
  const rows = readyAt === undefined ? undefined : await readRows(database, schema);
  await indexer.stop();
  await dropDatabase(serverUrl, schema);
  // What is counted is extrapolated to the whole chain.
  return {
    /** The share of the chain's blocks that it had synced when it was stopped; 1 if it was done. */
    share,
    /** HTTP requests, the JSON-RPC requests in them, those refused with 429, and the uncompressed size of the answers. */
    requests: requests / share,
    elements: elements / share,
    refused: refused / share,
    megabytes: bytesOut / 1e6 / share,
    /** From the start of the HTTP server, and from the start of the process until then. */
    seconds: seconds / share,
    startUp: (servesAt - indexer.startedAt) / 1_000,
    /** The rows of all tables, if the run was complete. */
    rows,
  };
}

/** Compares the contenders at an endpoint. */
function formatTable(heading: string, names: ContenderName[], runs: Run[]): string[] {
  const rows = names.map((name) => {
    const own = runs.filter(({ contender }) => contender === name);
    const about = own.some(({ sample }) => sample.share < 1) ? "~" : "";
    const middle = (of: (sample: Sample) => number) => median(own.map(({ sample }) => of(sample)));
    const number = (of: (sample: Sample) => number) => about + count(middle(of));
    const decimal = (of: (sample: Sample) => number) => about + middle(of).toFixed(1);
    // A ratio for each round, because a temporarily slow machine slows down both sides of it.
    const ratioToOurs = (of: (sample: Sample) => number) => {
      const ratios = own.flatMap(({ round, sample }) => {
        const ours = runs.find((run) => run.contender === "ours" && run.round === round);
        return ours === undefined ? [] : [of(sample) / of(ours.sample)];
      });
      return ratios.length === 0 ? "" : about + median(ratios).toFixed(2);
    };
    return {
      [heading]: contenders[name],
      HTTP: number(({ requests }) => requests),
      elements: number(({ elements }) => elements),
      refused: number(({ refused }) => refused),
      MB: decimal(({ megabytes }) => megabytes),
      s: decimal(({ seconds }) => seconds),
      "from start": decimal(({ startUp, seconds }) => startUp + seconds),
      "s, ratio": ratioToOurs(({ seconds }) => seconds),
      "elements, ratio": ratioToOurs(({ elements }) => elements),
    };
  });
  return tableOf(rows);
}

/** Compares all complete runs of ours with a complete one of Ponder's. */
function compareTables(runs: Run[]): { areEqual: boolean; line: string } {
  const rowsOf = (name: ContenderName) =>
    runs.flatMap(({ contender, sample: { rows } }) =>
      contender === name && rows !== undefined ? [rows] : [],
    );
  const [expected] = rowsOf("ponder");
  const actual = rowsOf("ours");
  if (expected === undefined || actual.length === 0) {
    const line = "tables: not compared, since that needs complete runs of ours and of Ponder's own sync";
    return { areEqual: true, line };
  }
  const differences = actual.flatMap((rows) => rowDifferences(expected, rows));
  if (differences.length > 0) return { areEqual: false, line: `tables differ: ${differences.join("; ")}` };
  const tables = Object.values(expected);
  const total = tables.reduce((sum, rows) => sum + rows.length, 0);
  const line = `tables: all ${tables.length} of ours and Ponder's own are equal, ${count(total)} rows`;
  return { areEqual: true, line };
}
