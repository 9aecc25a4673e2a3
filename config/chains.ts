import type { ChainSettings } from "./env.ts";

/** The chains that can be indexed: BNB Smart Chain and its testnet. */
export const chainIds = [56, 97] as const;
export type ChainId = (typeof chainIds)[number];

/** The chain that is meant where none is named: mainnet or, if that is not indexed, the first. */
export const defaultChainId = (indexed: readonly number[]) => (indexed.includes(56) ? 56 : indexed[0]);

/** The environment variable that configures the price feed of a chain. */
export function feedVariable({ id }: { id: ChainId }): string {
  return `BNB_USD_FEED_ADDRESS_${id}`;
}

/** Chain names as Ponder's `/status`, logs and metrics show them. */
export const chainNames = { 56: "bsc", 97: "bscTestnet" } as const satisfies Record<ChainId, string>;

/** As people call them. */
export const chainTitles = {
  56: "BNB Smart Chain",
  97: "BNB Smart Chain Testnet",
} as const satisfies Record<ChainId, string>;

type ChainName = (typeof chainNames)[ChainId];

type PonderChain<Rpc> = {
  id: number;
  rpc: string[] | Rpc;
  pollingInterval: number;
  ethGetLogsBlockRange?: number;
};

/** Milliseconds between Ponder's polls of our own sync, which answers as soon as there is a new block. */
const builtInPollingMs = 250;
/** Blocks in one of Ponder's log requests: as many as it ever asks for at once. */
const maxLogBlocks = 100_000;

/**
 * Builds Ponder's `chains` setting from the configured chains.
 *
 * @param transportTo returns the transport to a chain that our own sync reads
 */
export function ponderChains<Rpc>(
  chains: ChainSettings[],
  transportTo: (chainId: ChainId) => Rpc,
): Record<ChainName, PonderChain<Rpc>> {
  return perChain(chains, (chain) =>
    chain.sync === "ponder"
      ? {
          id: chain.id,
          rpc: chain.rpcUrls,
          pollingInterval: chain.pollingInterval,
        }
      : {
          id: chain.id,
          rpc: transportTo(chain.id),
          pollingInterval: builtInPollingMs,
          ethGetLogsBlockRange: maxLogBlocks,
        },
  );
}

/**
 * Builds a contract's `chain` setting: its source on every configured chain, from the chain's start block by default.
 */
export function onEveryChain<Source>(
  chains: ChainSettings[],
  source: (chain: ChainSettings) => Source,
): Record<ChainName, Source & { startBlock: number }> {
  return perChain(chains, (chain) => ({ startBlock: chain.startBlock, ...source(chain) }));
}

/** Returns the block from which the price feed is read. */
export const feedStartBlock = ({ startBlock }: Pick<ChainSettings, "startBlock">): number =>
  Math.max(0, startBlock - feedLeadBlocks);

/**
 * The price feed is read from this many blocks before the launchpad (some hours), so that the first trades have a rate.
 */
const feedLeadBlocks = 20_000;

/** Builds the price feed's `chain` setting, for every chain that has one. */
export function priceFeeds(
  chains: ChainSettings[],
): Record<ChainName, { address: ChainSettings["priceFeeds"]; startBlock: number }> {
  return onEveryChain(
    chains.filter((chain) => chain.priceFeeds.length > 0),
    (chain) => ({ address: chain.priceFeeds, startBlock: feedStartBlock(chain) }),
  );
}

// Ponder derives event types from the full record, though chains that aren't configured are absent at run time.
function perChain<Value>(
  chains: ChainSettings[],
  value: (chain: ChainSettings) => Value,
): Record<ChainName, Value> {
  return Object.fromEntries(chains.map((chain) => [chainNames[chain.id], value(chain)])) as Record<
    ChainName,
    Value
  >;
}
