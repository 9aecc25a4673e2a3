import { findPackageJSON } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ignore, waitUntil } from "../../config/async.ts";
import { reasonOf } from "../../config/error-code.ts";
import { waitingVariable } from "../../config/process-environment.ts";
import { createPonderFilter, readChildLine } from "../log/child-lines.ts";
import { type LogRecord, log, logLevel, writeRecord } from "../log/log.ts";
import { type Child, keepRunning, type RestartingProcess, startChild } from "../process/child-process.ts";
import type { Supervisor } from "../process/supervisor.ts";
import type { PublicPort } from "../public-port.ts";

/** The folder with ponder.config.ts. */
export const projectDir = fileURLToPath(new URL("../..", import.meta.url));

const ponderProgram = path.join(
  path.dirname(findPackageJSON("ponder", import.meta.url) ?? ""),
  "dist/esm/bin/ponder.js",
);

/** `dev` and `start` index and serve; `serve` only serves what another process indexes. */
type PonderCommand = "dev" | "start" | "serve";

/**
 * Returns Node's arguments to run Ponder in {@link projectDir}. Without a host it listens on every address.
 *
 * @param preload the module that Node loads before Ponder
 */
export function ponderArguments(
  command: PonderCommand,
  schema: string,
  host?: string,
  preload = fileURLToPath(new URL("preload.ts", import.meta.url)),
): string[] {
  // The deprecated calls are in Ponder's own code.
  return [
    "--disable-warning=DeprecationWarning",
    // The API collects garbage once it has read the token list.
    "--expose-gc",
    // How much the heap may grow, in percent of what is in use, before garbage is collected. V8 lets it become four times as large,
    // which a first sync of millions of events would make use of.
    ...(command === "serve" ? [] : ["--heap-growing-percent=40"]),
    `--import=${pathToFileURL(preload).href}`,
    ponderProgram,
    command,
    "--schema",
    schema,
    ...(host === undefined ? [] : ["--hostname", host]),
    ...(command === "dev" ? ["--disable-ui"] : []),
  ];
}

export type PonderOptions = {
  command: PonderCommand;
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  /** The address to listen on; undefined for all of them. */
  host: string | undefined;
  env: NodeJS.ProcessEnv;
  /** Called with every line that Ponder writes, beside what logs it. */
  onLine?: (line: string) => void;
  /** Whether to log a record. Default: all of them. */
  isShown?: (record: LogRecord) => boolean;
  /** The port in `env`, which the API gets once it can listen. Default: it opens the port itself. */
  publicPort?: PublicPort;
  /** Runs before each restart. */
  prepare?: () => Promise<void>;
  /** Whether another version has the port, which the API then gets from that one. */
  isWaiting?: () => boolean;
};

/** Starts Ponder as a component of the service. */
export async function startPonder(
  supervisor: Supervisor,
  options: PonderOptions,
): Promise<RestartingProcess> {
  const {
    command,
    schema,
    host,
    env,
    onLine,
    isShown = () => true,
    publicPort,
    prepare,
    isWaiting = () => false,
  } = options;
  const name = command === "serve" ? "API (ponder)" : "indexer (ponder)";
  const level = logLevel();
  const isDetailed = level === "debug" || level === "trace";
  const write = isDetailed ? writeRecord : createPonderFilter(writeRecord);

  function passPort({ channel }: Child): void {
    channel?.listen(({ kind }) => {
      if (kind !== "private" || publicPort === undefined || isWaiting()) return;
      publicPort.giveTo(channel).catch((error: unknown) => {
        log(`the API can't have its port: ${reasonOf(error)}`, "error");
        void supervisor.stop(1);
      });
    });
  }

  return await supervisor.adopt(name, async ({ signal, reaper }) =>
    keepRunning({
      name,
      prepare,
      async standIn() {
        if (!isWaiting()) await publicPort?.hold(away).catch(ignore); // Reported when the API is to have it.
      },
      start() {
        const child = startChild(
          process.execPath,
          [...ponderArguments(command, schema, host), "--log-format", "json", "--log-level", level],
          {
            cwd: projectDir,
            env: { ...env, [waitingVariable]: publicPort === undefined ? "off" : "on" },
            onLine(line, stream) {
              const record = readChildLine(line, stream);
              if (isShown(record)) write(record);
              onLine?.(line);
            },
            // During a backfill Ponder finishes its batch first.
            stopTimeoutMs: 6_000,
            hasChannel: publicPort !== undefined,
          },
          reaper,
        );
        passPort(child);
        return child;
      },
      signal,
      log,
    }),
  );
}

const away = {
  code: "service_unavailable",
  title: "Service unavailable",
  detail: "The service starts again as soon as its database answers. Its log says why it had to.",
} as const;

/** Whether the service there answers that it is ready. */
export async function isReady(url: string): Promise<boolean> {
  return (await askReady(url))?.isReady ?? false;
}

type ReadyAnswer = { isReady: boolean; code: string; detail: string };

/** What the service there answers at /ready; undefined without an answer. */
export async function askReady(url: string): Promise<ReadyAnswer | undefined> {
  const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  if (answer === undefined) return undefined;
  // The connection can only be reused once the body is read.
  const body: unknown = await answer.json().catch(() => undefined);
  const { code = "", detail = `it answers with the status ${answer.status}` } = (body ?? {}) as Partial<
    Record<"code" | "detail", string>
  >;
  return { isReady: answer.ok, code, detail };
}

/** Resolves once the only configured chain is indexed up to `block`. Throws the signal's reason. */
export async function whenIndexed(url: string, block: number, signal: AbortSignal): Promise<void> {
  const get = (path: string) =>
    fetch(url + path, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  const isIndexed = async () => {
    // /ready covers the finalized blocks; the latest ones follow.
    if (!(await get("/ready"))?.ok) return false;
    const status = (await (await get("/status"))?.json().catch(() => undefined)) as Status | undefined;
    return Object.values(status ?? {}).some((chain) => (chain.block?.number ?? -1) >= block);
  };
  await waitUntil(isIndexed, { everyMs: 100, signal });
}

/** Entries of the chains, and of the replica, which has no block. */
type Status = Record<string, { block?: { number: number } }>;
