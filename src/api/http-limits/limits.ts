import type { RequestListener } from "node:http";
import type { Problem } from "../http/problem.ts";
import { sendProblem } from "./send-problem.ts";

/**
 * Limits on what clients may use of the HTTP server. Times are in milliseconds. A phone at 50 kB/s uploads 5 MB in time, and downloads
 * anything.
 */
export const defaultLimits = {
  /**
   * How long a connection stays open without a request, and how many such connections may be open in total. It must stay open for longer
   * than its client keeps it for reuse, or a request may be sent as it is being closed. Proxies usually keep theirs for 60 seconds.
   */
  idleMs: 75_000,
  idle: 2_000,
  /** Time for a request's headers, from its first byte or from connecting. */
  headersMs: 8_000,
  /** Time for a body: `bodyGraceMs`, and more as long as it arrives at `bodyBytesPerSecond`, up to `bodyMs` in total. */
  bodyGraceMs: 5_000,
  bodyBytesPerSecond: 10_000,
  bodyMs: 120_000,
  /** How much of a body is read and discarded after its answer, so that the client gets the answer; how fast, and for how long. */
  drainBytes: 32_000_000,
  drainBytesPerMs: 2_000,
  drainMs: 8_000,
  /** Connections whose bodies may be drained at a time: in total and per address. */
  draining: 32,
  drainingPerAddress: 4,
  /**
   * How long each further one waits for the answer if it is refused at once, and then stays open without being read, so that the
   * client can read the answer. A flood is no faster than this.
   */
  undrainedMs: 1_000,
  /** How long a client may go without reading any of a pending answer. */
  unreadMs: 20_000,
  /** Bytes of answers that may be buffered for clients: per address, and in total. */
  unreadBytesPerAddress: 32_000_000,
  unreadBytes: 96_000_000,
  /** Requests that may be pending on one connection (pipelining). */
  pipelined: 32,
  /** Time between two checks for slow clients. */
  sweepMs: 500,
};

export type HttpLimits = typeof defaultLimits;

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
