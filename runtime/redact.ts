import type { Environment } from "../config/env.ts";

/** Takes the secrets of the settings out of a line of log. */
export function settingsRedactor(
  { chains, images: { pinata, kubo } }: Pick<Environment, "chains" | "images">,
  ...databaseUrls: (string | undefined)[]
): (line: string) => string {
  const urls = [...chains.flatMap(({ rpcUrls }) => rpcUrls), ...databaseUrls, kubo?.url];
  return redactor(
    urls.filter((url) => url !== undefined),
    [pinata?.jwt, kubo?.token].filter((token) => token !== undefined),
  );
}

/**
 * Takes secrets out of a line of log: tokens, and of URLs the keys in path and query, names and passwords. The host stays,
 * since it tells which endpoint a line is about.
 */
export function redactor(urls: string[], tokens: string[] = []): (line: string) => string {
  const secrets = [...urls.flatMap(secretsOf), ...tokens].sort((left, right) => right.length - left.length);
  return (line) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, "/…"), line);
}

function secretsOf(text: string): string[] {
  const url = new URL(text);
  const wholes = [`${url.pathname}${url.search}`, url.search, decodeURIComponent(url.password), url.password];
  // An endpoint may name in an error the key alone that it was given. A short part is a version, or a word.
  const parts = [...url.pathname.split("/"), ...url.searchParams.values()];
  return [
    // A short one ("/", "/v2") is no secret, and would be found in other words.
    ...wholes.filter((secret) => secret.length >= 6),
    ...parts.filter((part) => part.length >= 16),
  ];
}
