import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { clientIp, clientKey, customerNetwork, requestKey } from "./client-ip.ts";

async function ipOf(remoteAddress: string, forwarded: string | undefined, trustedHops: number) {
  const app = new Hono().get("/", (c) => c.text(clientIp(c, trustedHops)));
  const headers: Record<string, string> = forwarded === undefined ? {} : { "X-Forwarded-For": forwarded };
  const response = await app.request("/", { headers }, { incoming: { socket: { remoteAddress } } });
  return await response.text();
}

test.each([
  ["203.0.113.9", "1.1.1.1", 0, "203.0.113.9"],
  ["::ffff:203.0.113.9", undefined, 0, "203.0.113.9"],
  ["10.0.0.1", "198.51.100.7", 1, "198.51.100.7"],
  ["10.0.0.1", "6.6.6.6, 198.51.100.7", 1, "198.51.100.7"],
  ["10.0.0.1", "6.6.6.6, 198.51.100.7, 10.0.0.2", 2, "198.51.100.7"],
  ["10.0.0.1", "198.51.100.7:4711", 1, "198.51.100.7"],
  ["10.0.0.1", "[2001:db8::1]:4711", 1, "2001:db8::1"],
  ["10.0.0.1", undefined, 1, "10.0.0.1"],
  ["10.0.0.1", "198.51.100.7", 2, "10.0.0.1"],
  ["10.0.0.1", "nonsense", 1, "10.0.0.1"],
])("from %s with X-Forwarded-For %s behind %i proxies: %s", async (socket, forwarded, hops, expected) => {
  expect(await ipOf(socket, forwarded, hops)).toBe(expected);
  const incoming = { socket: { remoteAddress: socket }, headers: { "x-forwarded-for": forwarded } };
  expect(requestKey(incoming as unknown as IncomingMessage, hops)).toBe(clientKey(expected));
});

test.each([
  ["198.51.100.7", "198.51.100.7"],
  ["2001:db8:1:2fe:3:4:5:6", "2001:db8:1:200::/56"],
  ["2001:db8:1:2::6", "2001:db8:1:0::/56"],
  ["2001:db8::6", "2001:db8:0:0::/56"],
  ["::1", "0:0:0:0::/56"],
])("%s counts as %s", (ip, key) => expect(clientKey(ip)).toBe(key));

test.each([
  ["198.51.100.7", "198.51.100.7"],
  ["2001:db8:1:2fe::6", "2001:db8:1::/48"],
  ["::1", "0:0:0::/48"],
])("%s is of the network %s", (ip, network) => expect(customerNetwork(ip)).toBe(network));
