import type pg from "pg";
import { ignore, within } from "../../config/async.ts";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { readRows, rowDifferences } from "../../test/service/table-rows.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { startMarketChain } from "../shared/chain.ts";
import { query } from "../shared/database.ts";
import { someOf, toggle, whole } from "../shared/options.ts";
import { onchainSchema, startIndexer } from "../shared/ponder.ts";
import { count, median, tableOf } from "../shared/report.ts";
import { measureInTurn, type Rounds } from "../shared/rounds.ts";

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

type Sample = Awaited<ReturnType<typeof measure>>;
type Compared = Rounds<ContenderName, Sample>;

await runBenchmark(flags, async (options, benchmark) => {
  const { only, rounds } = options;
  // The longest time that a timer takes.
  const limitMs = options.full ? 2 ** 31 - 1 : 1_000 * options.limit;
  const lines: string[] = [];
  const data: object[] = [];
  let areEqual = true;
  for (const name of options.chain) {
    const chain = await startMarketChain(chains[name]);
    lines.push(`${name} chain: ${count(chain.head())} blocks`, "");
    const samples: Record<ContenderName, Sample[]> = { ours: [], ponder: [] };
    for (const kind of options.endpoint) {
      const compared = await measureInTurn(only, rounds, async (contender, round) => {
        const endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl, ...endpoints[kind] });
        const sample = await measure(benchmark, contender, kind, endpoint, limitMs);
        await endpoint.stop();
        const seconds = sample.seconds.toFixed(1);
        benchmark.log(`${name}, round ${round}, ${contenders[contender]}, ${kind}: ${seconds} s`);
        samples[contender].push(sample);
        const { rows, ...figures } = sample;
        data.push({ chain: name, endpoint: kind, contender, round, ...figures });
        return sample;
      });
      lines.push(...tableOf(only.map((contender) => rowOf(kind, contender, compared))), "");
    }
    await chain.stop();
    const comparison = compareTables(samples);
    lines.push(comparison.line, "");
    areEqual &&= comparison.areEqual;
    if (Object.values(samples).some((some) => some.some(({ share }) => share < 1))) {
      lines.push("~ was stopped early and extrapolated from the share of blocks that it had synced", "");
    }
  }
  const failure = areEqual ? undefined : "our sync and Ponder's own produced different tables";
  return { lines, data: { runs: data }, failure };
});

/** Lets a contender sync the chain once, into a new database, as far as it comes. */
async function measure(
  benchmark: Benchmark,
  contender: ContenderName,
  kind: EndpointName,
  { url, counts }: EmulatedEndpoint,
  limitMs: number,
) {
  const databaseUrl = await benchmark.createDatabase("bench_sync");
  const urls = Array.from({ length: lanes }, (_, index) => `${url}/?lane=${index + 1}`);
  const indexer = await startIndexer(benchmark, {
    databaseUrl,
    rpcUrl: url,
    settings: {
      POLLING_INTERVAL_56: "1000",
      SYNC_56: contender === "ponder" ? "ponder" : "",
      PONDER_RPC_URL_56: contender === "ponder" && kind === "direct" ? urls.join(",") : url,
    },
  });
  const servesAt = await indexer.untilServing();
  const ready = indexer.untilReady();
  // Rejects if it is stopped before.
  ready.catch(ignore);
  const readyAt = (await within(limitMs, ready, () => undefined))?.readyAt;
  const { requests, elements, refused, bytesOut } = counts.total();
  const seconds = ((readyAt ?? Date.now()) - servesAt) / 1_000;
  const share = readyAt === undefined ? await indexer.backfilledShare() : 1;
  if (!(share > 0)) throw new Error(`nothing was synced in ${seconds.toFixed(0)} s`);
  const read = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
    query<Row>(databaseUrl, text, values);
  // All blocks may have been read while some are still being indexed.
  const rows = readyAt === undefined ? undefined : await readRows({ query: read }, onchainSchema);
  await indexer.stop();
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

/** The row of a contender, beside ours at the same endpoint. */
function rowOf(heading: EndpointName, name: ContenderName, compared: Compared): Record<string, string> {
  const about = compared.of(name).some(({ share }) => share < 1) ? "~" : "";
  const number = (value: (sample: Sample) => number) => about + count(compared.median(name, value));
  const decimal = (value: (sample: Sample) => number) => about + compared.median(name, value).toFixed(1);
  const ratioToOurs = (value: (sample: Sample) => number) =>
    compared.of("ours").length === 0 ? "" : about + median(compared.ratios(name, "ours", value)).toFixed(2);
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
}

/** Compares all complete runs of ours with a complete one of Ponder's. */
function compareTables(samples: Record<ContenderName, Sample[]>): { areEqual: boolean; line: string } {
  const complete = (name: ContenderName) =>
    samples[name].map(({ rows }) => rows).filter((rows) => rows !== undefined);
  const [expected] = complete("ponder");
  const actual = complete("ours");
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
