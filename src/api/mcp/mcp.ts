import { Hono, type MiddlewareHandler } from "hono";
import type { ChainClients } from "../chain/chain-client.ts";
import type { Chains } from "../chain/chains.ts";
import { onBehalfOf } from "../http/client-ip.ts";
import { problemResponse } from "../http/problem.ts";
import { createHostCheck } from "./allowed-hosts.ts";
import { limitBody } from "./body-limit.ts";
import { createChainAccess } from "./chain-access.ts";

export const mcpPath = "/mcp";

export type McpDeps = {
  chains: Chains;
  getClient: ChainClients;
  baseUrl: string;
  trustedHops: number;
  /** The whole service, which tools request as if over the network. */
  service: () => Pick<Hono, "fetch">;
};

/** Creates the MCP server: Streamable HTTP without sessions, so that any replica can answer any request. */
export function createMcp({ chains, getClient, baseUrl, trustedHops, service }: McpDeps): Hono {
  const chain = createChainAccess(chains, getClient);
  const app = new Hono();

  app.post(mcpPath, checkHost(baseUrl), limitBody(trustedHops), async (c) => {
    const [structured = "false", ...others] = c.req.queries("structured") ?? [];
    if ((structured !== "true" && structured !== "false") || others.length > 0) {
      return c.json(rpcError(-32_600, "structured in the URL must be true or false, once"), 400);
    }
    const body = parseJson(await c.req.text());
    if (body === undefined) return c.json(rpcError(-32_700, "Parse error: send JSON"), 400);
    // The protocol has dropped batches, and one rate-limited request must not make a hundred calls.
    if (Array.isArray(body)) return c.json(rpcError(-32_600, "Send one message at a time, not a batch"), 400);
    // Rate limits and queues apply as over REST.
    const dispatch = async (request: Request) => await service().fetch(onBehalfOf(c, request), c.env);
    // The MCP SDK is loaded on the first request.
    const [{ serve }, { createServer }] = await Promise.all([import("./serve.ts"), import("./server.ts")]);
    const response = await serve(c.req.raw, body, () =>
      createServer({ dispatch, chain, isStructured: structured === "true" }, body),
    );
    // Keeps headers set by middleware. A text is sent at once, a stream in pieces.
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    return c.newResponse(isStream ? response.body : await response.text(), response);
  });
  return app;
}

/** Returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const rpcError = (code: number, message: string) => ({ jsonrpc: "2.0", error: { code, message }, id: null });

function checkHost(baseUrl: string): MiddlewareHandler {
  const { allowsHost, allowsOrigin } = createHostCheck(baseUrl);
  return async (c, next) => {
    const wrong = !allowsHost(c.req.header("host"))
      ? "Host"
      : allowsOrigin(c.req.header("origin"))
        ? undefined
        : "Origin";
    if (wrong === undefined) return await next();
    return problemResponse(c, {
      status: 403,
      code: "refused",
      title: "Refused",
      detail: `The header ${wrong} names another site: use ${baseUrl}${mcpPath}, and not from a page of another site.`,
    });
  };
}
