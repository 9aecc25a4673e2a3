/** A host in lower case, and a path without a slash at the end, which is empty for all of the host. */
export type Place = { host: string; path: string };

const linkPattern =
  /(?:[a-z][a-z0-9+.-]*:\/\/\S+)|(?:(?:[\p{L}\p{N}-]+\.)+[\p{L}][\p{L}\p{N}-]+(?:[/:]\S*)?)/giu;

/** The places that a URL or any text links to, also where they are written without `https://`. */
export function linksIn(text: string): Place[] {
  return (text.match(linkPattern) ?? []).flatMap((link) => hostAndPath(link) ?? []);
}

/** A URL's host and path; undefined for what has no host. */
export function hostAndPath(link: string): Place | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(link) ? link : `https://${link}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host === "" || (!host.includes(".") && !host.startsWith("["))) return undefined;
  return { host, path: pathname.toLowerCase().replace(/\/+$/, "") };
}

/** Whether a link leads to a place, or below it: to a subdomain, or a longer path. */
export function isBelow(link: Place, place: Place): boolean {
  return (
    (link.host === place.host || link.host.endsWith(`.${place.host}`)) &&
    (link.path === place.path || link.path.startsWith(`${place.path}/`))
  );
}
