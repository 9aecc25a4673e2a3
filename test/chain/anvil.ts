import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { createPublicClient, createTestClient, createWalletClient, defineChain } from "viem";
import { anvilAccount, anvilBinary, anvilMnemonic, pruneArguments } from "../../local/anvil.ts";
import { runAfterExit } from "../run/watchman.ts";
import { until } from "../service/condition.ts";
import { isStopped } from "../service/process-resources.ts";
import { quickTransport } from "./quick-transport.ts";

/** The accounts that every anvil in these tests funds with 10,000 BNB each. */
export const accounts = Array.from({ length: 10 }, (_, index) => anvilAccount(index));

interface AnvilOptions {
  /** Default 56. */
  chainId?: number;
  /** Default 0: the system chooses a free one. */
  port?: number;
  /** Additional anvil flags, such as `["--block-time", "1"]`. */
  args?: string[];
}

export type Anvil = Awaited<ReturnType<typeof startAnvil>>;

/**
 * Starts an anvil on 127.0.0.1 and resolves once it answers. `stop` resolves once its process has ended. If the test's own process
 * ends first, anvil ends with it.
 *
 * @example
 * const anvil = await startAnvil({ args: ["--block-time", "1"] });
 * await anvil.publicClient.getBlockNumber();
 * await anvil.stop();
 */
export async function startAnvil({ chainId = 56, port = 0, args = [] }: AnvilOptions = {}) {
  const anvilProcess = spawn(
    anvilBinary(),
    [
      "--host",
      "127.0.0.1",
      "--port",
      `${port}`,
      "--chain-id",
      `${chainId}`,
      "--mnemonic",
      anvilMnemonic,
      ...pruneArguments(tmpdir()),
      ...args,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const exited = new Promise<void>((resolve) => {
    anvilProcess.once("exit", () => resolve());
    anvilProcess.once("error", () => resolve());
  });
  const watchman = runAfterExit('kill -9 "$1"', `${anvilProcess.pid}`);
  void exited.then(() => watchman.dismiss());

  const actualPort = await listeningPort(anvilProcess);
  const rpcUrl = `http://127.0.0.1:${actualPort}`;
  const chain = defineChain({
    id: chainId,
    name: `anvil ${chainId}`,
    nativeCurrency: { name: "BNB", symbol: "BNB", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    // While viem looks for a replacement it misses the next block, which may be the last one.
    supportsTransactionReplacementDetection: false,
  });
  const client = { chain, transport: quickTransport(rpcUrl), pollingInterval: 20, cacheTime: 0 };
  const testClient = createTestClient({ ...client, mode: "anvil" });
  await testClient.setLoggingEnabled(false);

  return {
    chainId,
    port: actualPort,
    rpcUrl,
    accounts,
    publicClient: createPublicClient(client),
    testClient,
    /** One for each of `accounts`, which signs locally. */
    walletClients: accounts.map((account) => createWalletClient({ ...client, account })),
    /** Suspends anvil: it accepts connections, but answers nothing. */
    async freeze(): Promise<void> {
      anvilProcess.kill("SIGSTOP");
      // Threads that run go on until the one that the signal woke has had a processor.
      await until("anvil to stand still", async () => isStopped(anvilProcess.pid as number));
    },
    thaw: () => anvilProcess.kill("SIGCONT"),
    /** Ends anvil with SIGTERM, so that it writes its `--state` file. */
    async stop(): Promise<void> {
      anvilProcess.kill("SIGTERM");
      await exited;
    },
    /** Kills anvil without a chance to clean up. */
    async crash(): Promise<void> {
      anvilProcess.kill("SIGKILL");
      await exited;
    },
  };
}

function listeningPort(anvilProcess: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    for (const stream of [anvilProcess.stdout, anvilProcess.stderr]) {
      if (!stream) continue;
      // Keeps reading as long as anvil lives, because a full pipe would block it.
      createInterface(stream).on("line", (line) => {
        const port = line.match(/^Listening on .*:(\d+)$/)?.[1];
        if (port) resolve(Number(port));
        else if (lines.length < 100) lines.push(line);
      });
    }
    anvilProcess.once("error", reject);
    anvilProcess.once("close", (code) => {
      reject(new Error(`anvil ended with code ${code} before it listened:\n${lines.slice(-5).join("\n")}`));
    });
  });
}
