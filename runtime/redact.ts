import type { Environment } from "../config/env.ts";

/** Creates a function that removes the secrets in the settings from a log line. */
export function settingsRedactor(
  { chains, images: { pinata, kubo, s3 } }: Pick<Environment, "chains" | "images">,
  ...databaseUrls: (string | undefined)[]
): (line: string) => string {
  const ofChains = chains.flatMap(({ rpcUrls, webSocketUrls, historySource }) => [
    ...rpcUrls,
    ...webSocketUrls,
    historySource,
  ]);
  const urls = [...ofChains, ...databaseUrls, kubo?.url];
  return redactor(
    urls.filter((url) => url !== undefined),
    [pinata?.jwt, kubo?.token, s3?.accessKeyId, s3?.secretAccessKey].filter((token) => token !== undefined),
  );
}

/**
 * Creates a function that removes secrets from a log line: tokens, and the user names, passwords, and keys in the paths and
 * queries of URLs. Hosts stay, to show which endpoint a line is about.
 */
export function redactor(urls: string[], tokens: string[] = []): (line: string) => string {
  const secrets = [...urls.flatMap(secretsOf), ...tokens].sort((left, right) => right.length - left.length);
  return (line) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, "/…"), line);
}

function secretsOf(text: string): string[] {
  const url = new URL(text);
  // The path of a database's URL is its name, a word that other lines have too.
  const pathname = url.protocol.startsWith("postgres") ? "" : url.pathname;
  const wholes = [
    `${pathname}${url.search}`,
    url.search,
    decodeURIComponent(url.password),
    url.password,
    url.searchParams.get("password") ?? "",
  ];
  // An endpoint may quote only the key in an error. A short segment is a version or a word, not a key.
  const parts = [...pathname.split("/"), ...url.searchParams.values()];
  return [
    // A short one ("/", "/v2") is no secret, and would match inside other words.
    ...wholes.filter((secret) => secret.length >= 6),
    ...parts.filter((part) => part.length >= 16),
  ];
}
