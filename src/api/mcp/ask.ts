import type { z } from "zod";
import { graphqlPath, servesChainState } from "../freshness/ready.ts";
import { type ProblemBody, ToolError, toToolError } from "./tool.ts";

/** A REST route, as declared in *.routes.ts. */
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

/** The body of a route's successful response. */
type ResponseOf<R extends Route> = R["responses"] extends { 200: infer Ok }
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

type RequestParts<Query> = {
  /** Values of the path's parameters. */
  path?: Record<string, string>;
  query?: Query;
};

/** Requests a REST route that reads, under its rate limits. Throws a ToolError for an error response. */
export type Ask = <R extends Route & { method: "get" }>(
  route: R,
  parts?: RequestParts<QueryOf<R>>,
) => Promise<ResponseOf<R>>;

/** Runs a GraphQL query, which can't write. `chainId` is the chain whose block the call waits for and reports. */
export type AskGraphql = (body: object, query: { chainId: number | undefined }) => Promise<GraphqlAnswer>;
type GraphqlAnswer = { data?: unknown; errors?: { message: string }[] };

/** Posts a body to a REST route: a form as it is, anything else as JSON. */
export type Send = <R extends Route & { method: "post" }>(
  route: R,
  body: FormData | object,
) => Promise<ResponseOf<R>>;

/** A placeholder: these requests never leave the process. */
const origin = "http://launchpad.internal";

/** Passes a request to the routes, as if it had come over the network. */
export type Dispatch = (request: Request) => Promise<Response>;

/**
 * Lets all reads of one call wait for a block, and notes the oldest block that their answers reflect.
 *
 * @param minBlock undefined if the call needs no certain block
 */
export function trackBlock(dispatch: Dispatch, minBlock: number | undefined) {
  let oldest: number | null = null;
  return {
    /** The last indexed block that everything read so far is known to reflect; null if unknown. */
    block: () => oldest,
    async dispatch(request: Request): Promise<Response> {
      const response = await dispatch(minBlock === undefined ? request : withMinBlock(request, minBlock));
      // The header is <chain>:<block>.
      const [, block] = response.headers.get("x-index-block")?.split(":") ?? [];
      if (block !== undefined) oldest = Math.min(oldest ?? Number(block), Number(block));
      return response;
    },
  };
}

function withMinBlock(request: Request, minBlock: number): Request {
  const url = new URL(request.url);
  if (!servesChainState(url.pathname)) return request;
  url.searchParams.set("minBlock", String(minBlock));
  return new Request(url, request);
}

export function createAsk(dispatch: Dispatch): Ask {
  return async (route, parts) => await readJson(await dispatch(new Request(buildUrl(route, parts))));
}

export function createSend(dispatch: Dispatch): Send {
  return async (route, body) => {
    const isForm = body instanceof FormData;
    const request = new Request(buildUrl(route), {
      method: "POST",
      body: isForm ? body : JSON.stringify(body),
      headers: isForm ? {} : { "content-type": "application/json" },
    });
    return await readJson(await dispatch(request));
  };
}

export function createAskGraphql(dispatch: Dispatch): AskGraphql {
  return async (body, query) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", body: JSON.stringify(body), headers };
    const response = await dispatch(new Request(buildUrl({ path: graphqlPath }, { query }), init));
    // GraphQL reports its own errors in its own format, whatever the status.
    const isGraphqlResult =
      response.headers.get("content-type")?.includes("problem") !== true && response.status < 500;
    return await readJson(response, isGraphqlResult);
  };
}

/** Reads the JSON of a response. Throws a ToolError for an error response. */
async function readJson<Answer>(response: Response, isAnswer = response.ok): Promise<Answer> {
  if (isAnswer) return (await response.json()) as Answer;
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json") === true;
  if (!isProblem) throw new ToolError("internal_error", "Something went wrong on our side: try again.");
  throw toToolError((await response.json()) as ProblemBody, response.headers.get("retry-after"));
}

function buildUrl(
  { path }: Pick<Route, "path">,
  { path: values = {}, query = {} }: RequestParts<object> = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const url = new URL(filled, origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}
