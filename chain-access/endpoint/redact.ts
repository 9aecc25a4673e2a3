/** Characters. Shorter parts of a URL are not keys, and may be ordinary words. */
const minKeyLength = 8;

/** Creates a function that removes an endpoint's host, and the long parts of its URL, which may be keys, from texts. */
export function createRedact(url: string): (text: string) => string {
  const { host, hostname, username, password, pathname, searchParams } = new URL(url);
  const keys = [username, password, ...pathname.split("/"), ...searchParams.values()];
  // Longest first, since one may contain another.
  const secrets = [host, hostname, ...keys.filter(({ length }) => length >= minKeyLength)].toSorted(
    (a, b) => b.length - a.length,
  );
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
}
