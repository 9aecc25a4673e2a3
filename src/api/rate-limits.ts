import type { IncomingMessage } from "node:http";
import type { MiddlewareHandler } from "hono";
import type pg from "pg";
import type { Environment } from "../../config/env.ts";
import { textPaths } from "./agent-docs/agent-docs.ts";
import { clientPackagePaths } from "./docs/client-package.ts";
import { graphqlPath } from "./freshness/ready.ts";
import { requestKey } from "./http/client-ip.ts";
import { createRateLimit, type Policy, type Refusal, Refusals } from "./http/rate-limit.ts";
import { isInApi, readMethods } from "./http/router.ts";
import { mcpPath } from "./mcp/mcp.ts";

/** How many files and pages count as one read. */
const filesPerRead = 5;
/** What load balancers and monitors ask for, as often as they like. */
const uncounted = new Set(["/api/health", "/health", "/ready", "/status"]);

export type RateLimits = {
  /** Limits how often a client may make each kind of request. */
  middleware: MiddlewareHandler;
  /** Refuses a client that the middleware has refused before, until its minute is over. */
  refuse: (request: IncomingMessage, path: string) => Refusal | undefined;
};

/** Returns undefined if requests are not limited. */
export function createRateLimits(environment: Environment, sharedIn: pg.Pool): RateLimits | undefined {
  const { rateLimit, trustedProxies: trustedHops } = environment;
  if (rateLimit.isOn === false) return undefined;
  const refusals = new Refusals();
  const limited = createRateLimit({
    trustedHops,
    refusals,
    sharedIn: rateLimit.isShared ? sharedIn : undefined,
  });
  // A file costs less than counting it in a database would.
  const limitedHere = createRateLimit({ trustedHops, refusals, sharedIn: undefined });
  const { reads, writes, uploads } = rateLimit;
  const limits: Record<Policy, MiddlewareHandler> = {
    reads: limited("reads", reads),
    files: limitedHere("files", filesPerRead * reads),
    writes: limited("writes", writes),
    uploads: limited("uploads", uploads),
  };
  const policyOf = createPolicies(environment);
  return {
    middleware: async (c, next) => {
      const policy = policyOf(c.req.method, c.req.path, () => c.req.query("width") !== undefined);
      return policy === undefined ? await next() : await limits[policy](c, next);
    },
    refuse: (request, path) => {
      const { method = "", url = "" } = request;
      const policy = policyOf(method, path, () => /[?&]width=/.test(url));
      return policy === undefined ? undefined : refusals.find(policy, requestKey(request, trustedHops));
    },
  };
}

type PolicyOf = (method: string, path: string, hasWidth: () => boolean) => Policy | undefined;

/** The returned function says which quota a request counts for; undefined if for none. */
function createPolicies({
  isMcpOn,
  securityContact,
}: Pick<Environment, "isMcpOn" | "securityContact">): PolicyOf {
  const readFiles = new Set([...clientPackagePaths, ...textPaths({ isMcpOn, securityContact })]);
  const isUnder = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

  return (method, path, hasWidth) => {
    if (readMethods.includes(method)) {
      if (uncounted.has(path)) return undefined;
      // Resized images are small and cached, and a client that scrolls a list needs many.
      if (isUnder(path, "/ipfs")) return hasWidth() ? "files" : "reads";
      const isRead =
        isInApi(path) ||
        readFiles.has(path) ||
        ["/docs", "/graphql", "/sql"].some((folder) => isUnder(path, folder));
      // The others are the explorer's pages, which read by requests of their own, and its files.
      return isRead ? "reads" : "files";
    }
    if (method === "PATCH" || method === "DELETE") return isInApi(path) ? "writes" : undefined;
    // A browser's preflights are answered from memory, for less than it takes to count them.
    if (method !== "POST") return undefined;
    if (path === graphqlPath || path === mcpPath || isUnder(path, "/sql")) return "reads";
    if (path === "/api/alerts/message") return "reads";
    if (isUnder(path, "/api/upload-image")) return "uploads";
    return isInApi(path) ? "writes" : undefined;
  };
}
