import { OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import { closest, distance } from "fastest-levenshtein";
import type { Context, Env, MiddlewareHandler } from "hono";
import { z } from "zod";
import { type ProblemError, problemResponse } from "./problem.ts";

/** The most invalid values that a response names. */
const maxErrors = 20;

/**
 * Creates a part of the API, whose routes validate requests by their schemas and are in the OpenAPI document. The app answers for errors:
 * with an error handler here, Hono would run every handler and middleware within one more chain of them.
 */
export function createRouter(): OpenAPIHono {
  const router = new OpenAPIHono();
  const { openapi } = router;
  router.openapi = ((route, handler) =>
    openapi(
      withKnownParameters(route),
      handler,
      refuseInvalid(route) as Parameters<typeof openapi>[2],
    )) as typeof openapi;
  return router;
}

type Validation = { target: string; success: boolean; error?: unknown };

/** Responds to a request that its route's schema does not accept, and names the invalid values. */
function refuseInvalid({ request }: RouteConfig) {
  const parameters = fieldNames(request?.query, []);
  const json = request?.body?.content["application/json"];
  const body = json !== undefined && "schema" in json ? json.schema : undefined;
  const nameUnknownField = (path: string[]) => unknownField(path, fieldNames(body, path.slice(0, -1)));
  return (result: Validation, c: Context<Env>): Response | undefined => {
    const isQuery = result.target === "query";
    // Decoding would replace what it can't read, and the request would be about another text.
    if (isQuery && !isWellEncoded(c.req.url)) {
      return respondInvalid(c, [
        { path: "", message: "has a % in its URL that is no UTF-8: encode texts as encodeURIComponent does" },
      ]);
    }
    if (result.success || !(result.error instanceof z.ZodError)) return undefined;
    const isRepeated = (name: string) => isQuery && (c.req.queries(name)?.length ?? 0) > 1;
    const nameUnknown = isQuery
      ? ([name = ""]: string[]) => unknownParameter(name, parameters)
      : nameUnknownField;
    const errors = result.error.issues
      // A list in a query is one text to the client.
      .map((issue) => (isQuery ? { ...issue, path: issue.path.slice(0, 1) } : issue))
      .flatMap((issue) => toProblemErrors(issue, isRepeated, nameUnknown))
      .slice(0, maxErrors);
    return respondInvalid(c, errors);
  };
}

function respondInvalid(c: Context, errors: ProblemError[]): Response {
  return problemResponse(c, {
    status: 400,
    code: "invalid_request",
    detail: errors.map(({ path, message }) => `${path || "the request"} ${message}`).join("; "),
    errors,
  });
}

function isWellEncoded(url: string): boolean {
  const start = url.indexOf("?");
  try {
    decodeURIComponent(start === -1 ? "" : url.slice(start));
    return true;
  } catch {
    return false;
  }
}

function toProblemErrors(
  issue: z.core.$ZodIssue,
  isRepeated: (name: string) => boolean,
  nameUnknown: (path: string[]) => ProblemError,
): ProblemError[] {
  const [name] = issue.path;
  if (typeof name === "string" && isRepeated(name)) {
    return [{ path: name, message: "is given more than once: give it once" }];
  }
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, maxErrors).map((key) => nameUnknown([...issue.path.map(String), key]));
  }
  return [{ path: issue.path.join("."), message: messageOf(issue) }];
}

/** Completes the sentence "`field` ...", also where the schema has no message of its own. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) return issue.message;
  if (issue.message.endsWith("received undefined")) return "is missing";
  return `must be ${typeNouns[issue.expected] ?? issue.expected}`;
}

/** What a value must be, by zod's name of its type. */
export const typeNouns: Partial<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/**
 * Makes a route refuse query parameters that it doesn't declare: a misspelled filter would otherwise return everything.
 * A GET route that declares none, such as the health check, still ignores its query, so that clients can bust caches with
 * one; so does a route whose query is a loose object.
 */
function withKnownParameters<Route extends RouteConfig>(route: Route): Route {
  const { query } = route.request ?? {};
  if (query instanceof z.ZodObject && query.def.catchall !== undefined) return route;
  if (query instanceof z.ZodObject) return { ...route, request: { ...route.request, query: query.strict() } };
  if (query !== undefined) throw new Error(`Invariant(router): the query of ${route.path} is not an object`);
  if (route.method === "get") return route;
  return { ...route, request: { ...route.request, query: z.strictObject({}) } };
}

/** Returns the names of the fields that a schema has at a path; of a union, those of all its options. */
function fieldNames(schema: unknown, path: string[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldNames(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.flatMap((option) => fieldNames(option, path)))];
  // The next part of the path is an index.
  if (schema instanceof z.ZodArray) return fieldNames(schema.element, path.slice(1));
  // A value is transformed after its schema, or before it, as what a preprocess returns.
  if (schema instanceof z.ZodPipe)
    return fieldNames(schema.in instanceof z.ZodTransform ? schema.out : schema.in, path);
  if (!(schema instanceof z.ZodObject)) return [];
  const [name, ...rest] = path;
  return name === undefined ? Object.keys(schema.shape) : fieldNames(schema.shape[name], rest);
}

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** The error for an unknown parameter, which suggests the known one with the most similar name. */
export function unknownParameter(name: string, names: string[]): ProblemError {
  return { path: name, message: `is not a parameter of this request: ${advice(name, names)}` };
}

/** The same for a field of a body. */
export function unknownField(path: string[], names: string[]): ProblemError {
  const message = `is not a field of this request: ${advice(path.at(-1) ?? "", names)}`;
  return { path: path.join("."), message };
}

function advice(name: string, names: string[]): string {
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  return names.length > 0 ? `it takes ${list.format(names)}` : "take it out";
}

/** Returns undefined if no name is similar: at most half of the letters may differ, no more than two, and of two not the first. */
function nearestName(name: string, names: string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");
  if (names.length === 0) return undefined;
  const plainName = plain(name);
  const nearest = closest(plainName, names.map(plain));
  const differing = distance(plainName, nearest);
  if (differing > Math.min(2, plainName.length / 2)) return undefined;
  if (differing === 2 && plainName.charAt(0) !== nearest.charAt(0)) return undefined;
  return names.find((other) => plain(other) === nearest);
}

/** Methods that only read. */
export const readMethods = ["GET", "HEAD"];

/**
 * Runs a middleware for these methods only. Register it with `use`: registered with `on`, it would count as a route for
 * these methods, and 405 responses would list them.
 */
export function forMethods(methods: string[], middleware: MiddlewareHandler): MiddlewareHandler {
  return async (c, next) => (methods.includes(c.req.method) ? await middleware(c, next) : await next());
}

/**
 * Runs a middleware for some paths only. Registered for the paths themselves, it would count as a route in Ponder's
 * metrics on each request, which costs as much as its own work.
 */
export function forPaths(has: (path: string) => boolean, middleware: MiddlewareHandler): MiddlewareHandler {
  return async (c, next) => (has(c.req.path) ? await middleware(c, next) : await next());
}

/** Whether a path belongs to the API, as the pattern "/api/*" would match it. */
export const isInApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");

/**
 * Redirects a read of `/path/` to `/path`. The Location is relative, unlike that of Hono's own middleware: behind a proxy,
 * the scheme and host that we see are not the client's.
 */
export const dropTrailingSlash: MiddlewareHandler = async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  // A Location of //host would redirect to that host.
  if (!isRead || !/^\/[^/\\].*\/$/.test(pathname)) return await next();
  let end = pathname.length;
  while (pathname[end - 1] === "/") end--;
  return c.redirect(pathname.slice(0, end) + search, 308);
};
