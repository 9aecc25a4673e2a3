import { type Address, isAddressEqual, type PublicClient, parseAbi } from "viem";
import { createRpcClient, isStillSyncing } from "../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../config/env.ts";
import { StartError } from "../start-error.ts";

const TIMEOUT_MS = 5_000;

const abi = parseAbi([
  "function launchpad() view returns (address)",
  "function factory() view returns (address)",
]);

/**
 * Checks that the RPC endpoints that respond serve the configured chain and have the contracts. Those that don't are left out of the
 * returned settings, with a warning, if another one has everything; otherwise throws a StartError that names the wrong variable.
 * Endpoints that don't respond stay: the indexer waits for them, and for those that are still syncing if there is no other. Warns of a
 * start block after the factory's deployment, which only endpoints with the state of that time can tell.
 */
export async function checkChains(
  chains: ChainSettings[],
  warn?: (line: string) => void,
): Promise<ChainSettings[]> {
  return await Promise.all(chains.map((chain) => checkChain(chain, warn)));
}

async function checkChain(chain: ChainSettings, warn?: (line: string) => void): Promise<ChainSettings> {
  const { id, startBlock, tokenFactory, rpcUrls, webSocketUrls } = chain;
  const outcomes = await Promise.all(
    rpcUrls.map((url, index) =>
      checkEndpoint(chain, url, index).catch((error: unknown) => {
        if (error instanceof StartError) return error;
        throw error;
      }),
    ),
  );
  const hasWhole = outcomes.some((outcome) => outcome === "complete" || outcome === "started late");
  // Ponder's own sync would begin at the endpoint's head, and never read what is between that and the chain's.
  const isWaitedFor = (outcome: (typeof outcomes)[number]) =>
    outcome instanceof StillSyncingError && !hasWhole && chain.sync === "built-in";
  const refusals = outcomes.filter((outcome) => outcome instanceof StartError);
  const refusal = refusals.find((outcome) => !isWaitedFor(outcome));
  if (refusal !== undefined && !hasWhole) throw refusal;
  for (const [index, outcome] of outcomes.entries()) {
    if (!(outcome instanceof StartError)) continue;
    warn?.(
      isWaitedFor(outcome)
        ? `warning: ${outcome.message}`
        : `warning: endpoint ${index + 1} is not used until the next start: ${outcome.message}`,
    );
  }
  if (outcomes.includes("started late")) {
    warn?.(
      `warning: START_BLOCK_${id} is ${startBlock}, and the factory ${tokenFactory} was deployed before that: tokens that it created earlier are not indexed. Set START_BLOCK_${id} to the block of its deployment, and DATABASE_SCHEMA to a new name`,
    );
  }
  const isUsed = (_: string, index: number) => {
    const outcome = outcomes[index];
    return !(outcome instanceof StartError) || isWaitedFor(outcome);
  };
  const refusedHosts = new Set(rpcUrls.filter((url, index) => !isUsed(url, index)).map(hostOf));
  return {
    ...chain,
    rpcUrls: rpcUrls.filter(isUsed),
    // A provider's WebSocket announces the blocks of the same chain as its other URL.
    webSocketUrls: webSocketUrls.filter((url) => !refusedHosts.has(hostOf(url))),
  };
}

const hostOf = (url: string) => new URL(url).host;

/** The endpoint may have everything once it has caught up. */
class StillSyncingError extends StartError {
  override name = "StillSyncingError";
}

/** What an endpoint has: no answers, all contracts, or those, and the factory before the start block too. */
type EndpointOutcome = "nothing" | "complete" | "started late";

async function checkEndpoint(chain: ChainSettings, url: string, index: number): Promise<EndpointOutcome> {
  const { id, startBlock, tokenFactory, launchpad } = chain;
  const client = createRpcClient({ urls: [url], endpointMs: TIMEOUT_MS });
  // The message doesn't have the URL, which may contain a key.
  const endpoint = chain.rpcUrls.length === 1 ? "the endpoint" : `endpoint ${index + 1}`;
  const [chainId, head, factoryCode, launchpadCode] = await Promise.all(
    [
      client.getChainId(),
      client.getBlockNumber(),
      client.getCode({ address: tokenFactory }).then((code) => code ?? "none"),
      client.getCode({ address: launchpad }).then((code) => code ?? "none"),
    ].map((answer) => (answer as Promise<unknown>).catch(() => undefined)),
  );
  if (chainId !== undefined && chainId !== id) {
    refuse(`PONDER_RPC_URL_${id} is wrong: ${endpoint} serves chain ${chainId}, and ${id} is needed`);
  }
  const isTooLow = typeof head === "bigint" && head < BigInt(startBlock);
  const lacksContract = factoryCode === "none" || launchpadCode === "none";
  if ((isTooLow || lacksContract) && (await isStillSyncing(client))) {
    throw new StillSyncingError(
      `${endpoint} of PONDER_RPC_URL_${id} is still syncing${head === undefined ? "" : `, and is at block ${head}`}`,
    );
  }
  if (isTooLow) {
    refuse(`START_BLOCK_${id} is wrong: it is ${startBlock}, and the chain has only ${head} blocks`);
  }
  if (factoryCode === "none") {
    refuse(`TOKEN_FACTORY_ADDRESS_${id} is wrong: there is no contract at ${tokenFactory} on chain ${id}`);
  }
  if (launchpadCode === "none") {
    refuse(`LAUNCHPAD_ADDRESS_${id} is wrong: there is no contract at ${launchpad} on chain ${id}`);
  }

  // If the endpoint didn't respond to the first calls, more calls would only wait for it again.
  if (factoryCode === undefined || launchpadCode === undefined) return "nothing";
  const [earlierCode] = await Promise.all([
    startBlock === 0
      ? undefined
      : client
          .getCode({ address: tokenFactory, blockNumber: BigInt(startBlock - 1) })
          .catch(withoutThatState),
    checkDeployment(chain, client),
  ]);
  return earlierCode === undefined ? "complete" : "started late";
}

/** An endpoint that is no archive node refuses to answer. */
const withoutThatState = () => undefined;

/** Throws if the factory and the launchpad don't name each other. A contract that doesn't respond is not checked. */
async function checkDeployment({ id, tokenFactory, launchpad }: ChainSettings, client: PublicClient) {
  const ask = (address: Address, functionName: "launchpad" | "factory") =>
    client.readContract({ address, abi, functionName }).catch(() => undefined);
  const [itsLaunchpad, itsFactory, exchanged] = await Promise.all([
    ask(tokenFactory, "launchpad"),
    ask(launchpad, "factory"),
    ask(tokenFactory, "factory"),
  ]);
  if (exchanged !== undefined && isAddressEqual(exchanged, launchpad)) {
    refuse(
      `TOKEN_FACTORY_ADDRESS_${id} is wrong: ${tokenFactory} is the launchpad, and LAUNCHPAD_ADDRESS_${id} its factory. Exchange them`,
    );
  }
  if (itsLaunchpad !== undefined && !isAddressEqual(itsLaunchpad, launchpad)) {
    refuse(
      `LAUNCHPAD_ADDRESS_${id} is wrong: the factory ${tokenFactory} sells its tokens at ${itsLaunchpad}, not at ${launchpad}`,
    );
  }
  if (itsFactory !== undefined && !isAddressEqual(itsFactory, tokenFactory)) {
    refuse(
      `TOKEN_FACTORY_ADDRESS_${id} is wrong: the launchpad ${launchpad} sells tokens of ${itsFactory}, not of ${tokenFactory}`,
    );
  }
}

function refuse(problem: string): never {
  throw new StartError(problem);
}
