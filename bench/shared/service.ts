import { fileURLToPath } from "node:url";
import { localEnvironment } from "../../local/local-environment.ts";
import { freePort } from "../../runtime/checks/host.ts";
import { ponderArguments, projectDir } from "../../runtime/ponder/ponder.ts";
import { type Fixture, onchainSchema } from "../fixture/fixture.ts";
import type { Benchmark } from "./benchmark.ts";
import type { Process } from "./process.ts";

export type Service = { url: string; pid: number; stop(): Promise<void> };

type ServiceOptions = {
  /** A folder for a CPU profile of the service. */
  profile?: string | undefined;
  /** The chain's endpoint. The default is a placeholder: no request needs it. */
  rpcUrl?: string;
  rateLimit?: boolean;
  /** The connection for clients' SQL, which is off without it. */
  databaseSqlUrl?: string;
  settings?: Record<string, string>;
};

/** Starts the service without its indexer on the filled database. */
export async function startService(
  benchmark: Benchmark,
  { databaseUrl, deployment }: Fixture,
  {
    profile,
    rpcUrl = "http://127.0.0.1:1",
    rateLimit = false,
    databaseSqlUrl,
    settings,
  }: ServiceOptions = {},
): Promise<Service> {
  const port = await freePort();
  const environment = localEnvironment({
    port,
    databaseUrl,
    databaseSqlUrl,
    isSqlOn: databaseSqlUrl !== undefined,
    rpcUrl,
    deployment,
    schema: onchainSchema,
    dataDir: benchmark.folder,
    rateLimit,
  });
  const profiled = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const service = benchmark.start("ponder serve", [...profiled, ...ponderArguments("serve", onchainSchema)], {
    cwd: projectDir,
    env: { ...environment, ...settings },
    stopTimeoutMs: 20_000,
  });
  return await untilUp(service, port, "/health");
}

/** Starts a route that runs `select 1` on the same database. */
export async function startBareService(benchmark: Benchmark, { databaseUrl }: Fixture): Promise<Service> {
  const port = await freePort();
  const program = fileURLToPath(new URL("../api/bare.ts", import.meta.url));
  return await untilUp(benchmark.start("the bare route", [program, String(port), databaseUrl]), port, "/");
}

async function untilUp(service: Process, port: number, path: string): Promise<Service> {
  const url = `http://127.0.0.1:${port}`;
  await service.until(() =>
    fetch(url + path).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { url, pid: service.pid, stop: () => service.stop() };
}
