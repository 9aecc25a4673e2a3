import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Ids that proxies and tracing make: a UUID, hexadecimal, base64 or with separators. Nothing that could forge a line of a log. */
const saneId = /^[\w.:+/=-]{1,128}$/;

const ids = new WeakMap<IncomingMessage, string>();

/** Gives the request an id: that of its `X-Request-Id` header if it is sane, else a new one. */
export function assignRequestId(request: IncomingMessage): string {
  const sent = request.headers["x-request-id"];
  const id = typeof sent === "string" && saneId.test(sent) ? sent : randomUUID();
  ids.set(request, id);
  return id;
}

/** The request's id; undefined if requests get none because they are not logged. */
export const requestIdOf = (request: IncomingMessage | undefined): string | undefined =>
  request && ids.get(request);
