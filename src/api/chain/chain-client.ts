import type { PublicClient } from "viem";
import { createRpcClient, type RpcClientOptions } from "../../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { ProblemException } from "../http/problem.ts";

/** Our contracts answer with some kilobytes at most: code, and names. */
const defaultLimits = { endpointMs: 4_000, totalMs: 8_000, maxBytes: 256 * 1_024 };

/** The client of a chain. With the default limits it is for the contracts of the launchpad; others are called by `callForeign`. */
export type ChainClients = (chain: ChainSettings) => PublicClient;

/** Clients for the chains' endpoints, the next of which is asked when one fails. */
export function createChainClients(limits: Omit<RpcClientOptions, "urls"> = defaultLimits): ChainClients {
  const clients = new Map<number, PublicClient>();
  return (chain) => {
    const client = clients.get(chain.id) ?? createRpcClient({ urls: chain.rpcUrls, ...limits });
    clients.set(chain.id, client);
    return client;
  };
}

/** For a chain whose endpoints don't answer, or with nothing of use. */
export function chainUnavailable(chainId: number, cause: unknown): ProblemException {
  return new ProblemException(
    {
      status: 503,
      code: "chain_unavailable",
      title: "Chain unavailable",
      detail: `The RPC endpoint of chain ${chainId}, which this request has to ask, gives no usable answer. Nothing was changed: try again in a few seconds.`,
      retryAfter: 5,
    },
    { cause },
  );
}
