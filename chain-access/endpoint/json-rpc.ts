import { z } from "zod";
import { classifyError } from "./classify-error.ts";
import { EndpointFault } from "./fault.ts";

/** The result of a call, as JSON, or why there is none. */
export type Answer = unknown | EndpointFault;

type Request = { id: number; method: string };

const answerSchema = z.looseObject({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number().catch(0), message: z.string().catch("") }).optional(),
});

/** Milliseconds: no endpoint is left alone for longer because of what it says. */
const longestRetryAfter = 60_000;

/**
 * Reads the answers to JSON-RPC requests from an HTTP response, in the order of the requests.
 *
 * @throws EndpointFault if the response is none to these requests
 */
export function readAnswers(response: Response, text: string, requests: readonly Request[]): Answer[] {
  const { status, headers } = response;
  if (status === 429) {
    throw new EndpointFault("rate", "HTTP 429", { retryAfterMs: readRetryAfter(headers) });
  }
  const found = parse(text);
  // Some answer errors of JSON-RPC with a status of their own.
  if (found === undefined || (status >= 400 && found.every(({ error }) => error === undefined))) {
    const what = status >= 400 ? `HTTP ${status}` : "an answer that is not JSON-RPC";
    throw new EndpointFault("server", what);
  }
  const [only] = found;
  // An error for the batch as a whole, or one of a server that does not repeat the id.
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

function parse(text: string): z.infer<typeof answerSchema>[] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  // Only the envelope: results are large, and checked by who asked for them.
  const answers = z.array(answerSchema).safeParse(Array.isArray(json) ? json : [json]);
  return answers.success ? answers.data : undefined;
}

/** Seconds or a date (RFC 9110), in milliseconds from now. */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const milliseconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.min(longestRetryAfter, Math.max(0, milliseconds));
}
