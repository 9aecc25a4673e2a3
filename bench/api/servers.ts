import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { localEnvironment } from "../../local/local-environment.ts";
import { freePort } from "../../runtime/checks/port.ts";
import { ponderArguments, projectDir } from "../../runtime/ponder/ponder.ts";
import type { Child } from "../../runtime/process/child-process.ts";
import type { Processes } from "../index/processes.ts";
import type { Fixture } from "./fixture.ts";
import { onchainSchema } from "./seed/ponder-tables.ts";

export type Server = {
  port: number;
  pid: number;
  /** The current and the peak resident memory in MiB. Linux only; elsewhere NaN. */
  memory(): Promise<{ resident: number; peak: number }>;
  stop(): Promise<void>;
};

const bareProgram = fileURLToPath(new URL("./bare/main.ts", import.meta.url));

export type ApiOptions = {
  /** The size of the answer cache; undefined for the default. */
  cacheMegabytes: number | undefined;
  /** A folder for a CPU profile of the service. */
  profile: string | undefined;
  /** The chain's endpoint. The default is a placeholder: no request needs it. */
  rpcUrl?: string;
  /** Where images are kept. */
  dataDir?: string;
  rateLimit?: boolean;
  /** The connection for clients' SQL, which is off without it. */
  databaseSqlUrl?: string;
};

/** Starts the service without its indexer on the filled database. */
export async function startApi(
  processes: Processes,
  { databaseUrl, deployment }: Fixture,
  {
    cacheMegabytes,
    profile,
    rpcUrl = "http://127.0.0.1:1",
    dataDir = tmpdir(),
    rateLimit = false,
    databaseSqlUrl,
  }: ApiOptions,
): Promise<Server> {
  const port = await freePort();
  const child = processes.start(
    process.execPath,
    [
      ...(profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]),
      ...ponderArguments("serve", onchainSchema),
    ],
    {
      cwd: projectDir,
      env: {
        ...localEnvironment({
          port,
          databaseUrl,
          databaseSqlUrl,
          rpcUrl,
          deployment,
          schema: onchainSchema,
          dataDir,
          rateLimit,
        }),
        SQL: databaseSqlUrl === undefined ? "off" : "on",
        LIST_CACHE_MB: cacheMegabytes === undefined ? "" : String(cacheMegabytes),
      },
      stopTimeoutMs: 20_000,
    },
  );
  await waitUntilUp(processes, child, "ponder serve", `http://127.0.0.1:${port}/health`);
  return createServer(child, port);
}

export async function startBare(processes: Processes, databaseUrl: string): Promise<Server> {
  const port = await freePort();
  const child = processes.start(process.execPath, [bareProgram, String(port), databaseUrl], {});
  await waitUntilUp(processes, child, "the bare route", `http://127.0.0.1:${port}/`);
  return createServer(child, port);
}

function createServer(child: Child, port: number): Server {
  return { port, pid: child.pid, memory: () => readMemory(child.pid), stop: () => child.stop() };
}

async function waitUntilUp(processes: Processes, child: Child, name: string, url: string): Promise<void> {
  const isUp = () =>
    fetch(url).then(
      (response) => response.ok,
      () => false,
    );
  while (!(await isUp())) {
    await processes.assertAlive(child, name);
    await delay(20);
  }
}

/** The memory of a process. */
export async function readMemory(pid: number): Promise<{ resident: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
  return { resident: read("VmRSS"), peak: read("VmHWM") };
}
