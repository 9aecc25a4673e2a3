import { isIP } from "node:net";
import { Hono, type MiddlewareHandler } from "hono";
import { parseJson } from "../../../config/parse.ts";
import type { ChainClients } from "../chain/chain-client.ts";
import type { Chains } from "../chain/chains.ts";
import { createSlots, type Slot } from "../concurrency/semaphore.ts";
import { clientIp, clientKey, onBehalfOf } from "../http/client-ip.ts";
import { limitBytes } from "../http/json-body.ts";
import { ProblemException, problemResponse } from "../http/problem.ts";
import { unknownParameter } from "../http/router.ts";
import { receivingLimits, uploadSlots } from "../images/limits.ts";
import { createChainAccess } from "./chain-access.ts";

export const mcpPath = "/mcp";

export type McpDeps = {
  chains: Chains;
  getClient: ChainClients;
  baseUrl: string;
  trustedHops: number;
  /** Whether clients can subscribe to alerts. */
  hasAlerts: boolean;
  /** The whole service, which tools request as if over the network. */
  service: () => Pick<Hono, "fetch">;
};

/** Loads the MCP SDK and the tools, which holds the event loop for some 200 ms: call it before the first request. */
export const loadMcpServer = async () => await import("./server.ts");

/** Creates the MCP server: Streamable HTTP without sessions, so that any replica can answer any request. */
export function createMcp({ chains, getClient, baseUrl, trustedHops, hasAlerts, service }: McpDeps): Hono {
  const chain = createChainAccess(chains, getClient);
  const app = new Hono();

  app.post(mcpPath, checkHost(baseUrl), limitBody(trustedHops), async (c) => {
    const unknown = Object.keys(c.req.query()).find((name) => name !== "structured");
    if (unknown !== undefined) {
      const { message } = unknownParameter(unknown, ["structured"]);
      return c.json(rpcError(-32_600, `${unknown.slice(0, 40)} in the URL ${message}`), 400);
    }
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
    const { createServer, findCallProblem, serve } = await loadMcpServer();
    const problem = findCallProblem(body, hasAlerts);
    if (problem !== undefined) return c.json({ ...rpcError(-32_602, problem), id: idOf(body) });
    const response = await serve(c.req.raw, body, () =>
      createServer({ dispatch, chain, hasAlerts, isStructured: structured === "true" }, body),
    );
    // Keeps headers set by middleware. A text is sent at once, a stream in pieces.
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    return c.newResponse(isStream ? response.body : await response.text(), response);
  });
  return app;
}

/** The id with which a message is answered. */
const idOf = (body: unknown) => {
  const id = typeof body === "object" && body !== null && "id" in body ? body.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
};

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
      detail: `The header ${wrong} names another site: use ${baseUrl}${mcpPath}, and not from a page of another site.`,
    });
  };
}

const local = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Creates checks of the Host and Origin headers against DNS rebinding, where a page points its own name to our address: such
 * a page sends its name in both. Clients outside browsers send no Origin, and a Host that is an IP address needed no DNS.
 */
export function createHostCheck(baseUrl: string) {
  const own = new URL(baseUrl).hostname;
  const isOwn = (hostname: string) => hostname === own || local.has(hostname);

  return {
    allowsHost(host: string | undefined): boolean {
      const hostname = parseHostname(`http://${host ?? ""}`);
      return hostname !== undefined && (isOwn(hostname) || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0);
    },
    allowsOrigin(origin: string | undefined): boolean {
      if (origin === undefined) return true;
      const hostname = parseHostname(origin);
      return hostname !== undefined && isOwn(hostname);
    },
  };
}

function parseHostname(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** An image of 5 MB as a data URL, and the message around it. */
const maxBytes = 7_100_000;
/** Bodies up to this size need no slot. */
const maxSmallBytes = 256 * 1_024;

/**
 * Refuses bodies that are too large. A large body, which only an image needs, is held in memory as a whole: only a few are
 * accepted at a time, and two from one client. One that stalls makes room for another, as an upload over REST does.
 */
export function limitBody(
  trustedHops: number,
  { stallMs }: Pick<typeof uploadSlots, "stallMs"> = uploadSlots,
): MiddlewareHandler {
  const small = limitBytes(
    maxSmallBytes,
    `The body may have at most ${maxSmallBytes} bytes without a Content-Length.`,
  );
  const large = limitBytes(maxBytes);
  const slots = createSlots({ max: 8, maxPerOwner: 2, stallMs, refuse: tooManyImages });

  return async (c, next) => {
    const length = Number(c.req.header("content-length") ?? 0);
    if (!(length > maxSmallBytes)) return await small(c, next);
    const revoked = new AbortController();
    const slot = slots.take(clientKey(clientIp(c, trustedHops)), () => revoked.abort(tooManyImages()));
    try {
      c.req.raw = watchBody(c.req.raw, slot, revoked.signal);
      return await large(c, next);
    } finally {
      slot.release();
    }
  };
}

const tooManyImages = () =>
  new ProblemException({
    status: 503,
    code: "busy",
    detail: "Too many images are being uploaded: try again in a few seconds.",
    retryAfter: 5,
  });

/** Lets a slot know of a body's progress. Its reader gets the signal's reason once that is aborted. */
function watchBody(request: Request, slot: Slot, signal: AbortSignal): Request {
  let sinceProgress = 0;
  const body = request.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        sinceProgress += chunk.length;
        if (sinceProgress < receivingLimits.windowBytes) return;
        sinceProgress = 0;
        slot.touch();
      },
      // From here on it waits for us.
      flush: slot.protect,
    }),
    { signal },
  );
  return body == null ? request : new Request(request, { body, duplex: "half" });
}
