import type { TypedResponse } from "hono";
import type { JSONParsed } from "hono/utils/types";

/** A response with the JSON of a `Body`, as a route's contract asks for it. */
export type JsonResponse<Body> = Response & TypedResponse<JSONParsed<Body>, 200, "json">;

/**
 * Types a response by the value that was serialized into it. This is the only cast between handlers and contracts: use it
 * only in a helper that takes a `Body`, or its entries, and serializes it itself. Handlers return `c.json` or use such a helper.
 */
export function typedResponse<Body>(response: Response): JsonResponse<Body> {
  return response as JsonResponse<Body>;
}
