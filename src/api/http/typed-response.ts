import type { TypedResponse } from "hono";
import type { JSONParsed } from "hono/utils/types";

/** A 200 response whose JSON is a `Body`, as a route's contract requires it. */
export type JsonResponse<Body> = Response & TypedResponse<JSONParsed<Body>, 200, "json">;

/**
 * Types a response by the value that was serialized into it. This is the only cast between handlers and contracts: use it
 * only in a helper that serializes a `Body`, or its entries, itself. Handlers return `c.json` or use such a helper.
 */
export function typedResponse<Body>(response: Response): JsonResponse<Body> {
  return response as JsonResponse<Body>;
}
