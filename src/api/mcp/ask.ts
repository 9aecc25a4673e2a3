import type { z } from "zod";
import { graphqlPath } from "../freshness/state-paths.ts";
import { type AnsweredProblem, ToolError, toToolError } from "./tool-error.ts";

/** A contract of REST, as *.routes.ts declare it. */
type Route = {
  method: string;
  path: string;
  responses: object;
};

type JsonOf<Response> = Response extends { content: { "application/json": { schema: infer Schema } } }
  ? Schema extends z.ZodType
    ? z.input<Schema>
    : never
  : never;

/** What a route answers with when all is well. */
type AnswerOf<R extends Route> = R["responses"] extends { 200: infer Ok }
  ? JsonOf<Ok>
  : R["responses"] extends { 201: infer Created }
    ? JsonOf<Created>
    : never;

type Value = string | number | undefined;

type QueryOf<R extends Route> = R extends { request: { query: infer Query } }
  ? Query extends z.ZodType
    ? { [Name in keyof z.input<Query>]?: Value }
    : never
  : never;

type Given<Query> = {
  /** Values of the path's parameters. */
  path?: Record<string, string>;
  query?: Query;
};

/** Asks a route of REST that reads, with its limits, and throws a ToolError for an error. */
export type Ask = <R extends Route & { method: "get" }>(
  route: R,
  given?: Given<QueryOf<R>>,
) => Promise<AnswerOf<R>>;

/** The same, with the last indexed block that the answer is known to reflect; null where that isn't known. */
export type AskWithBlock = <R extends Route & { method: "get" }>(
  route: R,
  given?: Given<QueryOf<R>>,
) => Promise<{ answer: AnswerOf<R>; block: number | null }>;

/** Sends a body to a route of REST: what is no form goes as JSON. */
export type Send = <R extends Route & { method: "post" }>(
  route: R,
  body: FormData | object,
) => Promise<AnswerOf<R>>;

/** Nobody's: the requests do not leave the process. */
const origin = "http://launchpad.internal";

/** Hands a request to the routes, as if it had come over the network. */
export type Dispatch = (request: Request) => Promise<Response>;

export function createAsk(dispatch: Dispatch): Ask {
  return async (route, given) => await jsonOf(await dispatch(new Request(urlOf(route, given))));
}

export function createAskWithBlock(dispatch: Dispatch): AskWithBlock {
  return async (route, given) => {
    const response = await dispatch(new Request(urlOf(route, given)));
    // A chain, a colon and a block.
    const [, block] = response.headers.get("x-index-block")?.split(":") ?? [];
    return { answer: await jsonOf(response), block: block === undefined ? null : Number(block) };
  };
}

export function createSend(dispatch: Dispatch): Send {
  return async (route, body) => {
    const isForm = body instanceof FormData;
    const request = new Request(urlOf(route), {
      method: "POST",
      body: isForm ? body : JSON.stringify(body),
      headers: isForm ? {} : { "content-type": "application/json" },
    });
    return await jsonOf(await dispatch(request));
  };
}

export function createAskGraphql(dispatch: Dispatch) {
  return async (body: object): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", body: JSON.stringify(body), headers };
    const response = await dispatch(new Request(new URL(graphqlPath, origin), init));
    // GraphQL answers its own errors in its own form, whatever the status.
    const isOwn = response.headers.get("content-type")?.includes("problem") !== true && response.status < 500;
    return isOwn ? await response.json() : await jsonOf(response);
  };
}

/** The JSON of an answer. Throws a ToolError for one with an error. */
async function jsonOf<Answer>(response: Response): Promise<Answer> {
  if (response.ok) return (await response.json()) as Answer;
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json") === true;
  if (!isProblem) throw new ToolError("internal_error", "Something went wrong on our side: try again.");
  throw toToolError((await response.json()) as AnsweredProblem, response.headers.get("retry-after"));
}

function urlOf({ path }: Route, { path: values = {}, query = {} }: Given<object> = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const url = new URL(filled, origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}
