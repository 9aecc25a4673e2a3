import type { RequestListener } from "node:http";
import type { Problem } from "../http/problem.ts";
import { sendProblem } from "./send-problem.ts";

/** Limits on what clients may use of the HTTP server. Times are in milliseconds. */
export type EdgeLimits = {
  /** How long a connection stays open without a request, and how many such connections may be open in total. */
  idleMs: number;
  idle: number;
  /** Time for a request's headers, from its first byte or from connecting. */
  headersMs: number;
  /** Time for a body: `bodyGraceMs`, and more as long as it arrives at `bodyBytesPerSecond`, up to `bodyMs` in total. */
  bodyGraceMs: number;
  bodyBytesPerSecond: number;
  bodyMs: number;
  /** How much of a body is read and discarded after its answer, so that the client gets the answer; how fast, and for how long. */
  lingerBytes: number;
  lingerBytesPerMs: number;
  lingerMs: number;
  /** Connections that may linger like this at a time: in total and per address. */
  lingering: number;
  lingeringPerAddress: number;
  /** How long each further one stays open without being read, so that the client can read its answer. */
  unreadLingerMs: number;
  /** How long a client may go without reading any of a pending answer. */
  unreadMs: number;
  /** Bytes of answers that may be buffered for clients: per address, and in total. */
  unreadBytesPerAddress: number;
  unreadBytes: number;
  /** Requests that may be pending on one connection (pipelining). */
  pipelined: number;
  /** Time between two checks for slow clients. */
  sweepMs: number;
};

/**
 * A connection must stay open for longer than its client keeps it for reuse, or a request may be sent as it is being closed. Proxies
 * usually keep theirs for 60 seconds.
 *
 * A phone at 50 kB/s uploads 5 MB in time, and downloads anything.
 */
export const edgeLimits: EdgeLimits = {
  idleMs: 75_000,
  idle: 2_000,
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

/** Returns a problem to respond with, or any other object to send as JSON with status 200. */
export type Override = () => Promise<Problem | object>;

/** Answers the given paths in place of the listener. */
export function withOverrides(
  answers: ReadonlyMap<string, Override>,
  listener: RequestListener,
): RequestListener {
  return (request, response) => {
    const answer = answers.get(request.url ?? "");
    if (answer === undefined) return listener(request, response);
    answer().then(
      (body) => {
        if (isProblem(body)) return sendProblem(response, body);
        response.writeHead(200, {
          "Content-Type": "application/json",
          "Cache-Control": "no-store",
          "Access-Control-Allow-Origin": "*",
        });
        response.end(JSON.stringify(body));
      },
      () => response.destroy(),
    );
  };
}

const isProblem = (body: object): body is Problem => "status" in body && "code" in body;
