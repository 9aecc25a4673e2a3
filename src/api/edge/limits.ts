/** What one client may hold of the HTTP server. Times are in milliseconds. */
export type EdgeLimits = {
  /** For the headers of a request, from the first byte or from connecting. */
  headersMs: number;
  /** For a body: so much at once, and beyond that as long as it comes at `bodyBytesPerSecond`, up to `bodyMs` in all. */
  bodyGraceMs: number;
  bodyBytesPerSecond: number;
  bodyMs: number;
  /** How much of a body is read and dropped after its answer, so that the client gets the answer, and how long. */
  lingerBytes: number;
  lingerBytesPerMs: number;
  lingerMs: number;
  /** Connections that linger so at a time: in all, and of one address. */
  lingering: number;
  lingeringPerAddress: number;
  /** How long each further one stays open, unread, so that the client can read its answer. */
  unreadLingerMs: number;
  /** How long a client may take none of an answer that waits for it. */
  unreadMs: number;
  /** Bytes of answers that may wait for clients: of one address, and of all. */
  unreadBytesPerAddress: number;
  unreadBytes: number;
  /** Requests of one connection that may wait for their answers (pipelining). */
  pipelined: number;
  /** Milliseconds between two looks at who is slow. */
  sweepMs: number;
};

/** A phone at 50 kB/s uploads 5 MB in time, and downloads anything. */
export const edgeLimits: EdgeLimits = {
  headersMs: 8_000,
  bodyGraceMs: 5_000,
  bodyBytesPerSecond: 10_000,
  bodyMs: 120_000,
  lingerBytes: 32_000_000,
  lingerBytesPerMs: 2_000,
  lingerMs: 8_000,
  lingering: 32,
  lingeringPerAddress: 4,
  unreadLingerMs: 200,
  unreadMs: 20_000,
  unreadBytesPerAddress: 32_000_000,
  unreadBytes: 96_000_000,
  pipelined: 32,
  sweepMs: 500,
};
