import type { IncomingMessage, ServerResponse } from "node:http";
import { requestKey } from "../http/client-ip.ts";
import { assignRequestId } from "../http/problem.ts";

/** Longer URLs are cut off in the log. */
const maxUrlLength = 2_000;
/** As nginx logs a request whose client hung up before the answer. */
const clientClosedRequest = 499;

/**
 * Creates a function that gives each request an id, which the answer repeats in `X-Request-Id`, and logs it once it is answered: a
 * line of JSON on stdout, which `npm start` and `npm run serve` write in the form of all others.
 */
export function createAccessLog(trustedHops: number, write = (line: string) => process.stdout.write(line)) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = performance.now();
    const { socket, method, url = "" } = request;
    const writtenBefore = socket.bytesWritten;
    const id = assignRequestId(request);
    response.setHeader("X-Request-Id", id);
    response.once("close", () => {
      const record = {
        level: "info",
        time: Date.now(),
        msg: "Request",
        method,
        url: url.slice(0, maxUrlLength),
        status: response.headersSent ? response.statusCode : clientClosedRequest,
        bytes: socket.bytesWritten - writtenBefore,
        client: requestKey(request, trustedHops),
        request_id: id,
        duration: Math.round(10 * (performance.now() - startedAt)) / 10,
        ...(response.writableFinished ? {} : { is_cut_off: true }),
      };
      write(`${JSON.stringify(record)}\n`);
    });
  };
}
