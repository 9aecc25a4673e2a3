import { type ChildProcess, spawn } from "node:child_process";
import type { LaunchpadDeployment } from "../../contracts/deploy.ts";
import { freePort } from "../../runtime/checks/host.ts";
import { ponderArguments, projectDir } from "../../runtime/ponder/ponder.ts";
import { runAfterExit } from "../run/watchman.ts";
import { until } from "./condition.ts";
import { query } from "./graphql.ts";
import { programEnvironment } from "./program-environment.ts";
import { quickGet } from "./quick-get.ts";

export type IndexedChain = {
  chainId: number;
  /** One endpoint, or several with commas between them. */
  rpcUrl: string;
  /** Announces new blocks, so that the indexer doesn't have to poll for them. */
  webSocketUrl?: string;
  deployment: Pick<LaunchpadDeployment, "tokenFactory" | "launchpad" | "startBlock">;
};

export type IndexerOptions = {
  databaseUrl: string;
  /** Default: reads use the connection string for writes. */
  databaseReadUrl?: string;
  /** Default: SQL over HTTP is off. */
  databaseSqlUrl?: string;
  chains: IndexedChain[];
  /** Default: the previous indexer's port, or a free one. */
  port?: number;
  /** More environment variables. */
  env?: Record<string, string>;
  /** `serve` runs the API alone, on the index of another process. Default `start`. */
  command?: "dev" | "start" | "serve";
  /** The folder of the program: this project by default, or a copy of it. */
  folder?: string;
};

type Status = Record<string, { id: number; block: { number: number; timestamp: number } }>;

export type Indexer = Awaited<ReturnType<typeof startIndexer>>;

/** The schema of the on-chain tables in tests. */
export const testSchema = "onchain";

/** Runs the real `ponder start` on the given chains. It ends with the test process at the latest. */
export async function startIndexer({
  databaseUrl,
  databaseReadUrl,
  databaseSqlUrl,
  chains,
  port,
  env,
  command = "start",
  folder = projectDir,
}: IndexerOptions) {
  const httpPort = port ?? (await freePort());
  const child = spawn(process.execPath, ponderArguments(command, testSchema), {
    cwd: folder,
    env: {
      ...programEnvironment(),
      PORT: String(httpPort),
      DATABASE_URL: databaseUrl,
      DATABASE_READ_URL: databaseReadUrl,
      DATABASE_SQL_URL: databaseSqlUrl,
      SQL: databaseSqlUrl === undefined ? undefined : "on",
      RATE_LIMIT: "off",
      // A test that uploads images sets its own.
      DATA_DIR: "/nowhere",
      // Some tests count the requests to the endpoint.
      SELF_CHECK_SECONDS: "0",
      ...Object.assign({}, ...chains.map(chainVariables)),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collectOutput(child);
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const watchman = runAfterExit('kill -9 "$1"', `${child.pid}`);
  void exited.then(() => watchman.dismiss());

  const url = `http://127.0.0.1:${httpPort}`;
  async function get(path: string) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the indexer ended with code ${child.exitCode}:\n${output().slice(-3_000)}`);
    }
    return await quickGet(url + path);
  }

  async function blockOf(chainId: number) {
    const status: Status = JSON.parse((await get("/status"))?.body || "{}");
    const at = Object.values(status).find(({ id }) => id === chainId);
    return at?.block ?? { number: -1, timestamp: -1 };
  }

  async function end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    child.kill(signal);
    return await exited;
  }

  return {
    url,
    pid: child.pid ?? -1,
    port: httpPort,
    output,
    exited,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    /** Resolves once the process answers `/health`. */
    untilUp: () => until("the process to answer", async () => (await get("/health"))?.ok),
    /** Resolves once the backfill is done and the list is read. */
    untilReady: (timeoutMs = 500_000) =>
      until("the end of the backfill", async () => (await get("/ready"))?.ok, timeoutMs),
    /** Resolves once the chain is indexed up to the block. */
    untilIndexed: (chainId: number, block: bigint) =>
      until(
        `block ${block} of chain ${chainId}`,
        async () => BigInt((await blockOf(chainId)).number) >= block,
      ),
    /**
     * Resolves once the last indexed block has the number and the timestamp of the chain's head. After most reorgs these two are
     * enough to tell the new head from the old one.
     */
    untilAtHead: (chainId: number, readHead: () => Promise<{ number: bigint; timestamp: bigint }>) =>
      until(`the head of chain ${chainId}`, async () => {
        const [head, { number, timestamp }] = await Promise.all([readHead(), blockOf(chainId)]);
        return BigInt(number) === head.number && BigInt(timestamp) === head.timestamp;
      }),
    /** Answers a GraphQL query. Throws when the answer has errors. */
    graphql: <Data>(text: string, variables?: object) => query<Data>(url, text, variables),
  };
}

/** The environment variables with which a process indexes a chain. */
export function chainVariables(chain: IndexedChain): Record<string, string> {
  const { chainId, rpcUrl, webSocketUrl, deployment } = chain;
  return {
    [`PONDER_RPC_URL_${chainId}`]: webSocketUrl === undefined ? rpcUrl : `${rpcUrl},${webSocketUrl}`,
    [`POLLING_INTERVAL_${chainId}`]: webSocketUrl === undefined ? "100" : "1000",
    [`TOKEN_FACTORY_ADDRESS_${chainId}`]: deployment.tokenFactory,
    [`LAUNCHPAD_ADDRESS_${chainId}`]: deployment.launchpad,
    [`START_BLOCK_${chainId}`]: String(deployment.startBlock),
  };
}

function collectOutput(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-200_000);
    });
  }
  return () => text;
}
