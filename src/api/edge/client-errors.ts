import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Problem } from "../http/problem.ts";
import type { Connections } from "./connections.ts";
import { sendRawProblem } from "./send-problem.ts";

/** Responds with a problem, as everywhere else, to requests that Node's HTTP parser refuses. */
export function answerClientErrors(server: Server, connections: Connections): void {
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const [current, ...others] = connections.of(socket)?.unanswered ?? [];
    // Never in the middle of a response, nor in place of one that an earlier request is waiting for.
    const canAnswer = others.length === 0 && current?.headersSent !== true;
    if (error.code === "ECONNRESET" || !socket.writable || !canAnswer) socket.destroy();
    else sendRawProblem(socket, toProblem(error.code));
  });
}

function toProblem(code: string | undefined): Problem {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return requestTimeout("request");
  if (code === "HPE_HEADER_OVERFLOW") {
    return {
      status: 431,
      code: "headers_too_large",
      title: "Headers too large",
      detail: "A request's URL and headers may have 16,384 bytes in total: send less.",
    };
  }
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") {
    return {
      status: 413,
      code: "body_too_large",
      title: "Body too large",
      detail: "The body's chunk extensions have more than 16,384 bytes: leave them out.",
    };
  }
  return {
    status: 400,
    code: "malformed_request",
    title: "Malformed request",
    detail: "This is not an HTTP/1.1 request: correct it and send it again.",
  };
}

export function requestTimeout(part: "request" | "body"): Problem {
  return {
    status: 408,
    code: "request_timeout",
    title: "Request timeout",
    detail: `The ${part} arrived too slowly, and nothing was done: send it again over a faster connection.`,
  };
}
