import type { MiddlewareHandler } from "hono";

/** Headers of ours that scripts on other sites may read. Ponder lets them send requests. */
export const exposedHeaders = ["ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Index-Block"].join(
  ", ",
);

/** For every answer: what browsers may show to scripts, and that its type is what it says. */
export const exposeHeaders: MiddlewareHandler = async (c, next) => {
  c.header("Access-Control-Expose-Headers", exposedHeaders);
  c.header("X-Content-Type-Options", "nosniff");
  await next();
};
