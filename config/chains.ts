import type { ChainId, ChainSettings } from "./env.ts";

/** Chain names as Ponder's `/status`, logs and metrics show them. */
const chainNames = { 56: "bsc", 97: "bscTestnet" } as const satisfies Record<ChainId, string>;

type ChainName = (typeof chainNames)[ChainId];

type PonderChain = {
  id: number;
  rpc: string[];
  pollingInterval: number;
  disableCache: boolean;
};

/** Ponder's `chains` for the chains that are configured. */
export function ponderChains(chains: ChainSettings[]): Record<ChainName, PonderChain> {
  return perChain(chains, (chain) => ({
    id: chain.id,
    rpc: withLanes(chain.rpcUrls, chain.rpcLanes),
    pollingInterval: chain.pollingInterval,
    disableCache: !chain.rpcCache,
  }));
}

/** A contract's `chain` setting: its source on every configured chain, from the chain's start block by default. */
export function onEveryChain<Source>(
  chains: ChainSettings[],
  source: (chain: ChainSettings) => Source,
): Record<ChainName, Source & { startBlock: number }> {
  return perChain(chains, (chain) => ({ startBlock: chain.startBlock, ...source(chain) }));
}

/** The price feed is read from this many blocks before the launchpad (some hours), so that the first trades have a rate. */
const blocksOfRates = 20_000;

/** The price feed on every chain that has one. */
export function priceFeeds(
  chains: ChainSettings[],
): Record<ChainName, { address: ChainSettings["priceFeeds"]; startBlock: number }> {
  return onEveryChain(
    chains.filter((chain) => chain.priceFeeds.length > 0),
    (chain) => ({ address: chain.priceFeeds, startBlock: Math.max(0, chain.startBlock - blocksOfRates) }),
  );
}

/**
 * Each URL `lanes` times, distinguished by a query parameter that the endpoint ignores. Ponder limits requests per URL, so
 * more lanes to one endpoint raise the limit. Lane 1 is the URL as it was given.
 */
export function withLanes(urls: string[], lanes: number): string[] {
  return Array.from({ length: lanes }, (_, index) => index + 1).flatMap((lane) =>
    urls.map((url) => {
      if (lane === 1) return url;
      const laned = new URL(url);
      laned.searchParams.set("lane", String(lane));
      return laned.href;
    }),
  );
}

// Ponder derives event types from the full record; a chain that is not configured is absent at run time.
function perChain<Value>(
  chains: ChainSettings[],
  value: (chain: ChainSettings) => Value,
): Record<ChainName, Value> {
  return Object.fromEntries(chains.map((chain) => [chainNames[chain.id], value(chain)])) as Record<
    ChainName,
    Value
  >;
}
