import type { MiddlewareHandler } from "hono";

/**
 * Redirects a read of `/path/` to `/path`. The Location is relative: behind a proxy, the scheme and the host that we see are not
 * those of the client. Hono's own middleware sends them.
 */
export const dropTrailingSlash: MiddlewareHandler = async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  // A Location of //host would lead to that host.
  if (!isRead || !/^\/[^/\\].*\/$/.test(pathname)) return await next();
  let end = pathname.length;
  while (pathname[end - 1] === "/") end--;
  return c.redirect(pathname.slice(0, end) + search, 308);
};
