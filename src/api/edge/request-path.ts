import { getPath } from "hono/utils/url";

/** A path that is routed as it is written, with whatever query. */
const plain = /^(\/[\w-]+(?:\/[\w-]+)*)(?:\?|$)/;

/** The path by which Hono routes a request target, such as /metrics for /x/../%6Detrics; undefined for what is none. */
export function requestPath(target: string | undefined): string | undefined {
  const [, path] = plain.exec(target ?? "") ?? [];
  if (path !== undefined) return path;
  const text = target?.startsWith("http") ? target : `http://host${target}`;
  return URL.canParse(text) ? getPath({ url: new URL(text).href } as Request) : undefined;
}
