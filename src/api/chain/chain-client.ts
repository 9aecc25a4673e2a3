import type { PublicClient } from "viem";
import { createRpcClient, type RpcClientOptions } from "../../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { ProblemException } from "../http/problem.ts";

/** Our contracts answer with a few kilobytes at most: code and names. */
const defaultLimits = { endpointMs: 4_000, totalMs: 8_000, maxBytes: 256 * 1_024 };

/** Returns a chain's client. With the default limits it is for the launchpad's contracts only; others are called by `callUntrusted`. */
export type ChainClients = (chain: ChainSettings) => PublicClient;

/** Creates clients that ask the chain's next endpoint if one fails. */
export function createChainClients(limits: Omit<RpcClientOptions, "urls"> = defaultLimits): ChainClients {
  const clients = new Map<number, PublicClient>();
  return (chain) => {
    const client = clients.get(chain.id) ?? createRpcClient({ urls: chain.rpcUrls, ...limits });
    clients.set(chain.id, client);
    return client;
  };
}

/** For a chain whose endpoints give no usable answer. */
export function chainUnavailable(chainId: number, cause: unknown): ProblemException {
  return new ProblemException(
    {
      status: 503,
      code: "chain_unavailable",
      title: "Chain unavailable",
      detail: `The RPC endpoint of chain ${chainId}, which this request depends on, gives no usable answer. Nothing was changed: try again in a few seconds.`,
      retryAfter: 5,
    },
    { cause },
  );
}
