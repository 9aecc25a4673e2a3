import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP, isIPv4 } from "node:net";
import type { Context } from "hono";

/** Node's request and response behind a request, which has none if it doesn't come from a server. */
export const nodeOf = (c: Context): { incoming?: IncomingMessage; outgoing?: ServerResponse } => c.env ?? {};

/**
 * Returns the client's IP address. Each of the `trustedHops` proxies in front of us appends the address it saw to
 * X-Forwarded-For, so the client is the one that the first of them saw. Anything before that entry is client-supplied.
 */
export function clientIp(c: Context, trustedHops: number): string {
  const { incoming } = nodeOf(c);
  return ipBehindProxies(trustedHops, incoming?.socket.remoteAddress, c.req.header("X-Forwarded-For"));
}

/** Returns the {@link clientKey} of a Node request's client, found as in {@link clientIp}. */
export function requestKey({ socket, headers }: IncomingMessage, trustedHops: number): string {
  return clientKey(
    ipBehindProxies(trustedHops, socket.remoteAddress, headers["x-forwarded-for"]?.toString()),
  );
}

/** Makes a request of ours to the service itself count for the client whose request `c` is. Returns that request. */
export function onBehalfOf(c: Context, request: Request): Request {
  const forwarded = c.req.header("X-Forwarded-For");
  if (forwarded !== undefined) request.headers.set("X-Forwarded-For", forwarded);
  return request;
}

function ipBehindProxies(hops: number, remoteAddress = "", forwarded = ""): string {
  const peer = parseIp(remoteAddress) ?? "unknown";
  if (hops === 0) return peer;
  return parseIp(forwarded.split(",").at(-hops) ?? "") ?? peer;
}

/**
 * Returns what counts as one client: an IPv4 address, or an IPv6 /64 network, since a client that has one of its
 * addresses has all of them.
 */
export function clientKey(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail = ""] = ip.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === "" ? [] : tail.split(":");
  const zeros = ip.includes("::") ? new Array(Math.max(0, 8 - first.length - last.length)).fill("0") : [];
  const groups = [...first, ...zeros, ...last].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/** The network that a {@link clientKey} belongs to: for IPv6 its /48, the most that one customer gets; for IPv4 the address. */
export function clientNetwork(key: string): string {
  return key.endsWith("::/64") ? `${key.split(":").slice(0, 3).join(":")}::/48` : key;
}

/** Returns the {@link clientKey} of a connection's remote address. */
export function addressKey(remoteAddress: string | undefined): string {
  return clientKey(parseIp(remoteAddress ?? "") ?? "unknown");
}

/** Strips port, brackets and zone, and unwraps IPv4-mapped IPv6. Returns undefined if the text is not an IP address. */
function parseIp(text: string): string | undefined {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]+)\]/.exec(trimmed)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1];
  const address = (bracketed ?? withPort ?? trimmed).replace(/%.*$/, "").toLowerCase();
  const mapped = address.replace(/^::ffff:/, "");
  if (isIPv4(mapped)) return mapped;
  return isIP(address) === 0 ? undefined : address;
}
