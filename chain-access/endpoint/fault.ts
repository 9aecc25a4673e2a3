/** What went wrong with a request to an endpoint, classified by what to do about it. */
export type FaultKind =
  /** Too many requests: retry later, and ask less often. */
  | "rate"
  /** Too many blocks in a range: ask for fewer. */
  | "range"
  /** Too many results or bytes: ask for fewer blocks, but only here. */
  | "results"
  /** Too many addresses in a filter: ask for fewer. */
  | "addresses"
  /** A filter without an address: ask for some contracts' logs. */
  | "unfiltered"
  /** Too many calls in a batch: send fewer at once. */
  | "batch"
  /** No endpoint accepts such a request any more: ask for less. */
  | "unfit"
  /** No answer in time: ask another endpoint. */
  | "timeout"
  /** The endpoint is broken or unreachable: ask another. */
  | "server"
  /** The answer can't be true: ask another, and report it. */
  | "wrong"
  /** The endpoint doesn't know such requests, or its client: ask another, and report it once all have refused. */
  | "refused";

type FaultDetails = ErrorOptions & {
  /** The limit that the endpoint named: blocks of a range, addresses of a filter, or calls in a batch. */
  limit?: number;
  /** Milliseconds to wait before retrying, from Retry-After. */
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

/** An answer that can't be right. */
export const wrong = (what: string) => new EndpointFault("wrong", what);

/** Characters. Shorter parts of a URL are not keys, and may be ordinary words. */
const minKeyLength = 8;

/** A name in a host that is as long as this may be a key. */
const maxLabelLength = 20;

/** An endpoint's host, for the log: without names in it that may be keys. */
export const hostForLog = (url: string): string =>
  new URL(url).host
    .split(".")
    .map((label) => (label.length < maxLabelLength ? label : "…"))
    .join(".");

/** Creates a function that removes an endpoint's host, and the long parts of its URL, which may be keys, from texts. */
export function createRedact(url: string): (text: string) => string {
  const { host, hostname, username, password, pathname, searchParams } = new URL(url);
  const keys = [username, password, ...pathname.split("/"), ...searchParams.values()];
  // Longest first, since one may contain another.
  const secrets = [host, hostname, ...keys.filter(({ length }) => length >= minKeyLength)].toSorted(
    (a, b) => b.length - a.length,
  );
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
}
