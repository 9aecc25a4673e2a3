import type { MiddlewareHandler } from "hono";

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
