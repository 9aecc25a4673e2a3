/** Shorter parts of a URL are no keys, and may be words of any text. */
const shortestKey = 8;

/** Takes out of texts what tells an endpoint's address, or may be its key: its host and the long parts of its URL. */
export function createRedact(url: string): (text: string) => string {
  const { host, hostname, username, password, pathname, searchParams } = new URL(url);
  const keys = [username, password, ...pathname.split("/"), ...searchParams.values()];
  // Longest first: one may contain another.
  const secrets = [host, hostname, ...keys.filter(({ length }) => length >= shortestKey)].toSorted(
    (a, b) => b.length - a.length,
  );
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
}
