import type { MiddlewareHandler } from "hono";

/** Our response headers that scripts on other sites may read. Ponder's CORS middleware already lets them send requests. */
export const exposedHeaders = ["ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Index-Block"].join(
  ", ",
);

/** Exposes our headers to scripts on other sites and turns MIME sniffing off, for every response. */
export const exposeHeaders: MiddlewareHandler = async (c, next) => {
  c.header("Access-Control-Expose-Headers", exposedHeaders);
  c.header("X-Content-Type-Options", "nosniff");
  await next();
};
