import { Hono, type MiddlewareHandler } from "hono";
import type { ChainClients } from "../chain/chain-client.ts";
import type { Chains } from "../chain/chains.ts";
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
  /** The whole service: tools ask it as if they came over the network. */
  service: () => Pick<Hono, "fetch">;
};

/** The MCP server: Streamable HTTP without sessions, so that any replica answers any request. */
export function createMcp({ chains, getClient, baseUrl, trustedHops, service }: McpDeps): Hono {
  const chain = createChainAccess(chains, getClient);
  const app = new Hono();

  app.post(mcpPath, checkHost(baseUrl), limitBody(trustedHops), async (c) => {
    const forwarded = c.req.header("x-forwarded-for");
    const body = parsed(await c.req.text());
    if (body === undefined) return c.json(errorOf(-32_700, "Parse error: send JSON"), 400);
    // No revision has them any more. One request must not count as one and ask for a hundred.
    if (Array.isArray(body)) return c.json(errorOf(-32_600, "Send one message at a time, no batch"), 400);
    const dispatch = async (request: Request) => {
      // Who asks is who asked us: limits and turns count as over REST.
      if (forwarded !== undefined) request.headers.set("x-forwarded-for", forwarded);
      return await service().fetch(request, c.env);
    };
    // The protocol's library is loaded with the first request.
    const [{ serve }, { createServer }] = await Promise.all([import("./serve.ts"), import("./server.ts")]);
    const response = await serve(c.req.raw, body, () => createServer(dispatch, chain, body));
    // With the headers that were set before. A text goes out at once, a stream in pieces.
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    return c.newResponse(isStream ? response.body : await response.text(), response);
  });
  return app;
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const errorOf = (code: number, message: string) => ({ jsonrpc: "2.0", error: { code, message }, id: null });

function checkHost(baseUrl: string): MiddlewareHandler {
  const { takesHost, takesOrigin } = createHostCheck(baseUrl);
  return async (c, next) => {
    const wrong = !takesHost(c.req.header("host"))
      ? "Host"
      : takesOrigin(c.req.header("origin"))
        ? undefined
        : "Origin";
    if (wrong === undefined) return await next();
    return problemResponse(c, {
      status: 403,
      code: "refused",
      title: "Refused",
      detail: `The header ${wrong} names another site: ask at ${baseUrl}${mcpPath}, and not from a page of another site.`,
    });
  };
}
