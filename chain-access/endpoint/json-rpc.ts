import { classifyError } from "./classify-error.ts";
import { EndpointFault } from "./fault.ts";

/** A call's JSON result, or why there is none. */
export type Answer = unknown | EndpointFault;

type Request = { id: number; method: string };

type Envelope = { id?: unknown; result?: unknown; error?: { code: number; message: string } };

/** An endpoint's HTTP response. */
export type RawAnswer = { status: number; retryAfter: string | undefined; text: string };

/** Milliseconds: a longer Retry-After is cut to this. */
const maxRetryAfterMs = 60_000;

/**
 * Reads the answers to JSON-RPC requests from an HTTP response, in the order of the requests.
 *
 * @throws EndpointFault if the response does not answer these requests
 */
export function readAnswers({ status, retryAfter, text }: RawAnswer, requests: readonly Request[]): Answer[] {
  if (status === 429) {
    throw new EndpointFault("rate", "HTTP 429", { retryAfterMs: readRetryAfter(retryAfter) });
  }
  const found = parse(text);
  // Some send JSON-RPC errors with an HTTP error status. Redirects are not followed.
  const isRefusal = status >= 300;
  if (found === undefined || (isRefusal && found.every(({ error }) => error === undefined))) {
    const what = isRefusal ? `HTTP ${status}` : "an answer that is not JSON-RPC";
    throw new EndpointFault("server", what);
  }
  const [only] = found;
  // An error for the batch as a whole, or from a server that does not repeat the id.
  if (found.length === 1 && only?.error !== undefined && (requests.length > 1 || only.id == null)) {
    throw classifyError(only.error, requests.some(asksForLogs));
  }
  const byId = new Map(found.map((answer) => [String(answer.id), answer]));
  return requests.map((request) => {
    const answer = byId.get(String(request.id));
    if (answer === undefined) return new EndpointFault("server", "a batch without this answer");
    if (answer.error !== undefined) return classifyError(answer.error, asksForLogs(request));
    if (answer.result === undefined) return new EndpointFault("server", "an answer without a result");
    return answer.result;
  });
}

const asksForLogs = ({ method }: Request) => method === "eth_getLogs";

function parse(text: string): Envelope[] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
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
  return isId && (error === undefined || isObject(error));
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

/** Converts a Retry-After header, which has seconds or a date (RFC 9110), to milliseconds from now. */
export function readRetryAfter(value: string | null | undefined): number | undefined {
  if (value == null) return undefined;
  const milliseconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.min(maxRetryAfterMs, Math.max(0, milliseconds));
}
