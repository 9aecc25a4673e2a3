import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { nodeOf } from "./client-ip.ts";
import { counter, metricText } from "./metric-text.ts";

/** One wrong value of a request: where it is, such as `mints.2`, and what it should be. */
export type ProblemError = { path: string; message: string };

/** An RFC 9457 problem. `code` is stable: clients may switch on it. */
export type Problem = {
  status: ContentfulStatusCode;
  code: ProblemCode;
  /** Default: the code in words. */
  title?: string;
  detail: string;
  errors?: ProblemError[];
  /** For SQL: Postgres's error code, and the position of the error in characters from 1. */
  sqlState?: string | undefined;
  position?: number | undefined;
  /** Seconds after which to try again. */
  retryAfter?: number;
};

/** Thrown if a request can't be answered: the error handler responds with the problem. */
export class ProblemException extends Error {
  override name = "ProblemException";
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail, options);
    this.problem = problem;
  }
}

/** Responds with `application/problem+json`. */
export function problemResponse(c: Context, { retryAfter, ...problem }: Problem): Response {
  if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
  return c.body(problemBody(problem, requestIdOf(nodeOf(c).incoming)), problem.status, {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
  });
}

/** The body of an answer with a problem, which counts as answered. */
export function problemBody(problem: Omit<Problem, "retryAfter">, requestId: string | undefined): string {
  const { status, code } = problem;
  const count = (counts.get(code)?.count ?? 0) + 1;
  counts.set(code, { status, count });
  const title = code.charAt(0).toUpperCase() + code.slice(1).replaceAll("_", " ");
  return JSON.stringify({ type: "about:blank", title, ...problem, requestId });
}

/** Every `code` that a problem may have. Stable: clients switch on them. */
export const problemCodes = [
  "alert_not_found",
  "alert_unreadable",
  "alert_unverified",
  "alerts_off",
  "already_registered",
  "answer_too_large",
  "amount_too_large",
  "amount_too_small",
  "block_not_final",
  "block_not_indexed",
  "body_too_large",
  "broken_image",
  "busy",
  "chain_not_indexed",
  "chain_unavailable",
  "client_not_built",
  "contradicts_chain",
  "database_unavailable",
  "denied",
  "dex_not_supported",
  "explorer_not_built",
  "first_buy_not_supported",
  "headers_too_large",
  "image_decoder_failed",
  "image_hidden",
  "image_not_found",
  "image_not_here",
  "image_provider_error",
  "image_provider_unavailable",
  "image_too_complex",
  "image_too_large",
  "image_url_failed",
  "images_from_urls_off",
  "index_behind",
  "internal_error",
  "invalid_cid",
  "invalid_request",
  "invalid_signature",
  "invalid_token",
  "invalid_sql",
  "malformed_multipart",
  "malformed_request",
  "method_not_allowed",
  "missing_file",
  "no_liquidity",
  "not_found",
  "not_indexed_yet",
  "not_multipart",
  "pair_not_found",
  "query_timeout",
  "refused",
  "repairing",
  "request_timeout",
  "route_gone",
  // Of the proxy (deploy/proxy/Caddyfile), and of the supervisor (runtime/ponder/ponder.ts) while there is no process with an API.
  "service_unavailable",
  "several_files",
  "signature_expired",
  "signature_not_newer",
  "signature_used",
  "sql_unavailable",
  "storage_full",
  "storage_unavailable",
  "stream_position_gone",
  "stream_position_unknown",
  "token_hidden",
  "token_list_empty",
  "token_not_found",
  "too_many_alerts",
  "too_many_connections",
  "too_many_pixels",
  "too_many_requests",
  "too_many_streams",
  "too_many_uploads",
  "transaction_not_found",
  "unsupported_image_type",
  "unsupported_media_type",
  "upload_timeout",
  "warming_up",
] as const;

export type ProblemCode = (typeof problemCodes)[number];

/** The problem for a request that would have to queue behind too many others. */
export function busy(what: string): ProblemException {
  return new ProblemException({
    status: 503,
    code: "busy",
    detail: `Too many ${what} are waiting for their turn: try again in a second.`,
    retryAfter: 1,
  });
}

/** The problem for a parameter that conflicts with other parameters or with stored data. The message completes the sentence "`path` ...". */
export function invalidParameter(path: string, message: string): ProblemException {
  return new ProblemException({
    status: 400,
    code: "invalid_request",
    detail: `${path} ${message}`,
    errors: [{ path, message }],
  });
}

/** Ids that proxies and tracing make: a UUID, hexadecimal, base64 or with separators. Nothing that could forge a line of a log. */
const saneId = /^[\w.:+/=-]{1,128}$/;

const ids = new WeakMap<IncomingMessage, string>();

/** Gives the request an id: that of its `X-Request-Id` header if it is sane, else a new one. */
export function assignRequestId(request: IncomingMessage): string {
  const sent = request.headers["x-request-id"];
  const id = typeof sent === "string" && saneId.test(sent) ? sent : randomUUID();
  ids.set(request, id);
  return id;
}

/** The request's id; undefined if requests get none because they are not logged. */
export const requestIdOf = (request: IncomingMessage | undefined): string | undefined =>
  request && ids.get(request);

/**
 * How many problems have been answered since the start, by their code. The one of which a single answer is an alert begins at 0:
 * Prometheus sees no increase in a series that begins with 1.
 */
const counts = new Map<Problem["code"], { status: number; count: number }>([
  ["image_not_here", { status: 404, count: 0 }],
]);

/** Reads the problems as metrics in the text format of Prometheus. */
export function readProblemMetrics(): string {
  return metricText([
    counter(
      "launchpad_problems_total",
      "Requests that were answered with a problem, by its code",
      [...counts].map(([code, { status, count }]) => ({ labels: { code, status }, value: count })),
    ),
  ]);
}

/** The status that nginx logs for a client that hung up. It is never received. */
const clientClosedRequest = 499;

/** Thrown for a request whose client has hung up. */
export class ClientGoneError extends Error {
  override name = "ClientGoneError";
}

/** Ends a request whose client has hung up. */
export function clientGone(): Response {
  return new Response(null, { status: clientClosedRequest });
}
