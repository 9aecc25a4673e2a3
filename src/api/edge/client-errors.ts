import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Problem } from "../http/problem.ts";
import type { Connections } from "./connections.ts";
import { sendRawProblem } from "./send-problem.ts";

/** Answers what Node refuses before there is a request with a problem, like everything else. */
export function answerClientErrors(server: Server, connections: Connections): void {
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const [current, ...others] = connections.of(socket)?.unanswered ?? [];
    // Never into the middle of an answer, nor in place of one that an earlier request waits for.
    const canAnswer = others.length === 0 && current?.headersSent !== true;
    if (error.code === "ECONNRESET" || !socket.writable || !canAnswer) socket.destroy();
    else sendRawProblem(socket, problemOf(error.code));
  });
}

function problemOf(code: string | undefined): Problem {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return slowRequest("request");
  if (code === "HPE_HEADER_OVERFLOW") {
    return {
      status: 431,
      code: "headers_too_large",
      title: "Headers too large",
      detail: "The address and the headers of a request may have 16,384 bytes together: send less.",
    };
  }
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") {
    return {
      status: 413,
      code: "body_too_large",
      title: "Body too large",
      detail: "The chunks of the body have extensions of more than 16,384 bytes: leave them out.",
    };
  }
  return {
    status: 400,
    code: "malformed_request",
    title: "Malformed request",
    detail: "This is not an HTTP/1.1 request: correct it and send it again.",
  };
}

/** The answer to a request that comes too slowly. */
export function slowRequest(part: "request" | "body"): Problem {
  return {
    status: 408,
    code: "request_timeout",
    title: "Request timeout",
    detail: `The ${part} came too slowly, and nothing was done: send it again, over a faster connection.`,
  };
}
