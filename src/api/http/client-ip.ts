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
 * Returns what counts as one client: an IPv4 address, or an IPv6 /56 network, which most providers give a household. A phone has a
 * /64 of its own, but one that counted by itself would give a household 256 shares.
 */
export function clientKey(ip: string): string {
  return ip.includes(":") ? ipv6Network(ip, 56) : ip;
}

/** The largest network that one customer gets: for IPv6 a /48, for IPv4 the address. */
export function customerNetwork(ip: string): string {
  return ip.includes(":") ? ipv6Network(ip, 48) : ip;
}

function ipv6Network(ip: string, bits: 48 | 56): string {
  const [head = "", tail = ""] = ip.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === "" ? [] : tail.split(":");
  const zeros = ip.includes("::") ? new Array(Math.max(0, 8 - first.length - last.length)).fill("0") : [];
  const [a = 0, b = 0, c = 0, d = 0] = [...first, ...zeros, ...last].map((group) =>
    Number.parseInt(group, 16),
  );
  const groups = bits === 48 ? [a, b, c] : [a, b, c, d & 0xff00];
  return `${groups.map((group) => group.toString(16)).join(":")}::/${bits}`;
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
