import type { OpenAPIHono } from "@hono/zod-openapi";
import { except } from "hono/combine";
import type pg from "pg";
import type { Environment } from "../../config/env.ts";
import { clientPackagePaths } from "./client-package/client-package.ts";
import { graphqlPath } from "./freshness/state-paths.ts";
import { forMethods, forPaths, isInApi, readMethods } from "./http/for-methods.ts";
import { createRateLimit } from "./http/rate-limit.ts";
import { mcpPath } from "./mcp/mcp.ts";
import { textPaths } from "./texts/texts.ts";

/** How many resized images count as one read. */
const imagesPerRead = 5;

/** Limits how often a client may make each kind of request. */
export function limitRates(
  app: OpenAPIHono,
  { rateLimit, trustedProxies, isMcpOn, securityContact }: Environment,
  sharedIn: pg.Pool,
): void {
  if (rateLimit.isOn === false) return;
  const limited = createRateLimit({
    trustedHops: trustedProxies,
    sharedIn: rateLimit.isShared ? sharedIn : undefined,
  });
  const reads = limited("reads", rateLimit.reads);
  const images = limited("images", imagesPerRead * rateLimit.reads);
  const writes = limited("writes", rateLimit.writes);
  const uploads = limited("uploads", rateLimit.uploads);
  const readsButHealth = except("/api/health", reads);
  app.use(forMethods(readMethods, forPaths(isInApi, readsButHealth)));
  // Resized images are small and cached, and a client that scrolls a list needs many.
  app.use(
    "/ipfs/*",
    forMethods(readMethods, (c, next) => (c.req.query("width") === undefined ? reads : images)(c, next)),
  );
  const texts = textPaths({ isMcpOn, securityContact });
  for (const path of ["/docs/*", "/graphql/*", ...clientPackagePaths, ...texts])
    app.use(path, forMethods(readMethods, reads));
  for (const path of [graphqlPath, mcpPath]) app.use(path, forMethods(["POST"], reads));
  // The pattern also matches /sql itself.
  app.use("/sql/*", forMethods([...readMethods, "POST"], reads));
  app.use("/api/upload-image", forMethods(["POST"], uploads));
  app.use(forMethods(["POST"], forPaths(isInApi, except("/api/upload-image", writes))));
}
