import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { privateKeyToAccount } from "viem/accounts";
import { deployLaunchpad, deployPriceFeed } from "../contracts/deploy.ts";
import { acquireInstanceLock } from "../runtime/postgres/instance-lock.ts";
import type { Supervisor } from "../runtime/process/supervisor.ts";
import { showProgress } from "../runtime/progress.ts";
import { fileError } from "../runtime/start-error.ts";
import { anvilBinary, anvilMnemonic, pruneArguments, testKey } from "./anvil.ts";
import { type LocalDeployment, prepareChainFiles, readDeployment, writeDeployment } from "./chain-files.ts";
import { localChainUrl } from "./local-environment.ts";
import { historyDays, makeHistory } from "./market/history.ts";
import { createRpc, type RpcCall } from "./market/rpc.ts";

/** Fixed, so that a new chain's market is the same on every machine. */
const historySeed = 56;

/** The first answer of the price feed: 600 USD per BNB, with 8 decimals. */
const initialPrice = 60_000_000_000n;

export type LocalChain = { rpcUrl: string; deployment: LocalDeployment };

export type LocalChainOptions = {
  port: number;
  dataDir: string;
  /** Whether a new chain gets a week of trading history, and whether blocks are mined every second. */
  market: boolean;
  log: (line: string) => void;
};

/**
 * Starts anvil as chain 56 on loopback and deploys the contracts if they are missing. The chain is saved, and the next start
 * continues it.
 */
export async function startLocalChain(
  supervisor: Supervisor,
  { port, dataDir, market, log }: LocalChainOptions,
): Promise<LocalChain> {
  const files = await prepareChainFiles(dataDir).catch((error: unknown) => {
    throw fileError(error, dataDir);
  });
  // Another process's node may be about to save its chain.
  const lock = await acquireInstanceLock(files.folder, files.folder);
  supervisor.onExit(() => lock.release());
  const existing = await readDeployment(files);
  const rpcUrl = localChainUrl(port);
  const rpc = createRpc(rpcUrl);

  const genesisTime = Math.floor(Date.now() / 1000) - historyDays * 86_400;
  const anvil = supervisor.spawn("local chain (anvil)", anvilBinary(), [
    ...["--host", "127.0.0.1", "--port", String(port), "--chain-id", "56", "--silent"],
    ...["--mnemonic", anvilMnemonic, "--gas-limit", "200000000", "--block-base-fee-per-gas", "0"],
    // Saved regularly in case anvil is killed, but not often, since every save writes the whole chain.
    ...["--state", files.state, "--state-interval", "300"],
    ...pruneArguments(files.folder),
    ...(existsSync(files.state) || !market ? [] : ["--timestamp", String(genesisTime)]),
  ]);
  let isUp = false;
  void anvil.exited.then(() => {
    if (!isUp && !supervisor.signal.aborted)
      log(`If the local chain can't read its saved state, delete ${files.folder} to start over.`);
  });
  await waitUntilUp(rpcUrl, supervisor.signal);
  isUp = true;

  const account = privateKeyToAccount(testKey);
  const launchpad = existing ?? (await deployLaunchpad({ rpcUrl, account }));
  const priceFeed =
    existing?.priceFeed ?? (await deployPriceFeed({ rpcUrl, account, answer: initialPrice })).proxy;
  const deployment = { ...launchpad, priceFeed };
  if (existing === undefined && market) {
    await rpc([["evm_setAutomine", [false]]]);
    const progress = showProgress(`Making ${historyDays} days of trading`, log);
    await makeHistory({
      rpcUrl,
      deployment,
      priceFeed,
      seed: historySeed,
      onProgress: progress.update,
      signal: supervisor.signal,
    }).finally(progress.end);
  }
  if (existing?.priceFeed === undefined) await writeDeployment(files, deployment);

  const mining: RpcCall = market ? ["evm_setIntervalMining", [1]] : ["evm_setAutomine", [true]];
  await rpc([mining]);
  return { rpcUrl, deployment };
}

/** The number of the chain's last block. */
export async function chainHead(rpcUrl: string): Promise<number> {
  const [head] = await createRpc(rpcUrl)<[string]>([["eth_blockNumber"]]);
  return Number(head);
}

/** The hash of a block; undefined if the chain does not have it. */
export async function blockHash(rpcUrl: string, block: number): Promise<string | undefined> {
  const [header] = await createRpc(rpcUrl)<[{ hash: string } | null]>([
    ["eth_getBlockByNumber", [`0x${block.toString(16)}`, false]],
  ]);
  return header?.hash;
}

async function waitUntilUp(rpcUrl: string, signal: AbortSignal): Promise<void> {
  const rpc = createRpc(rpcUrl);
  for (;;) {
    signal.throwIfAborted();
    const isUp = await rpc([["eth_chainId"]]).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await delay(50);
  }
}
