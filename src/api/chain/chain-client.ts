import { type Address, type Hex, type PublicClient, ResponseBodyTooLargeError } from "viem";
import { readEndpointStatus } from "../../../chain-access/gate/start-gate.ts";
import {
  createRpcClient,
  hasCause,
  isRevert,
  type RpcClientOptions,
} from "../../../chain-access/rpc-client.ts";
import { ignore } from "../../../config/async.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { ProblemException } from "../http/problem.ts";

/** Our contracts answer with a few kilobytes at most: code and names. */
const defaultLimits = { endpointMs: 4_000, totalMs: 8_000, maxBytes: 256 * 1_024 };

/** Returns a chain's client. With the default limits it is for the launchpad's contracts only; others are called by `callUntrusted`. */
export type ChainClients = (chain: ChainSettings) => PublicClient;

/**
 * Creates clients that ask the chain's next endpoint if one fails.
 *
 * @param readEndpoints the status of each chain's endpoints, as this process knows it from indexing. Those that fail or are excluded,
 * for instance since they are on another chain, are asked last
 */
export function createChainClients(
  limits: Omit<RpcClientOptions, "urls" | "isBad"> = defaultLimits,
  readEndpoints = readEndpointStatus,
): ChainClients {
  const clients = new Map<number, PublicClient>();
  const health = createEndpointHealth(readEndpoints);
  return ({ id, rpcUrls }) => {
    health.refresh();
    const isBad = (place: number) => health.isBad(id, place);
    const client = clients.get(id) ?? createRpcClient({ urls: rpcUrls, isBad, ...limits });
    clients.set(id, client);
    return client;
  };
}

/** Milliseconds after which the endpoints' status is read again. */
const healthMs = 2_000;

function createEndpointHealth(readEndpoints: typeof readEndpointStatus) {
  let chains: Awaited<ReturnType<typeof readEndpointStatus>> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;

  return {
    /** Reads the status anew if it is old. Nobody waits for it: the next request knows it. */
    refresh(): void {
      if (performance.now() - readAt < healthMs) return;
      readAt = performance.now();
      readEndpoints().then((read) => {
        chains = read;
      }, ignore);
    },
    isBad: (chainId: number, place: number): boolean =>
      (chains.get(chainId)?.[place]?.state ?? "healthy") !== "healthy",
  };
}

/** For a chain whose endpoints give no usable answer. */
export function chainUnavailable(chainId: number, cause: unknown): ProblemException {
  return new ProblemException(
    {
      status: 503,
      code: "chain_unavailable",
      detail: `The RPC endpoint of chain ${chainId}, which this request depends on, gives no usable answer. Nothing was changed: try again in a few seconds.`,
      retryAfter: 5,
    },
    { cause },
  );
}

/** Limits for optional parts of an answer: the client waits for them, so they must not take long. */
export const bestEffortLimits = { endpointMs: 1_000, totalMs: 1_500, maxBytes: 16 * 1_024 };

/** The returned function asks a chain, and resolves to undefined if the chain does not answer or recently did not. It never rejects. */
export function createOptionalAsk() {
  const backoff = createEndpointBackoff();
  return async <Answer>(chainId: number, ask: () => Promise<Answer>): Promise<Answer | undefined> => {
    if (backoff.isBackingOff(chainId)) return undefined;
    try {
      const answer = await ask();
      backoff.succeeded(chainId);
      return answer;
    } catch {
      backoff.failed(chainId);
      return undefined;
    }
  };
}

/** How long a chain's endpoints are not asked after a failure. Each further failure in a row doubles it, up to the maximum. */
const delays = { firstMs: 500, maxMs: 10_000 };

/** Remembers which chains did not answer, so that requests don't wait for their endpoints while those are down. */
export function createEndpointBackoff(now: () => number = () => performance.now()) {
  const pauses = new Map<number, { ms: number; until: number }>();
  const isBackingOff = (chainId: number) => now() < (pauses.get(chainId)?.until ?? 0);

  return {
    isBackingOff,
    succeeded: (chainId: number): void => void pauses.delete(chainId),
    failed(chainId: number): void {
      // Concurrent failures count once.
      if (isBackingOff(chainId)) return;
      const previousMs = pauses.get(chainId)?.ms;
      const ms = previousMs === undefined ? delays.firstMs : Math.min(delays.maxMs, 2 * previousMs);
      pauses.set(chainId, { ms, until: now() + ms });
    },
  };
}

/**
 * Enough for a wallet with many signers or one that checks a passkey. It also limits how much memory a contract can fill, and
 * thus how much an endpoint sends. The expected answer has 32 bytes.
 */
const gas = 3_000_000n;
const limits = { endpointMs: 2_500, totalMs: 5_000, maxBytes: 16 * 1_024 };

/**
 * Calls a contract that anyone may have written. Resolves to its answer, or to undefined if it fails, runs out of gas or answers
 * with too much. Throws a 503 problem if the endpoints don't answer.
 */
export type CallUntrusted = (
  chain: ChainSettings,
  call: { to: Address; data: Hex },
) => Promise<Hex | undefined>;

export function createUntrustedCalls(): CallUntrusted {
  const getClient = createChainClients(limits);

  return async (chain, call) => {
    try {
      return (await getClient(chain).call({ ...call, gas })).data;
    } catch (error) {
      if (isRevert(error) || isTooLarge(error)) return undefined;
      throw chainUnavailable(chain.id, error);
    }
  };
}

const isTooLarge = (error: unknown) => hasCause(error, (cause) => cause instanceof ResponseBodyTooLargeError);
