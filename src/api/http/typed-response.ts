import type { TypedResponse } from "hono";
import type { JSONParsed } from "hono/utils/types";

/** A response with the JSON of a `Body`, as a route's contract asks for it. */
export type JsonResponse<Body> = Response & TypedResponse<JSONParsed<Body>, 200, "json">;

/**
 * Types a response by what its JSON was made of. The one cast between handlers and contracts: only for helpers that take
 * a `Body`, or what it is made of, and write its JSON themselves. Handlers return `c.json`, or what such a helper returns.
 */
export function typedResponse<Body>(response: Response): JsonResponse<Body> {
  return response as JsonResponse<Body>;
}
