/** Why a query was refused or failed, as in the error's `extensions.code`. Stable, since clients depend on it. */
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
