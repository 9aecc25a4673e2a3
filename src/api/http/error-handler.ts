import type { Context, Hono, MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { methodNotAllowed } from "hono/method-not-allowed";
import { isTransientDatabaseError } from "../../../config/error-code.ts";
import { isStatementTimeout } from "../database/retry.ts";
import { nodeOf } from "./client-ip.ts";
import {
  ClientGoneError,
  clientGone,
  type Problem,
  ProblemException,
  problemResponse,
  requestIdOf,
} from "./problem.ts";

/** Responds to a request whose handler threw. Logs only errors that neither the client nor the database caused. */
export function handleError(error: Error, c: Context): Response {
  if (error instanceof ClientGoneError) return clientGone();
  if (error instanceof ProblemException) return problemResponse(c, error.problem);
  if (error instanceof HTTPException && error.status < 500) return problemResponse(c, malformed(error));
  if (isStatementTimeout(error)) {
    return problemResponse(c, {
      status: 503,
      code: "query_timeout",
      detail:
        "This took longer than a request may take and was cancelled. Nothing was changed: ask for less, such as a smaller page, or try again when the service is less busy.",
      retryAfter: 5,
    });
  }
  if (isTransientDatabaseError(error)) {
    return problemResponse(c, {
      status: 503,
      code: "database_unavailable",
      detail: "The database does not answer. Nothing was changed: try again in a few seconds.",
      retryAfter: 5,
    });
  }
  // A client that hung up while sending needs no response, and must not fill the log.
  const { incoming } = nodeOf(c);
  if (incoming?.destroyed === true && !incoming.complete) {
    return problemResponse(c, malformed(new HTTPException(400, { message: "The body ended early" })));
  }
  const id = requestIdOf(incoming);
  console.error(...(id === undefined ? [] : [`request ${id}:`]), error);
  return problemResponse(c, {
    status: 500,
    code: "internal_error",
    detail: "Something went wrong on our side. Try again; the log has the cause.",
  });
}

function malformed({ status, message }: HTTPException): Problem {
  return {
    status: status as Problem["status"],
    code: status === 400 ? "malformed_request" : "refused",
    title: "Malformed request",
    detail: `${(message || "The request can't be read").replace(/\.$/, "")}: correct it and send it again.`,
  };
}

/** Responds with 405 if the path exists, but not for this method. */
export function refuseMethod(app: Hono): MiddlewareHandler {
  return methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) => {
      c.header("Allow", methods.join(", "));
      return problemResponse(c, {
        status: 405,
        code: "method_not_allowed",
        detail: `${c.req.path} takes ${methods.join(" or ")}, not ${c.req.method}.`,
      });
    },
  });
}
