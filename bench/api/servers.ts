import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { localEnvironment } from "../../local/local-environment.ts";
import type { Child } from "../../runtime/child-process.ts";
import { ponderArguments, projectDir } from "../../runtime/ponder.ts";
import { freePort } from "../../runtime/port.ts";
import type { Crew } from "../index/crew.ts";
import { onchainSchema } from "./seed/ponder-tables.ts";
import type { World } from "./world.ts";

export type Server = {
  port: number;
  /** Resident now and at most so far, in MiB. Linux only; elsewhere NaN. */
  memory(): Promise<{ resident: number; peak: number }>;
  stop(): Promise<void>;
};

const bareProgram = fileURLToPath(new URL("./bare/main.ts", import.meta.url));

/**
 * Starts the service without its indexer, on the database as it is.
 *
 * @param cacheMegabytes for answers; undefined: what users get
 * @param profile a folder for a CPU profile of it
 */
export async function startApi(
  crew: Crew,
  { databaseUrl, deployment }: World,
  { cacheMegabytes, profile }: { cacheMegabytes: number | undefined; profile: string | undefined },
): Promise<Server> {
  const port = await freePort();
  // Nothing answers there, and nobody asks.
  const rpcUrl = "http://127.0.0.1:1";
  const child = crew.start(
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
          rpcUrl,
          deployment,
          schema: onchainSchema,
          dataDir: tmpdir(),
          rateLimit: false,
        }),
        LIST_CACHE_MB: cacheMegabytes === undefined ? "" : String(cacheMegabytes),
      },
      stopTimeoutMs: 20_000,
    },
  );
  await answers(crew, child, "ponder serve", `http://127.0.0.1:${port}/health`);
  return { port, memory: () => memoryOf(child), stop: () => child.stop() };
}

export async function startBare(crew: Crew, databaseUrl: string): Promise<Server> {
  const port = await freePort();
  const child = crew.start(process.execPath, [bareProgram, String(port), databaseUrl], {});
  await answers(crew, child, "the bare route", `http://127.0.0.1:${port}/`);
  return { port, memory: () => memoryOf(child), stop: () => child.stop() };
}

async function answers(crew: Crew, child: Child, name: string, url: string): Promise<void> {
  const isUp = () =>
    fetch(url).then(
      (response) => response.ok,
      () => false,
    );
  while (!(await isUp())) {
    await crew.alive(child, name);
    await delay(20);
  }
}

async function memoryOf({ pid }: Child): Promise<{ resident: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
  return { resident: read("VmRSS"), peak: read("VmHWM") };
}
