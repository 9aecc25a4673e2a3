/** What went wrong with a request to an endpoint, by what to do about it. */
export type FaultKind =
  /** Too many requests: ask later, and less often. */
  | "rate"
  /** Too many blocks in a range: ask for fewer. */
  | "range"
  /** Too many results or bytes: ask for fewer blocks, but only here. */
  | "results"
  /** Too many addresses in a filter: ask for fewer. */
  | "addresses"
  /** No endpoint takes such a request any more: ask for less. */
  | "unfit"
  /** No answer in time: ask another endpoint. */
  | "timeout"
  /** The endpoint is broken or away: ask another. */
  | "server"
  /** The answer can't be true: ask another, and say so. */
  | "wrong"
  /** The request can't be answered by anyone: report it. */
  | "refused";

export type FaultDetails = ErrorOptions & {
  /** What the endpoint named as its limit: blocks of a range, or addresses of a filter. */
  limit?: number;
  /** Milliseconds after which to ask again, by Retry-After. */
  retryAfterMs?: number;
  /** The JSON-RPC error's code. */
  code?: number;
};

/** Why an endpoint did not answer a request. */
export class EndpointFault extends Error {
  override name = "EndpointFault";
  readonly kind: FaultKind;
  readonly limit: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly code: number | undefined;

  constructor(
    kind: FaultKind,
    message: string,
    { limit, retryAfterMs, code, ...options }: FaultDetails = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.limit = limit;
    this.retryAfterMs = retryAfterMs;
    this.code = code;
  }
}
