/** Why a query is refused or failed, in `extensions.code` of the error. Stable: clients switch on them. */
export type GraphqlCode =
  | "answer_too_large"
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

/** A query that is not run, and what to do about it. */
export class QueryRefusal extends Error {
  override name = "QueryRefusal";
  readonly code: GraphqlCode;

  constructor(code: GraphqlCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The answer in GraphQL's error shape. */
export function refusalBody(code: GraphqlCode, message: string) {
  return { errors: [{ message, extensions: { code } }] };
}
