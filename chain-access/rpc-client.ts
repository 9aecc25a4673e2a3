import {
  BaseError,
  createPublicClient,
  custom,
  ExecutionRevertedError,
  HttpRequestError,
  http,
  type PublicClient,
  ResponseBodyTooLargeError,
  RpcRequestError,
  shouldThrow,
  type Transport,
} from "viem";
import { z } from "zod";
import { anySignal } from "../config/async.ts";

export type RpcClientOptions = {
  /** The endpoints. If one fails, the next is tried. */
  urls: string[];
  /** Whether an endpoint, by its place among these, is known to be of no use now: it is tried after all others. Default: none is. */
  isBad?: (place: number) => boolean;
  /** Milliseconds that one endpoint has to answer. Default: 10,000. */
  endpointMs?: number;
  /** Milliseconds for a request in total, across all endpoints. Default: three times `endpointMs`. */
  totalMs?: number;
  /** The most bytes of an answer. Default: 1 MiB. */
  maxBytes?: number;
  /** Retries of an endpoint that failed. Default: 0. */
  retryCount?: number;
  /** Milliseconds between polls for a receipt. Default: viem's. */
  pollingInterval?: number;
};

/**
 * The only way to create a viem client here. Whatever endpoints and contracts respond, the client stays within its limits,
 * follows no redirect, and never does CCIP-Read, through which a contract could make us send requests to URLs of its choice.
 *
 * @example
 * const client = createRpcClient({ urls: ["https://endpoint.example"], endpointMs: 4_000 });
 */
export function createRpcClient({
  urls,
  isBad = noneIs,
  endpointMs = 10_000,
  totalMs = 3 * endpointMs,
  maxBytes = 1_024 * 1_024,
  retryCount = 0,
  pollingInterval,
}: RpcClientOptions): PublicClient {
  const fetchFn = createBoundedFetch({ timeoutMs: endpointMs, maxBytes });
  // viem's own timeout only covers the headers, and its byte limit leaves the connection open.
  const endpoints = urls.map((url) =>
    http(url, { fetchFn, timeout: 0, maxResponseBodySize: false, retryCount }),
  );
  return createPublicClient({
    ccipRead: false,
    transport: firstToAnswer(endpoints, totalMs, isBad),
    pollingInterval,
  });
}

const noneIs = () => false;

/** Methods whose result is a single hex string, which viem does not check. */
const bytesMethods = new Set(["eth_blockNumber", "eth_call", "eth_chainId", "eth_getCode"]);
const bytes = z.string().regex(/^0x[0-9a-fA-F]*$/);

/** Methods whose result is null where an endpoint doesn't know something, which another one may: it may only be behind. */
const lookUpMethods = new Set(["eth_getTransactionByHash", "eth_getTransactionReceipt"]);

/**
 * Whether a node says that it doesn't have the chain's latest blocks and state yet. One that has just begun, and knows no other node yet,
 * only shows it by its head, which is 0. Resolves to false if the node doesn't say.
 */
export async function isStillSyncing(client: PublicClient): Promise<boolean> {
  const [progress, head] = await Promise.all([
    client.request({ method: "eth_syncing" as never }).catch(() => false),
    client.getBlockNumber().catch(() => undefined),
  ]);
  return (typeof progress === "object" && progress !== null) || head === 0n;
}

/** Milliseconds for which an endpoint that has failed is asked after all others. */
const avoidedMs = 30_000;

/**
 * Tries one endpoint after the other, like viem's `fallback`, but with one deadline for all of them together. One that gave no answer
 * comes last for a while: each request would wait for it, and with two of those the time would be over before a third is asked.
 * What one doesn't know, the others are asked for, except those that come last.
 */
function firstToAnswer(
  endpoints: Transport[],
  totalMs: number,
  isBad: (place: number) => boolean,
): Transport {
  return (parameters) => {
    const all = endpoints.map((endpoint, place) => ({
      transport: endpoint(parameters),
      place,
      avoidedUntil: 0,
    }));

    async function request(args: { method: string }): Promise<unknown> {
      const signal = AbortSignal.timeout(totalMs);
      const now = performance.now();
      const isAvoided = ({ place, avoidedUntil }: (typeof all)[number]) =>
        Number(avoidedUntil > now || isBad(place));
      let failure: unknown;
      let isUnknown = false;
      for (const endpoint of all.toSorted((left, right) => isAvoided(left) - isAvoided(right))) {
        if (isUnknown && isAvoided(endpoint)) break;
        try {
          const result = await endpoint.transport.request(args as never, { signal });
          isUnknown = result === null && lookUpMethods.has(args.method);
          if (!isUnknown) return bytesMethods.has(args.method) ? bytes.parse(result) : result;
        } catch (error) {
          failure = error;
          if (hasGivenNoAnswer(error)) endpoint.avoidedUntil = performance.now() + avoidedMs;
          if (signal.aborted || shouldThrow(error as Error)) break;
        }
      }
      if (isUnknown) return null;
      throw failure;
    }
    return custom({ request: request as never }, { retryCount: 0 })(parameters);
  };
}

/** Whether an endpoint was unreachable, late or broken. An answer that is too long may be that of a contract. */
const hasGivenNoAnswer = (error: unknown) =>
  hasCause(error, (cause) => cause instanceof HttpRequestError) &&
  !hasCause(error, (cause) => cause instanceof ResponseBodyTooLargeError);

type FetchLimits = {
  /** Milliseconds until the last byte of the response. */
  timeoutMs: number;
  /** Bytes of the response, decompressed. */
  maxBytes: number;
};

/**
 * Creates a `fetch` for an endpoint that may be hostile or broken. It follows no redirect, so that only the configured
 * address is asked, and applies its limits to the whole response body, which viem's own timeout does not cover.
 * Rejects as `fetch` does, and with a ResponseBodyTooLargeError if the response is too long.
 */
function createBoundedFetch({ timeoutMs, maxBytes }: FetchLimits) {
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const signal = anySignal(init.signal, AbortSignal.timeout(timeoutMs));
    const response = await fetch(input, { ...init, redirect: "error", signal });
    return await bounded(response, maxBytes);
  };
}

/** Returns a response with its body read. Throws a ResponseBodyTooLargeError if that is longer than `maxBytes`. */
export async function bounded(response: Response, maxBytes: number): Promise<Response> {
  const body = await readBounded(response, maxBytes);
  return new Response(body.length === 0 ? null : body, response);
}

/** Reads a response's body. Throws a ResponseBodyTooLargeError if it is longer than `maxBytes`. */
export async function readBounded(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Throwing out of the loop cancels the body and closes the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new ResponseBodyTooLargeError({ maxSize: maxBytes, size });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The words in which nodes report that a call failed in the contract: a revert, or one of its other failures. */
const contractFailure = new RegExp(
  [
    "revert|out ?of ?gas|\\w{1,20}OOG|gas required exceeds|gas uint64 overflow",
    "invalid ?(opcode|jump|FEOpcode)|opcode .{1,30} not defined|OpcodeNotFound|stack ?(under|over)flow|stack limit",
    "write protection|StateChangeDuringStaticCall|return data out of bounds|OutOfOffset|max call depth|CallTooDeep",
  ].join("|"),
  "i",
);

/** Whether a node's message says that a call failed in the contract. */
export const isContractFailure = (message: string): boolean => contractFailure.test(message);

/** Whether a call reached the chain and failed in the contract, so that repeating it can't help. */
export function isRevert(error: unknown): boolean {
  return hasCause(
    error,
    (cause) =>
      cause instanceof ExecutionRevertedError ||
      (cause instanceof RpcRequestError && isContractFailure(cause.details)),
  );
}

/** Whether a viem error, or an error in its chain of causes, matches. */
export function hasCause(error: unknown, matches: (cause: unknown) => boolean): boolean {
  return error instanceof BaseError && error.walk(matches) !== null;
}
