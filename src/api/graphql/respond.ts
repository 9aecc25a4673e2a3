import type { Context } from "hono";
import { accepts } from "hono/accepts";

const mediaTypes = ["application/graphql-response+json", "application/json"] as const;

/**
 * Responds with a GraphQL answer, as GraphQL over HTTP has it: a query that was refused has status 400 for those who ask for
 * `application/graphql-response+json`, and 200 for all others, since intermediaries may answer 400 too in `application/json`.
 *
 * @param status of an answer that no query was found for: the same for everyone
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
