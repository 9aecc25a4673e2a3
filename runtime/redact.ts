/**
 * Takes the secrets of URLs out of a line of log: keys in the path or the query, names and passwords. The host
 * stays, since it tells which endpoint a line is about.
 */
export function redactor(urls: string[]): (line: string) => string {
  const secrets = urls
    .flatMap((text) => {
      const url = new URL(text);
      const path = `${url.pathname}${url.search}`;
      const password = decodeURIComponent(url.password);
      return [path, url.search, ...(password === "" ? [] : [password, url.password])];
    })
    // A short one ("/", "/v2") is no secret, and would be found in other words.
    .filter((secret) => secret.length >= 6)
    .sort((left, right) => right.length - left.length);
  return (line) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, "/…"), line);
}
