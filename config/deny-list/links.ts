/** A host in lower case, and a path without a trailing slash. An empty path stands for the whole host. */
export type LinkTarget = { host: string; path: string };

const linkPattern =
  /(?:[a-z][a-z0-9+.-]*:\/\/\S+)|(?:(?:[\p{L}\p{N}-]+\.)+[\p{L}][\p{L}\p{N}-]+(?:[/:]\S*)?)/giu;

/** Finds the links in a URL or any other text, including those without `https://`. */
export function findLinks(text: string): LinkTarget[] {
  return (text.match(linkPattern) ?? []).flatMap((link) => parseLink(link) ?? []);
}

/** Parses a link's host and path. Returns undefined if it has no host. */
export function parseLink(link: string): LinkTarget | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(link) ? link : `https://${link}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host === "" || (!host.includes(".") && !host.startsWith("["))) return undefined;
  return { host, path: pathname.toLowerCase().replace(/\/+$/, "") };
}

/** Whether a link leads to the target or below it: to a subdomain, or a longer path. */
export function isWithin(link: LinkTarget, target: LinkTarget): boolean {
  return (
    (link.host === target.host || link.host.endsWith(`.${target.host}`)) &&
    (link.path === target.path || link.path.startsWith(`${target.path}/`))
  );
}
