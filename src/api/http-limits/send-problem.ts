import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { commonHeaders } from "../http/common-headers.ts";
import { type Problem, problemBody, requestIdOf } from "../http/problem.ts";
import type { Refusal } from "../http/rate-limit.ts";

/** Responds with a problem, bypassing Hono, and closes the connection unless it is to be kept. */
export function sendProblem(
  response: ServerResponse,
  problem: Problem | Refusal,
  { keepsConnection = false } = {},
): void {
  const { body, headers } = render(problem, requestIdOf(response.req));
  if (!keepsConnection) response.shouldKeepAlive = false;
  response.writeHead(problem.status, headers).end(body);
}

/** Writes a problem directly to a socket, for when there is no response object, and closes the connection. */
export function sendRawProblem(socket: Socket, problem: Problem): void {
  const { body, headers } = render(problem);
  const lines = Object.entries({ ...headers, Connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines].join("\r\n");
  // Does not wait for the client to close its side.
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
}

function render(refused: Problem | Refusal, requestId?: string) {
  const { retryAfter, headers, ...problem } = { headers: {}, ...refused };
  const body = problemBody(problem, requestId);
  return {
    body,
    headers: {
      "Content-Type": "application/problem+json",
      "Content-Length": String(Buffer.byteLength(body)),
      "Cache-Control": "no-store",
      "Access-Control-Allow-Origin": "*",
      ...commonHeaders,
      ...headers,
      ...(retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) }),
    },
  };
}
