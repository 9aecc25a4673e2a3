import { BaseError, ExecutionRevertedError, type PublicClient, RpcRequestError } from "viem";
import { createRpcClient } from "../../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { ProblemException } from "../http/problem.ts";

/** Our contracts answer with some kilobytes at most: code, and names. */
const limits = { endpointMs: 4_000, totalMs: 8_000, maxBytes: 256 * 1_024 };

/** The client of a chain, for the contracts of the launchpad. Others are called by `callForeign`. */
export type ChainClients = (chain: ChainSettings) => PublicClient;

/** Clients for the chains' endpoints, the next of which is asked when one fails. */
export function createChainClients(): ChainClients {
  const clients = new Map<number, PublicClient>();
  return (chain) => {
    const client = clients.get(chain.id) ?? createRpcClient({ urls: chain.rpcUrls, ...limits });
    clients.set(chain.id, client);
    return client;
  };
}

/** How nodes name the ways in which a contract fails, beside a revert. */
const contractFailure = new RegExp(
  [
    "revert|out ?of ?gas|\\w{1,20}OOG|gas required exceeds|gas uint64 overflow",
    "invalid ?(opcode|jump|FEOpcode)|opcode .{1,30} not defined|OpcodeNotFound|stack ?(under|over)flow|stack limit",
    "write protection|StateChangeDuringStaticCall|return data out of bounds|OutOfOffset|max call depth|CallTooDeep",
  ].join("|"),
  "i",
);

/** Whether a call reached the chain and failed in the contract: asking again brings the same. */
export function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const isFailure = (cause: unknown) =>
    cause instanceof ExecutionRevertedError ||
    (cause instanceof RpcRequestError && contractFailure.test(cause.details));
  return error.walk(isFailure) !== null;
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
