import type { Context } from "hono";
import { acceptedType } from "../http/accepted-type.ts";

/** Why a query was refused or failed, as in the error's `extensions.code`. Stable, since clients depend on it. */
export type GraphqlCode =
  | "answer_too_large"
  | "block_not_indexed"
  | "block_too_old"
  | "database_unavailable"
  | "internal_error"
  | "invalid_argument"
  | "invalid_cursor"
  | "invalid_query"
  | "malformed_request"
  | "query_too_expensive"
  | "query_too_large"
  | "query_timeout"
  | "syntax_error"
  | "unsupported_media_type";

/** The query is not executed. The message says what to do about it. */
export class QueryRefusal extends Error {
  override name = "QueryRefusal";
  readonly code: GraphqlCode;

  constructor(code: GraphqlCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function refusalBody(code: GraphqlCode, message: string) {
  return { errors: [{ message, extensions: { code } }] };
}

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
