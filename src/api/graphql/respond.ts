import type { Context } from "hono";
import { acceptedType } from "../http/accepted-type.ts";

const mediaTypes = ["application/graphql-response+json", "application/json"] as const;

/**
 * Responds as specified by GraphQL over HTTP: a refused query gets status 400 for clients that accept
 * `application/graphql-response+json`, and 200 for all others, since in `application/json` a 400 may also come from an intermediary.
 *
 * @param status for a request without a readable query: the same for all clients
 */
export function respond(
  c: Context,
  body: object,
  { refused = false, status }: { refused?: boolean; status?: 400 | 415 } = {},
) {
  const type = acceptedType(c, mediaTypes, "application/json");
  c.header("Content-Type", `${type}; charset=utf-8`);
  return c.body(JSON.stringify(body), status ?? (refused && type === mediaTypes[0] ? 400 : 200));
}
