import { isIPv6 } from "node:net";

/** The URL at which this machine reaches a server that listens on `host`; undefined means every address. */
export function localUrl(host: string | undefined, port: number): string {
  const isEverywhere = host === undefined || host === "0.0.0.0" || host === "::";
  const name = isEverywhere ? "127.0.0.1" : isIPv6(host) ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Whether a server that listens on `host` is reachable from this machine only. */
export function isLoopback(host: string | undefined): boolean {
  return host !== undefined && (host === "localhost" || host === "::1" || host.startsWith("127."));
}

/** A warning if clients can bypass the trusted proxy at the address that the API listens on, otherwise undefined. */
export function listenWarning(host: string | undefined, trustedProxies: number): string | undefined {
  if (trustedProxies === 0 || isLoopback(host)) return undefined;
  return "TRUST_PROXY is set, and the API listens on an address that others may reach without the proxy: they can then claim any address in X-Forwarded-For and escape the limits. Set HOST=127.0.0.1 if the proxy is on this machine, or let only the proxy through to PORT";
}
