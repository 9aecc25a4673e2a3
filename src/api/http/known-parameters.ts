import type { RouteConfig } from "@hono/zod-openapi";
import { closest, distance } from "fastest-levenshtein";
import { z } from "zod";
import type { ProblemError } from "./problem.ts";

/**
 * Makes a route refuse query parameters that it doesn't declare: a misspelled filter would otherwise return everything.
 * A GET route that declares none, such as the health check, still ignores its query, so that clients can bust caches with
 * one; so does a route whose query is a loose object.
 */
export function withKnownParameters<Route extends RouteConfig>(route: Route): Route {
  const { query } = route.request ?? {};
  if (query instanceof z.ZodObject && query.def.catchall !== undefined) return route;
  if (query instanceof z.ZodObject) return { ...route, request: { ...route.request, query: query.strict() } };
  if (query !== undefined) throw new Error(`Invariant(router): the query of ${route.path} is not an object`);
  if (route.method === "get") return route;
  return { ...route, request: { ...route.request, query: z.strictObject({}) } };
}

/** The names of the parameters that the query of a route may have. */
export function parameterNames({ request }: RouteConfig): string[] {
  return request?.query instanceof z.ZodObject ? Object.keys(request.query.shape) : [];
}

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** The error for an unknown parameter, which suggests the known one with the most similar name. */
export function unknownParameter(name: string, known: string[]): ProblemError {
  const nearest = nearestName(name, known);
  const advice =
    nearest !== undefined
      ? `did you mean ${nearest}?`
      : known.length > 0
        ? `it takes ${list.format(known)}`
        : "take it out";
  return { path: name, message: `is not a parameter of this request: ${advice}` };
}

/** Returns undefined if no name is similar: at most half of the letters may differ, and no more than two. */
function nearestName(name: string, known: string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");
  if (known.length === 0) return undefined;
  const given = plain(name);
  const nearest = closest(given, known.map(plain));
  if (distance(given, nearest) > Math.min(2, given.length / 2)) return undefined;
  return known.find((other) => plain(other) === nearest);
}
