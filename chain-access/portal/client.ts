import { setTimeout as delay } from "node:timers/promises";
import { parseJson, readRetryAfter } from "../../config/parse.ts";
import { createRedact, EndpointFault, wrong } from "../endpoint/fault.ts";
import { maxRetryAfterMs } from "../endpoint/json-rpc.ts";
import { isHash, numberToHex } from "../hex.ts";
import { type Hex, isTime, type Log, type LogFilter, maxIndex, type Range } from "../sources/log.ts";

/** The public portal's limit, plus half a second because requests may arrive closer together than they were sent. */
const rateLimit = { requests: 20, perMs: 10_500 };
/** More than the logs of any block; and more than those of any range of which several fit into memory. */
const limits = { lineLength: 16 * 1_024 * 1_024, bytes: 128 * 1_024 * 1_024 };
/** Bytes of the portal's explanation of a refusal. */
const maxReasonBytes = 10_000;

export type PortalClient = ReturnType<typeof createPortalClient>;

/**
 * Sends requests to a portal of the SQD Network, as https://beta.docs.sqd.dev/en/api/evm/introduction describes it.
 *
 * @param idleMs milliseconds without a byte after which a request fails
 */
export function createPortalClient({ url, idleMs }: { url: string; idleMs: number }) {
  const target = new URL(url);
  target.pathname = `${target.pathname.replace(/\/+$/, "")}/finalized-stream`;
  const redact = createRedact(url);
  const window = createRequestWindow(rateLimit);
  const counts = { requests: 0, calls: 0, sentBytes: 0, receivedBytes: 0, refused: 0, late: 0, failed: 0 };

  function count({ kind }: EndpointFault): void {
    if (kind === "rate") counts.refused++;
    else if (kind === "timeout") counts.late++;
    else if (kind !== "unfit") counts.failed++;
  }

  async function post(body: string, signal: AbortSignal): Promise<Response> {
    counts.requests++;
    counts.calls++;
    counts.sentBytes += body.length;
    return await fetch(target, {
      method: "POST",
      // By default fetch offers every encoding that it can decompress.
      headers: { "content-type": "application/json", "accept-encoding": "gzip" },
      body,
      redirect: "error",
      signal,
    });
  }

  async function* request(filter: LogFilter, range: Range): AsyncGenerator<PortalBlock> {
    await delay(window.reserve());
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), idleMs);
    try {
      const response = await post(queryFor(filter, range), silence.signal);
      await throwIfRefused(response, range);
      const onChunk = (bytes: number) => {
        timer.refresh();
        counts.receivedBytes += bytes;
      };
      let next = range.from;
      for await (const { text, isTerminated } of readLines(response.body ?? [], limits, onChunk)) {
        // A truncated last line is skipped and requested again.
        if (text === "" || (!isTerminated && parseJson(text) === undefined)) continue;
        const block = readBlock(text);
        checkOrder(block, next, range);
        next = block.number + 1;
        yield block;
      }
    } catch (error) {
      throw silence.signal.aborted ? new EndpointFault("timeout", "no byte in time") : toFault(error);
    } finally {
      clearTimeout(timer);
      // Closes the connection if not all was read.
      silence.abort();
    }
  }

  return {
    counts,

    /**
     * Streams one request's blocks: those with matching logs, the range's first one, and the last one that the portal searched. If
     * the answer was cut off, that is before the end of the range.
     *
     * @throws EndpointFault of kind "unfit", with the portal's last block as its limit, if that is below the range's end; of other
     * kinds for other faults
     */
    async *stream(filter: LogFilter, range: Range): AsyncGenerator<PortalBlock> {
      try {
        yield* request(filter, range);
      } catch (error) {
        if (error instanceof EndpointFault) {
          error.message = redact(error.message);
          count(error);
          if (error.kind === "rate") window.pause(error.retryAfterMs ?? rateLimit.perMs);
        }
        throw error;
      }
    },
  };
}

/** Throws an EndpointFault for an answer without blocks. */
async function throwIfRefused(response: Response, { from, to }: Range): Promise<void> {
  const { status, headers } = response;
  const header = headers.get("x-sqd-finalized-head-number");
  const head = status === 204 ? from - 1 : Number(header ?? to);
  if (head < to) throw new EndpointFault("unfit", `its last final block is below ${to}`, { limit: head });
  if (status === 200) return;
  const retryAfterMs = readRetryAfter(headers.get("retry-after"), maxRetryAfterMs);
  const options = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 429) throw new EndpointFault("rate", "HTTP 429", options);
  throw new EndpointFault("server", `HTTP ${status}${await reasonIn(response)}`, options);
}

/** Reads the portal's explanation of a refusal. */
async function reasonIn(response: Response): Promise<string> {
  const limits = { lineLength: maxReasonBytes, bytes: maxReasonBytes };
  let body = "";
  try {
    for await (const { text } of readLines(response.body ?? [], limits, () => {})) body += `${text} `;
  } catch {
    return "";
  }
  const text = body
    .replace(/[^ -~]+/g, " ")
    .trim()
    .slice(0, 200);
  return text === "" ? "" : `: ${text}`;
}

/** Converts a TypeError, with which fetch rejects, into a fault of the portal. All other errors are our own. */
function toFault(error: unknown): unknown {
  return error instanceof TypeError ? new EndpointFault("server", reasonOf(error), { cause: error }) : error;
}

/** undici only says "fetch failed"; the cause has the reason. Uses its code, because its message contains the address. */
function reasonOf({ cause, message }: Error): string {
  if (!(cause instanceof Error)) return message;
  return "code" in cause ? `connection failed: ${cause.code}` : cause.message;
}

/** Checks that blocks come in order, starting with the first of the range: without it, blocks could be missing at the start. */
function checkOrder({ number }: PortalBlock, next: number, { from, to }: Range): void {
  const isInPlace = next === from ? number === from : number >= next && number <= to;
  if (!isInPlace) throw wrong(`block ${number}, where one from ${next} to ${to} was due`);
}

/** A block of the portal's answer with its matching logs, if any. */
export type PortalBlock = { number: number; hash: Hex; logs: Log[] };

type PortalLog = Record<"address" | "data" | "transactionHash" | "logIndex" | "transactionIndex", unknown> & {
  topics: unknown[];
};
type PortalLine = { header?: { number?: number; hash?: Hex; timestamp?: number } | null; logs?: PortalLog[] };

/**
 * Reads a line of the portal's answer. Whoever uses its logs checks them.
 *
 * @throws EndpointFault of kind "wrong" if it is not a block
 */
function readBlock(text: string): PortalBlock {
  const { header, logs = [] } = (parseJson(text) ?? {}) as PortalLine;
  const { number, timestamp = 0 } = header ?? {};
  const areLogs =
    Array.isArray(logs) &&
    logs.every((log) => isIndex(log?.logIndex) && isIndex(log.transactionIndex) && Array.isArray(log.topics));
  if (!isIndex(number) || !isHash(header?.hash) || !isTime(timestamp) || !areLogs)
    throw wrong("a line that is no block");
  const hash = lowercase(header.hash);
  const place = { blockNumber: numberToHex(number), blockHash: hash, blockTimestamp: numberToHex(timestamp) };
  return {
    number,
    hash,
    logs: logs.map((log) => ({
      address: lowercase(log.address),
      topics: log.topics.map(lowercase),
      data: lowercase(log.data),
      transactionHash: lowercase(log.transactionHash),
      ...place,
      logIndex: numberToHex(Number(log.logIndex)),
      transactionIndex: numberToHex(Number(log.transactionIndex)),
    })),
  };
}

const isIndex = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxIndex;
const lowercase = (value: unknown) => String(value).toLowerCase() as Hex;

export type LineLimits = {
  /** Characters per line, and bytes in total. */
  lineLength: number;
  bytes: number;
};

/** A line without its line break. `isTerminated` is false for a last line that has none, such as one that was cut off. */
export type Line = { text: string; isTerminated: boolean };

/**
 * Splits a body into lines as it arrives.
 *
 * @param onChunk called with the size of each chunk
 * @throws EndpointFault of kind "results" if a limit is exceeded; the body's own error
 */
export async function* readLines(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limits: LineLimits,
  onChunk: (bytes: number) => void,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let [length, bytes] = [0, 0];
  for await (const chunk of body) {
    onChunk(chunk.length);
    bytes += chunk.length;
    if (bytes > limits.bytes) throw tooMuch(`${limits.bytes} bytes`);
    for (const [index, part] of decoder.decode(chunk, { stream: true }).split("\n").entries()) {
      if (index > 0) {
        yield { text: begun.join(""), isTerminated: true };
        [begun, length] = [[], 0];
      }
      begun.push(part);
      length += part.length;
      if (length > limits.lineLength) throw tooMuch(`${limits.lineLength} characters in a line`);
    }
  }
  if (length > 0) yield { text: begun.join(""), isTerminated: false };
}

const tooMuch = (what: string) => new EndpointFault("results", `more than ${what}`);

/**
 * Limits requests in a sliding window of time, first come, first served.
 *
 * @param now in milliseconds
 */
export function createRequestWindow(
  { requests, perMs }: { requests: number; perMs: number },
  now: () => number = () => performance.now(),
) {
  /** When the last requests were, or will be, sent. */
  const sent: number[] = [];
  let pausedUntil = 0;

  return {
    /** Reserves a slot for the next request. Returns the milliseconds to wait before sending it. */
    reserve(): number {
      const free = sent.length < requests ? 0 : (sent.shift() ?? 0) + perMs;
      const asked = now();
      const at = Math.max(asked, pausedUntil, free);
      sent.push(at);
      return at - asked;
    },

    /** Delays all requests that are reserved from now on. */
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, now() + ms);
    },
  };
}

/** Addresses per query. A query may have 256 KiB, of which an address takes 45 bytes. */
export const maxAddresses = 5_000;

const fields = {
  block: { number: true, hash: true, timestamp: true },
  log: {
    address: true,
    topics: true,
    data: true,
    logIndex: true,
    transactionIndex: true,
    transactionHash: true,
  },
};

/** Builds the portal's query for logs. */
function queryFor({ addresses, topics }: LogFilter, { from, to }: Range): string {
  return JSON.stringify({
    type: "evm",
    fromBlock: from,
    toBlock: to,
    fields,
    logs: [{ ...(addresses === undefined ? {} : { address: addresses }), topic0: topics }],
  });
}
