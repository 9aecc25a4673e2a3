import { setTimeout as delay } from "node:timers/promises";
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from "viem";
import { type Call, createEndpoint, type Endpoint } from "../chain-access/endpoint/endpoint.ts";
import { EndpointFault } from "../chain-access/endpoint/fault.ts";
import type { Answer } from "../chain-access/endpoint/json-rpc.ts";
import { createLimits } from "../chain-access/endpoint/limits.ts";
import { isHex, numberToHex } from "../chain-access/hex.ts";
import { isContractFailure } from "../chain-access/rpc-client.ts";

/** A call of a contract's view. */
export type ContractCall = { to: Address; data: Hex };

/** What the contract returned, or `failed` if it reverted. */
export type CallResult = Hex | "failed";

export type ReadCallsOptions = { block: number; signal?: AbortSignal };

/** No endpoint gave usable answers. The message says in one line what each of them did. */
export class ChainUnavailable extends Error {
  override name = "ChainUnavailable";
}

export type CallReader = ReturnType<typeof createCallReader>;

type Source = {
  endpoint: Endpoint;
  /** Undefined until the endpoint was asked. */
  hasMulticall?: boolean;
  /** The number of calls in one aggregate3 that it answers. */
  aggregate: Limits;
};

type Limits = Pick<Endpoint["limits"], "calls" | "learn">;

/** The address of Multicall3 on every chain that has it (https://www.multicall3.com). */
const multicallAddress = "0xcA11bde05977b3631167028862bE2a173976CA11";
const multicallAbi = parseAbi([
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call[] calls) payable returns (Result[] results)",
]);

/** Calls in one aggregate3: about 4 million gas, of the 50 million that nodes allow by default. */
const maxAggregated = 400;
/** Calls in one batch. Many public endpoints take a hundred. */
const maxBatched = 100;
/** How often a request is sent that an endpoint refuses because of its rate limit. */
const maxRateAttempts = 3;
/** Milliseconds to wait for an endpoint that has just failed or refused. */
const maxWaitMs = 10_000;

/** A node that lacks the block, or its state: full nodes keep that of the last 128 blocks. */
const lacksState =
  /header not found|unknown block|block.{0,30}not (be )?found|missing trie node|(state|historical).{0,40}(not|un)\s?available|BlockOutOfRange|pruned|distance to target block|beyond (the )?(current )?head/i;

/**
 * Reads contracts' views at one block: hundreds in one call where the chain has Multicall3, otherwise as JSON-RPC batches. What an
 * endpoint refuses is sent again in halves.
 *
 * @param rounds how often each endpoint is tried before giving up
 */
export function createCallReader(urls: readonly string[], { rounds = 3 }: { rounds?: number } = {}) {
  const sources: Source[] = urls.map((url, index) => ({
    endpoint: createEndpoint({ url, name: urls.length === 1 ? "the endpoint" : `endpoint ${index + 1}` }),
    aggregate: createLimits(),
  }));
  let first = 0;

  return {
    /** The HTTP requests sent so far. */
    get requests(): number {
      return sources.reduce((sum, { endpoint }) => sum + endpoint.counts.requests, 0);
    },

    /** Makes the next reads try another endpoint first. */
    rotate(): void {
      first = (first + 1) % sources.length;
    },

    /**
     * Reads calls at a block. The answers are from one endpoint, in the order of the calls.
     *
     * @throws ChainUnavailable if no endpoint has answered after some attempts; the signal's reason once it is aborted
     */
    async read(calls: readonly ContractCall[], options: ReadCallsOptions): Promise<CallResult[]> {
      if (calls.length === 0) return [];
      const faults = new Set<string>();
      for (let attempt = 0; attempt < rounds * sources.length; attempt++) {
        const source = sources[(first + attempt) % sources.length];
        if (source === undefined) break;
        try {
          return await readFrom(source, calls, options);
        } catch (error) {
          if (!(error instanceof EndpointFault)) throw error;
          faults.add(`${source.endpoint.name}: ${describeFault(error, options.block)}`);
        }
      }
      throw new ChainUnavailable([...faults].join("; "));
    },
  };
}

async function readFrom(
  source: Source,
  calls: readonly ContractCall[],
  options: ReadCallsOptions,
): Promise<CallResult[]> {
  const { endpoint, aggregate } = source;
  const inBatches = (part: readonly ContractCall[]) =>
    inParts(part, maxBatched, endpoint.limits, (piece) => sendBatch(endpoint, piece, options));

  source.hasMulticall ??= await detectMulticall(endpoint, options);
  if (!source.hasMulticall) return await inBatches(calls);
  const results = await inParts(calls, maxAggregated, aggregate, (piece) =>
    sendAggregate(endpoint, piece, options),
  );
  // One that runs out of gas makes those after it fail as well, so each is asked on its own.
  const failed = results.flatMap((result, index) => (result === "failed" ? [index] : []));
  const again = await inBatches(failed.flatMap((index) => calls[index] ?? []));
  for (const [place, index] of failed.entries()) results[index] = again[place] ?? "failed";
  return results;
}

/** Sends calls in parts of at most `most`, or of fewer as the endpoint's refusals teach. Throws the EndpointFault of a single call. */
async function inParts(
  calls: readonly ContractCall[],
  most: number,
  limits: Limits,
  send: (part: readonly ContractCall[]) => Promise<CallResult[]>,
): Promise<CallResult[]> {
  const results: CallResult[] = [];
  while (results.length < calls.length) {
    const part = calls.slice(results.length, results.length + Math.min(most, limits.calls));
    try {
      results.push(...(await send(part)));
    } catch (error) {
      if (!(error instanceof EndpointFault) || part.length === 1 || !mayBeTooMany(error)) throw error;
      limits.learn(new EndpointFault("batch", error.message, { limit: error.limit }), { calls: part.length });
    }
  }
  return results;
}

async function sendBatch(
  endpoint: Endpoint,
  calls: readonly ContractCall[],
  { block, signal }: ReadCallsOptions,
): Promise<CallResult[]> {
  const tag = numberToHex(block);
  const requests = calls.map((call) => ({ method: "eth_call", params: [call, tag] }));
  return (await send(endpoint, requests, signal)).map((answer) => {
    if (answer instanceof EndpointFault) {
      if (isContractFailure(answer.message)) return "failed";
      throw answer;
    }
    if (!isHex(answer)) throw new EndpointFault("wrong", "the result of a call that is no bytes");
    return answer;
  });
}

async function sendAggregate(
  endpoint: Endpoint,
  calls: readonly ContractCall[],
  { block, signal }: ReadCallsOptions,
): Promise<CallResult[]> {
  const aggregated = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
  const data = encodeFunctionData({ abi: multicallAbi, functionName: "aggregate3", args: [aggregated] });
  const params = [{ to: multicallAddress, data }, numberToHex(block)];
  const [answer] = await send(endpoint, [{ method: "eth_call", params }], signal);
  if (answer instanceof EndpointFault) throw answer;
  let results: readonly { success: boolean; returnData: Hex }[];
  try {
    results = decodeFunctionResult({ abi: multicallAbi, functionName: "aggregate3", data: answer as Hex });
  } catch (cause) {
    throw new EndpointFault("wrong", "an answer that is not aggregate3's", { cause });
  }
  if (results.length !== calls.length) throw new EndpointFault("wrong", "another number of results");
  return results.map(({ success, returnData }) => (success ? returnData : "failed"));
}

async function detectMulticall(endpoint: Endpoint, { block, signal }: ReadCallsOptions): Promise<boolean> {
  const request = { method: "eth_getCode", params: [multicallAddress, numberToHex(block)] };
  const [code] = await send(endpoint, [request], signal);
  if (code instanceof EndpointFault) throw code;
  return isHex(code) && code !== "0x";
}

/** Sends a request once the endpoint may be asked, and again while it refuses it because of its rate limit. */
async function send(
  endpoint: Endpoint,
  requests: readonly Call[],
  signal: AbortSignal | undefined,
): Promise<Answer[]> {
  for (let attempt = 1; ; attempt++) {
    const waitMs = Math.min(endpoint.waitFor(requests.length), maxWaitMs);
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
    endpoint.reserve(requests.length);
    try {
      return await endpoint.send(requests, { signal });
    } catch (error) {
      const isRate = error instanceof EndpointFault && error.kind === "rate";
      if (!isRate || attempt === maxRateAttempts) throw error;
    }
  }
}

/** Whether fewer calls at once may be answered where these were not. */
const mayBeTooMany = ({ kind, code, message }: EndpointFault) =>
  kind === "batch" ||
  kind === "rate" ||
  message === "HTTP 413" ||
  (code !== undefined && !lacksState.test(message));

const describeFault = ({ message }: EndpointFault, block: number) =>
  lacksState.test(message) ? `it lacks the state of block ${block} (${message})` : message;
