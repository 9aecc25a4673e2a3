import { parseJson, readRetryAfter } from "../../config/parse.ts";
import { EndpointFault } from "./fault.ts";

/** A call's JSON result, or why there is none. */
export type Answer = unknown | EndpointFault;

type Request = { id: number; method: string; params?: readonly unknown[] };

type JsonRpcError = { code: number; message: string };

type Envelope = { id?: unknown; result?: unknown; error?: JsonRpcError };

/** An endpoint's HTTP response. */
export type RawAnswer = { status: number; retryAfter: string | undefined; text: string };

/** Milliseconds: a longer Retry-After is cut to this. */
export const maxRetryAfterMs = 60_000;

/**
 * Reads the answers to JSON-RPC requests from an HTTP response, in the order of the requests.
 *
 * @throws EndpointFault if the response does not answer these requests
 */
export function readAnswers({ status, retryAfter, text }: RawAnswer, requests: readonly Request[]): Answer[] {
  if (status === 429) {
    throw new EndpointFault("rate", "HTTP 429", {
      retryAfterMs: readRetryAfter(retryAfter, maxRetryAfterMs),
    });
  }
  const parsed = parse(text);
  // Some send JSON-RPC errors with an HTTP error status. Redirects are not followed.
  const isRefusal = status >= 300;
  const isAnswer = ({ result, error }: Envelope) =>
    error !== undefined || (result !== undefined && !isRefusal);
  if (parsed === undefined || !parsed.some(isAnswer)) {
    const what = isRefusal ? `HTTP ${status}` : "an answer that is not JSON-RPC";
    throw new EndpointFault("server", what);
  }
  const [only] = parsed;
  // An error for the batch as a whole, or from a server that does not repeat the id.
  if (parsed.length === 1 && only?.error !== undefined && (requests.length > 1 || only.id == null)) {
    throw classifyError(only.error, requests.some(asksForLogs), requests.some(asksForRange));
  }
  const byId = new Map(parsed.map((answer) => [String(answer.id), answer]));
  return requests.map((request) => {
    const answer = byId.get(String(request.id));
    if (answer === undefined) return new EndpointFault("server", "a batch without this answer");
    if (answer.error !== undefined)
      return classifyError(answer.error, asksForLogs(request), asksForRange(request));
    if (answer.result === undefined) return new EndpointFault("server", "an answer without a result");
    return answer.result;
  });
}

const asksForLogs = ({ method }: Request) => method === "eth_getLogs";

/** Whether a request is about the logs of several blocks. */
function asksForRange(request: Request): boolean {
  const [filter] = request.params ?? [];
  const { fromBlock, toBlock } = (filter ?? {}) as Record<string, unknown>;
  return asksForLogs(request) && fromBlock !== toBlock;
}

function parse(text: string): Envelope[] | undefined {
  const json = parseJson(text);
  const answers = Array.isArray(json) ? json : [json];
  return answers.every(isEnvelope) ? answers.map(withNormalizedError) : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Whether a value is a JSON-RPC answer. Only the envelope is checked: results are large, and checked by the caller. Written
 * without a library, since it runs for each answer, and loading one takes the gate's thread longer than its own code.
 */
function isEnvelope(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const { id, error } = value;
  const isId = id === undefined || id === null || typeof id === "number" || typeof id === "string";
  // Some servers send "error": null with every result, as in JSON-RPC 1.0.
  return isId && (error === undefined || error === null || isObject(error));
}

/** Fills in an error's code and message where they are missing or of another type. */
function withNormalizedError({ id, result, error }: Record<string, unknown>): Envelope {
  if (!isObject(error)) return { id, result };
  const { code, message } = error;
  return {
    id,
    error: {
      code: typeof code === "number" ? code : 0,
      message: typeof message === "string" ? message : "",
    },
  };
}

const rateLimited =
  /rate.?limit|too many requests?\b|request limit|requests? per|per (second|minute|hour|day|month)|\brps\b|\bcups\b|usage limit|(daily|monthly).{0,20} limit|throttl|capacity|throughput|quota|credits|compute units/i;
const addressLimit = /address(es)?\b/i;
const limitWords = /max|limit|exceed|too many|up to|more than|over/i;
const addressNeeded = /(specify|provide|require|needs?|without|missing).{0,30}\baddress\b/i;
const tooManyResults =
  /more than [\d,]+ (results|logs)|too many (results|logs)|(response|result)s? size|size (is )?exceed|response (is )?too (big|large)|returns? too many|logs? (count )?limit/i;
const rangeTooWide =
  /block range|blocks? range|range (is )?too|too wide|too many blocks|requested blocks|[\d,kK]+ blocks?|ranges? over|limited to|exceed/i;
/** The numbers in such a message are no blocks. */
const tookTooLong = /tim(ed|e)[ -]?out|deadline exceeded|took too long/i;

const batch = /batch/i;
const batchLimit = /too (big|large|many|long)|more than|limit|max|exceed|not (allowed|supported|enabled)/i;
/** A range ends after the endpoint's last block (execution-apis#875). Unlike a range that is too wide, it only has to wait. */
const beyondHead =
  /(beyond|ahead of|past|above|after|greater than|higher than) (the )?((current|latest|chain|known) )*(head|tip|block)\b|exceeds? (the )?((current|latest|chain) )*(head|tip)\b|future (block|range)|(block|range)\b.{0,40} future/i;

/** Whether an endpoint refused a range because it doesn't have its last block yet. */
export const isBeyondHead = (message: string): boolean => beyondHead.test(message);

/**
 * JSON-RPC 2.0 codes for a request that is itself invalid: it can't be parsed, or its method or parameters don't exist. Many
 * endpoints also use -32602 for ranges that are too wide.
 */
const refusalCodes = new Set([-32600, -32601, -32602, -32700]);

/**
 * Classifies a JSON-RPC error by what to do about it. Every provider words its limits differently; the tests have examples.
 *
 * @param asksForLogs whether the request was eth_getLogs, the only one with ranges and addresses
 * @param asksForRange whether it was about several blocks: fewer than one can't be asked for
 */
export function classifyError(
  { code, message }: JsonRpcError,
  asksForLogs: boolean,
  asksForRange = asksForLogs,
): EndpointFault {
  const text = message.slice(0, 300);
  const fault = (kind: EndpointFault["kind"], limit?: number) =>
    new EndpointFault(kind, text, { limit, code });
  if (batch.test(text) && batchLimit.test(text)) return fault("batch", limitIn(text));
  if (asksForLogs) {
    if (isBeyondHead(text)) return fault("server");
    // These come first: some providers say "limit exceeded" when a range is too wide.
    if (tooManyResults.test(text)) return fault("results");
    if (addressNeeded.test(text)) return fault("unfiltered");
    if (addressLimit.test(text) && limitWords.test(text)) return fault("addresses", limitIn(text));
    if (asksForRange && !isRate(code, text)) {
      if (tookTooLong.test(text)) return fault("range");
      if (rangeTooWide.test(text)) return fault("range", limitIn(text));
    }
  }
  if (isRate(code, text)) return fault("rate");
  // geth sends -32005 without further words.
  if (code === -32005) return fault(asksForRange ? "range" : "rate");
  return fault(refusalCodes.has(code) ? "refused" : "server");
}

const isRate = (code: number, text: string) => code === 429 || code === -32029 || rateLimited.test(text);

/**
 * The limit that a message names, such as 10,000 in "limited to a 10,000 range", or 2,000 for 2K: the smallest number up to
 * 100,000, since larger ones are block numbers.
 */
function limitIn(text: string): number | undefined {
  const withoutHex = text.replace(/0x[0-9a-f]+/gi, "");
  const numbers = [...withoutHex.matchAll(/(\d[\d,_]*)\s*(k\b)?/gi)]
    .map(
      ([, digits = "", thousand]) =>
        Number(digits.replace(/[,_]/g, "")) * (thousand === undefined ? 1 : 1_000),
    )
    .filter((number) => number > 0 && number <= 100_000);
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}
