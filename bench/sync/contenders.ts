import { execFileSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { eventTopics } from "../../chain-access/sources/events.ts";
import type { Hex } from "../../chain-access/sources/log.ts";
import { childEnvironment } from "../../config/process-environment.ts";
import type { EmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { migrateSyncTables } from "../../test/run/ponder-sync.ts";
import type { Benchmark } from "../shared/benchmark.ts";
import type { CachedChain } from "../shared/cached-chain.ts";
import { createDatabase, dropDatabase, query } from "../shared/database.ts";
import { ours, startIndexer } from "../shared/indexer.ts";
import { startWorker } from "../shared/process.ts";
import type { FetchJob } from "./fetch-worker.ts";
import { type Checksums, computeChecksums } from "./tables.ts";

/** A contender's run on a chain. Times are in seconds. */
export type Sample = {
  traffic: Traffic;
  /** The share of the chain's blocks that it had synced when it was stopped; 1 if it was done. */
  share: number;
  /** `startUp` is the time from the start of the process until it is ready to sync (for Ponder, its HTTP server); `seconds` counts from then. */
  seconds: number;
  startUp: number;
  /** The tables' checksums, if the run was complete and there are tables. */
  checksums?: Checksums | undefined;
};

/** A contender's traffic with its endpoint. */
type Traffic = {
  /** HTTP requests. */
  requests: number;
  /** JSON-RPC requests, counting each request of a batch, and how many of them were refused with 429. */
  elements: number;
  refused: number;
  /** The uncompressed size of the answers, in megabytes (10^6). */
  megabytes: number;
  byMethod: ReturnType<EmulatedEndpoint["counts"]["byMethod"]>;
};

type Run = {
  chain: CachedChain;
  /** The endpoint in front of the node, used by this run only. */
  endpoint: EmulatedEndpoint;
  databaseUrl: string;
  /** The run is stopped after this many seconds. */
  limit: number;
};

/** Syncs the chain into the database, as far as it comes. The process has ended when it resolves. */
type Contender = { description: string; run(benchmark: Benchmark, run: Run): Promise<Sample> };

const schema = "sync";
const subsquidFolder = fileURLToPath(new URL("subsquid/", import.meta.url));
/** The number of blocks at the head that aren't final. */
const finalityBlocks = 30;
/** Ponder limits itself to slightly more than 20 requests/s per URL, so an unlimited endpoint is listed this often. */
const lanes = 40;

export const contenders = {
  ours: { description: "ours", run: (benchmark, run) => runIndexer(benchmark, run, {}) },
  ponder: {
    description: "Ponder's own sync",
    run(benchmark, run) {
      const { url } = run.endpoint;
      const urls = Array.from({ length: lanes }, (_, index) => `${url}/?lane=${index + 1}`);
      const settings: Record<string, string> = { SYNC_56: "ponder" };
      if (!Number.isFinite(limitOf(run))) settings.PONDER_RPC_URL_56 = urls.join(",");
      return runIndexer(benchmark, run, settings);
    },
  },
  fetching: { description: "ours, events only", run: runFetching },
  subsquid: { description: "Subsquid, events only", run: runSubsquid },
} satisfies Record<string, Contender>;

export type ContenderName = keyof typeof contenders;

/** Lets a contender sync the chain once, into a new database. */
export async function measure(
  benchmark: Benchmark,
  name: ContenderName,
  serverUrl: string,
  run: Omit<Run, "databaseUrl">,
): Promise<Sample> {
  const databaseUrl = await createDatabase(serverUrl, schema);
  const sample = await contenders[name].run(benchmark, { ...run, databaseUrl });
  await dropDatabase(serverUrl, schema);
  return extrapolate(sample);
}

const limitOf = ({ endpoint }: Run) => endpoint.settings().requestsPerSecond;

/** Indexes the chain with our sync or Ponder's own. */
async function runIndexer(
  benchmark: Benchmark,
  { chain, endpoint, databaseUrl, limit }: Run,
  settings: Record<string, string>,
): Promise<Sample> {
  const indexer = await startIndexer(benchmark, ours, {
    databaseUrl,
    schema,
    rpcUrl: endpoint.url,
    deployment: chain.deployment,
    settings: { SYNC_56: "", POLLING_INTERVAL_56: "1000", ...settings },
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
  const traffic = readTraffic(endpoint);
  const seconds = ((readyAt ?? Date.now()) - servesAt) / 1_000;
  const share = readyAt === undefined ? await indexer.backfilledShare() : 1;
  // All blocks may have been read while some are still being indexed.
  const checksums = readyAt === undefined ? undefined : await computeChecksums(databaseUrl, schema);
  await indexer.stop();
  return { traffic, share, seconds, startUp: (servesAt - indexer.startedAt) / 1_000, checksums };
}

/** Reads the chain's events into Ponder's sync tables with our chain access, without Ponder. */
async function runFetching(
  benchmark: Benchmark,
  { chain, endpoint, databaseUrl, limit }: Run,
): Promise<Sample> {
  const { tokenFactory, launchpad, startBlock } = lowercased(chain);
  await migrateSyncTables(databaseUrl);
  const sources = {
    chainId: 56,
    tokenFactory,
    launchpad,
    priceFeeds: [],
    startBlock,
    feedStartBlock: startBlock,
  };
  const to = chain.head - finalityBlocks;
  const job: FetchJob = { databaseUrl, rpcUrl: endpoint.url, to, sources };
  const startedAt = Date.now();
  let begunAt = startedAt;
  let doneAt: number | undefined;
  const program = new URL("fetch-worker.ts", import.meta.url);
  const worker = startWorker<{ begun: true } | { done: true }>(benchmark, program, {
    job,
    onMessage(message) {
      if ("begun" in message) begunAt = Date.now();
      else doneAt = Date.now();
    },
  });
  await worker.until(() => doneAt !== undefined || Date.now() > startedAt + limit * 1_000);
  const seconds = ((doneAt ?? Date.now()) - begunAt) / 1_000;
  const traffic = readTraffic(endpoint);
  const [covered] = await query<{ blocks: number }>(
    databaseUrl,
    `select coalesce(sum(upper(range) - lower(range)), 0)::int as blocks
     from offchain.chain_coverage, unnest(blocks) range`,
  );
  await worker.stop();
  const share = doneAt === undefined ? (covered?.blocks ?? 0) / (to - startBlock + 1) : 1;
  return { traffic, share, seconds, startUp: (begunAt - startedAt) / 1_000 };
}

/** Installs the locked packages that only this benchmark needs. Takes a second if they are installed already. */
export function installSubsquid(): void {
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", options, { cwd: subsquidFolder, stdio: ["ignore", "ignore", "inherit"] });
}

/** Inserts the chain's events into a table with Subsquid's processor, without processing them. */
async function runSubsquid(benchmark: Benchmark, run: Run): Promise<Sample> {
  const { chain, endpoint, databaseUrl, limit } = run;
  const { tokenFactory, launchpad, startBlock } = lowercased(chain);
  const range = { from: startBlock, to: chain.head - finalityBlocks };
  const job = {
    rpcUrl: endpoint.url,
    // Infinity, for no limit, becomes null in JSON.
    requestsPerSecond: limitOf(run),
    databaseUrl,
    range,
    topics: eventTopics,
    tokenFactory,
    launchpad,
  };
  const startedAt = Date.now();
  let begunAt: number | undefined;
  let height = startBlock - 1;
  const child = benchmark.start("Subsquid's processor", ["processor.cjs", JSON.stringify(job)], {
    cwd: subsquidFolder,
    // Port 0 lets its metrics use any free port.
    env: childEnvironment({ PROCESSOR_PROMETHEUS_PORT: "0", SQD_LOG: "warn" }),
    onLine(line) {
      if (!line.startsWith('{"height"')) return;
      begunAt ??= Date.now();
      height = (JSON.parse(line) as { height: number }).height;
    },
  });
  await child.until(() => height >= range.to || Date.now() > startedAt + limit * 1_000);
  const servedAt = begunAt ?? startedAt;
  const seconds = (Date.now() - servedAt) / 1_000;
  const traffic = readTraffic(endpoint);
  await child.stop();
  const share = (height - startBlock + 1) / (range.to - startBlock + 1);
  return { traffic, share, seconds, startUp: (servedAt - startedAt) / 1_000 };
}

function lowercased({ deployment }: CachedChain) {
  const { tokenFactory, launchpad, startBlock } = deployment;
  return {
    tokenFactory: tokenFactory.toLowerCase() as Hex,
    launchpad: launchpad.toLowerCase() as Hex,
    startBlock: Number(startBlock),
  };
}

function readTraffic({ counts }: EmulatedEndpoint): Traffic {
  const { requests, elements, refused, bytesOut } = counts.total();
  return { requests, elements, refused, megabytes: bytesOut / 1e6, byMethod: counts.byMethod() };
}

/** Extrapolates a stopped run to the whole chain. Throws if nothing was synced. */
function extrapolate(sample: Sample): Sample {
  const { traffic, share, seconds } = sample;
  if (!(share > 0)) throw new Error(`nothing was synced in ${seconds.toFixed(0)} s`);
  const { requests, elements, refused, megabytes, byMethod } = traffic;
  return {
    ...sample,
    seconds: seconds / share,
    traffic: {
      requests: requests / share,
      elements: elements / share,
      refused: refused / share,
      megabytes: megabytes / share,
      byMethod,
    },
  };
}
