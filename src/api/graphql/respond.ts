import type { Context } from "hono";
import { accepts } from "hono/accepts";

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
  const type = accepts(c, { header: "Accept", supports: [...mediaTypes], default: mediaTypes[1] });
  c.header("Vary", "Accept", { append: true });
  c.header("Content-Type", `${type}; charset=utf-8`);
  return c.body(JSON.stringify(body), status ?? (refused && type === mediaTypes[0] ? 400 : 200));
}
