import { getPath } from "hono/utils/url";

/** Matches a path that needs no normalisation, with or without a query. */
const plainPath = /^(\/[\w-]+(?:\/[\w-]+)*)(?:\?|$)/;

/** Returns the path by which Hono routes a request target, such as /metrics for /x/../%6Detrics; undefined if it is invalid. */
export function requestPath(target: string | undefined): string | undefined {
  const [, path] = plainPath.exec(target ?? "") ?? [];
  if (path !== undefined) return path;
  const text = target?.startsWith("http") ? target : `http://host${target}`;
  return URL.canParse(text) ? getPath({ url: new URL(text).href } as Request) : undefined;
}
