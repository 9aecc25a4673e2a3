import type { IncomingMessage } from "node:http";
import { isIP, isIPv4 } from "node:net";
import type { Context } from "hono";

/**
 * The address of the client. With `trustedHops` proxies before us, each of which appends the address that it saw to
 * X-Forwarded-For, it is the one that the first of them saw; what stands before that, clients can write themselves.
 */
export function clientIp(c: Context, trustedHops: number): string {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  return ipBehind(trustedHops, incoming?.socket.remoteAddress, c.req.header("X-Forwarded-For"));
}

/** {@link clientKey} of who sends a request, as {@link clientIp} has it, of Node's own request. */
export function requestKey({ socket, headers }: IncomingMessage, trustedHops: number): string {
  return clientKey(ipBehind(trustedHops, socket.remoteAddress, headers["x-forwarded-for"]?.toString()));
}

function ipBehind(hops: number, remoteAddress = "", forwarded = ""): string {
  const peer = plainAddress(remoteAddress) ?? "unknown";
  if (hops === 0) return peer;
  return plainAddress(forwarded.split(",").at(-hops) ?? "") ?? peer;
}

/**
 * What counts as one client: an IPv4 address, or an IPv6 network of 64 bits, since whoever has one address of it has
 * all of them.
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

/** The network that a {@link clientKey} belongs to: of an IPv6 one its first 48 bits, as a customer gets them at most. */
export function clientNetwork(key: string): string {
  return key.endsWith("::/64") ? `${key.split(":").slice(0, 3).join(":")}::/48` : key;
}

/** {@link clientKey} of the other end of a connection. */
export function addressKey(remoteAddress: string | undefined): string {
  return clientKey(plainAddress(remoteAddress ?? "") ?? "unknown");
}

/** Without port, brackets and zone, and an IPv4 address as such; undefined for what is no address. */
function plainAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]+)\]/.exec(trimmed)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1];
  const address = (bracketed ?? withPort ?? trimmed).replace(/%.*$/, "").toLowerCase();
  const mapped = address.replace(/^::ffff:/, "");
  if (isIPv4(mapped)) return mapped;
  return isIP(address) === 0 ? undefined : address;
}
