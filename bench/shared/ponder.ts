import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { localEnvironment } from "../../local/local-environment.ts";
import { freePort } from "../../runtime/checks/host.ts";
import { ponderArguments, projectDir } from "../../runtime/ponder/ponder.ts";
import type { Benchmark } from "./benchmark.ts";
import { deployment as marketDeployment } from "./chain.ts";
import { readMemory, readProcessorTime } from "./process.ts";

/** A Ponder project to measure: its folder, and the module that Node loads before Ponder to patch it for this project. */
export type App = { name: "ours" | "bare" | "then"; folder: string; preload: string };

const bareFolder = fileURLToPath(new URL("../index/bare", import.meta.url));

/** A project that indexes the same events of the same contracts but only counts them. */
export const bare: App = { name: "bare", folder: bareFolder, preload: path.join(bareFolder, "preload.ts") };

export const ours = project("ours", projectDir);

/** A version of this project. Early versions ran an unpatched Ponder, as the bare app does. */
export function project(name: "ours" | "then", folder: string): App {
  const preload = path.join(folder, "runtime/ponder/preload.ts");
  return { name, folder, preload: existsSync(preload) ? preload : bare.preload };
}

/** The Postgres schema of the on-chain tables. */
export const onchainSchema = "onchain";

type PonderOptions = {
  app?: App;
  databaseUrl: string;
  /** The connection for clients' SQL, which is off without it. */
  databaseSqlUrl?: string;
  schema?: string;
  /** The chain's endpoint. The default is a placeholder, for a process that needs none. */
  rpcUrl?: string;
  /** The market's by default. */
  deployment?: LaunchpadDeployment;
  rateLimit?: boolean;
  /** Environment variables in addition to those that every benchmark sets. */
  settings?: Record<string, string>;
  /** A folder for a CPU profile. */
  profile?: string | undefined;
};

/** Runs a project's service, with or without its indexer. */
async function startPonder(
  benchmark: Benchmark,
  command: "start" | "serve",
  options: PonderOptions,
  onLine?: (line: string) => void,
) {
  const { app = ours, schema = onchainSchema, databaseSqlUrl, settings, profile } = options;
  const port = await freePort();
  const environment = localEnvironment({
    rpcUrl: "http://127.0.0.1:1",
    deployment: marketDeployment,
    rateLimit: false,
    ...options,
    port,
    schema,
    databaseSqlUrl,
    isSqlOn: databaseSqlUrl !== undefined,
    dataDir: benchmark.folder,
  });
  const profiled = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const ponder = ponderArguments(command, schema, undefined, app.preload);
  const child = benchmark.start(
    `ponder ${command} of ${app.name}`,
    [...profiled, ...ponder, "--root", app.folder, "--log-format", "json"],
    { cwd: app.folder, env: { ...environment, ...settings }, onLine, stopTimeoutMs: 20_000 },
  );
  return { child, port, url: `http://127.0.0.1:${port}` };
}

export type Service = { url: string; pid: number; stop(): Promise<void> };

/** Starts the service without its indexer. Resolves once it answers. */
export async function startService(benchmark: Benchmark, options: PonderOptions): Promise<Service> {
  const { child, url } = await startPonder(benchmark, "serve", options);
  const isUp = () => fetch(`${url}/health`).then((response) => response.ok);
  await child.until(() => isUp().catch(() => false));
  return { url, pid: child.pid, stop: () => child.stop() };
}

/** A line of Ponder's log. `time` is a Unix time in milliseconds. */
type Line = {
  time: number;
  msg: string;
  number?: number;
  endpoint?: string;
  event_count?: number;
  duration?: number;
};

export type Indexer = Awaited<ReturnType<typeof startIndexer>>;

/** Starts an app on the chain, and follows its progress by the timestamps in its log. */
export async function startIndexer(benchmark: Benchmark, options: PonderOptions) {
  const metricsPort = await freePort();
  const lines: Line[] = [];
  const startedAt = Date.now();
  const settings = {
    METRICS_PORT: String(metricsPort),
    POLLING_INTERVAL_56: "100",
    PONDER_LOG_LEVEL: "info",
    ...options.settings,
  };
  const { child, port, url } = await startPonder(benchmark, "start", { ...options, settings }, (line) => {
    if (line.startsWith("{")) lines.push(JSON.parse(line) as Line);
  });

  /** Resolves to the time of the first line that matches. */
  async function untilLogged(matches: (line: Line) => boolean): Promise<number> {
    await child.until(() => lines.some(matches));
    return lines.find(matches)?.time ?? Number.NaN;
  }

  /** Resolves to the Unix time in milliseconds at which its HTTP server started. */
  const untilServing = () => untilLogged(({ msg }) => msg === "Created HTTP server");

  async function readMetrics(): Promise<string> {
    // A bare Ponder app serves metrics on its only port.
    const read = (from: number) => fetch(`http://127.0.0.1:${from}/metrics`);
    return (await read(metricsPort).catch(() => read(port))).text();
  }

  return {
    port,
    url,
    startedAt,
    untilServing,
    /** The milliseconds from the start of the process to its HTTP server, and from there to the end of the backfill. */
    async untilReady(): Promise<{ startUp: number; backfill: number; readyAt: number }> {
      const servesAt = await untilServing();
      const readyAt = await untilLogged(({ endpoint }) => endpoint === "/ready");
      return { startUp: servesAt - startedAt, backfill: readyAt - servesAt, readyAt };
    },
    /** Resolves to the Unix time in milliseconds at which the block was indexed live. */
    untilIndexed: (block: number) =>
      untilLogged(({ msg, number }) => msg === "Indexed block" && number === block),
    readPeakMemory: async () => (await readMemory(child.pid)).peak,
    readProcessorMs: async () => (await readProcessorTime(child.pid)).own,
    /** The number of events of each kind that were indexed. */
    async eventCounts(): Promise<Record<string, number>> {
      const counts = (await readMetrics()).matchAll(
        /^ponder_indexing_completed_events\{event="([^"]+)"\} (\d+)/gm,
      );
      return Object.fromEntries([...counts].map(([, event, count]) => [event, Number(count)]));
    },
    /** The share of the backfill's blocks that it has read from the chain, 0 to 1. */
    async backfilledShare(): Promise<number> {
      const metrics = await readMetrics();
      const blocks = (which: string) =>
        Number(metrics.match(new RegExp(`^ponder_historical_${which}_blocks\\{.*\\} (\\d+)`, "m"))?.[1] ?? 0);
      return blocks("completed") / blocks("total");
    },
    /** The ranges of blocks that the backfill has indexed: when each was done, its events, and its duration in milliseconds. */
    ranges: () =>
      lines.flatMap(({ time, msg, event_count: events = 0, duration = 0 }) =>
        msg === "Indexed block range" ? [{ time, events, duration }] : [],
      ),
    /** Pauses the process. */
    pause: () => process.kill(child.pid, "SIGSTOP"),
    resume: () => process.kill(child.pid, "SIGCONT"),
    /** Whether the backfill found all of its data in the cache. */
    usedCacheOnly: () => lines.some(({ msg }) => msg.startsWith("Skipped fetching backfill JSON-RPC data")),
    stop: () => child.stop(),
  };
}
