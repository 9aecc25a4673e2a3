import { numberToHex, pad } from "viem";
import { expect, onTestFinished, test, vi } from "vitest";
import { EndpointFault } from "../endpoint/fault.ts";
import { logOf } from "../fixtures/log-node.ts";
import type { PortalBehaviour } from "../fixtures/portal-answer.ts";
import { startPortalServer } from "../fixtures/portal-server.ts";
import { eventTopics } from "../sources/events.ts";
import type { Hex } from "../sources/log.ts";
import { createPortal } from "./portal.ts";

const contracts = Array.from({ length: 10 }, (_, index) => pad(numberToHex(index + 1), { size: 20 }));
const topics = [eventTopics.transfer, eventTopics.sync];
const head = 300;
/** Logs in every third block. */
const logs = Array.from({ length: head / 3 }, (_, index) => [
  logOf(3 * index, 0, contracts[index % 10] as Hex, topics[index % 2] as Hex),
  logOf(3 * index, 1, contracts[index % 7] as Hex, eventTopics.swap),
]).flat();
const headers = Array.from({ length: head + 1 }, (_, number) => ({
  number,
  hash: pad(numberToHex(number), { size: 32 }),
  timestamp: 1_700_000_000 + number,
}));
const whole = { from: 0, to: head };
const withoutSwaps = logs.filter(({ topics: [topic] }) => topic !== eventTopics.swap);

async function portalThat(behaviour: PortalBehaviour, requests?: number) {
  const server = await startPortalServer({ headers, logs });
  onTestFinished(() => server.stop());
  server.set(behaviour, requests);
  const lines: string[] = [];
  // No use waiting long for a portal that hangs.
  const idleMs = behaviour.hangs === "at once" ? 100 : 3_000;
  const portal = createPortal({ url: server.url, idleMs, retryMs: 50 }, (line) => lines.push(line));
  return { portal, server, lines };
}

test("logs come with their blocks' timestamps, in one request whatever the range", async () => {
  const { portal, server } = await portalThat({});
  const filter = { addresses: contracts, topics };
  expect(await portal.read(filter, whole)).toEqual({
    logs: withoutSwaps,
    last: expect.objectContaining(headers[head] && { number: head, hash: headers[head].hash }),
  });
  const swaps = await portal.read({ addresses: contracts, topics: [eventTopics.swap] }, { from: 5, to: 200 });
  expect(swaps.logs).toEqual(
    logs.filter(
      ({ blockNumber, topics: [topic] }) =>
        Number(blockNumber) >= 5 && Number(blockNumber) <= 200 && topic === eventTopics.swap,
    ),
  );
  expect(server.queries).toHaveLength(2);
});

test.each<[string, PortalBehaviour, number?]>([
  ["answers that end early", { blocksPerAnswer: 70 }],
  ["a line that is cut off", { isCut: true }, 3],
  ["silence in the middle", { hangs: "midway" }, 1],
  ["429 and Retry-After", { status: 429, retryAfter: 0 }, 2],
])("with %s, all logs are read, each once", async (_, behaviour, requests) => {
  const { portal, server } = await portalThat(behaviour, requests);
  const found = await portal.read({ addresses: contracts, topics }, whole);
  expect(found.logs).toEqual(withoutSwaps);
  expect(server.queries.length).toBeGreaterThan(1);
});

test("after a connection is cut off, the next request continues where it ended", async () => {
  const { portal, server } = await portalThat({ hangs: "midway" }, 1);
  const reading = portal.read({ addresses: contracts, topics }, whole);
  await expect.poll(() => portal.counts.receivedBytes).toBeGreaterThan(0);
  server.cutConnections();
  expect((await reading).logs).toEqual(withoutSwaps);
  expect(server.queries.map(({ fromBlock }) => fromBlock > 0)).toEqual([false, true]);
});

test.each<[string, PortalBehaviour, object]>([
  ["404", { status: 404 }, { kind: "server", message: 'HTTP 404: {"error":{"message":"told to"}}' }],
  ["503 and Retry-After", { status: 503, retryAfter: 7 }, { kind: "server", retryAfterMs: 7_000 }],
  ["429 for a long time", { status: 429, retryAfter: 40 }, { kind: "rate" }],
  ["no answer", { hangs: "at once" }, { kind: "timeout", message: "no byte in time" }],
  ["an invalid line", { garbage: "<html>" }, { kind: "wrong" }],
  ["a block out of order", { garbage: JSON.stringify({ header: headers[1] }) }, { kind: "wrong" }],
  ["a block without a hash", { garbage: '{"header":{"number":299}}' }, { kind: "wrong" }],
  ["blocks up to 200", { head: 200 }, { kind: "unfit", limit: 200 }],
])("%s is a fault", async (_, behaviour, fault) => {
  const { portal } = await portalThat(behaviour);
  await expect(portal.read({ addresses: contracts, topics }, whole)).rejects.toMatchObject(fault);
});

test("no fault repeats the URL", async () => {
  const { portal, server } = await portalThat({});
  await server.stop();
  const fault = await portal.read({ addresses: contracts, topics }, whole).catch(String);
  expect(fault).toBe("EndpointFault: connection failed: ECONNREFUSED");
});

test("more addresses than a query takes are split over several queries", async () => {
  const { portal, server } = await portalThat({});
  const others = Array.from({ length: 11_000 }, (_, index) => pad(numberToHex(index + 1_000), { size: 20 }));
  const found = await portal.read({ addresses: [...others, ...contracts], topics }, whole);
  expect(found.logs).toEqual(withoutSwaps);
  expect(server.queries).toHaveLength(3);
});

test("after a fault it is left alone for a while, with one line in the log", async () => {
  const { portal, server, lines } = await portalThat({ status: 503 }, 2);
  const read = () => portal.read({ addresses: contracts, topics }, whole);
  const faults = await Promise.all([read(), read()].map((reading) => reading.catch((fault) => fault)));
  for (const fault of faults) portal.failed(fault);
  expect([portal.isHealthy, portal.worthAsking(whole)]).toEqual([false, undefined]);
  await expect.poll(() => portal.worthAsking(whole)).toEqual(whole);
  await read();
  portal.succeeded();
  expect(portal.isHealthy).toBe(true);
  expect(lines).toEqual([
    'portal fails: HTTP 503: {"error":{"message":"told to"}}. History is read from the RPC endpoints meanwhile',
    "portal answers again",
  ]);
  expect(server.queries).toHaveLength(3);
});

test("a portal that lacks blocks is only asked for ranges that it has", async () => {
  const { portal, lines } = await portalThat({ head: 200 });
  const fault = await portal.read({ addresses: contracts, topics }, whole).catch((fault) => fault);
  portal.failed(fault);
  expect(portal.worthAsking({ from: 100, to: 201 })).toEqual({ from: 100, to: 200 });
  expect(portal.worthAsking({ from: 201, to: 300 })).toBe(undefined);
  expect(portal.isHealthy).toBe(true);
  expect(lines).toEqual(["portal has blocks up to 200: later ones are read from the RPC endpoints"]);
});

test("its last block is only reported while it is new: it would fall behind for ever once history is read", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const portal = createPortal({ url: "http://127.0.0.1:1/datasets/secret-key" }, () => {});
  expect(portal.head).toBe(undefined);
  portal.failed(new EndpointFault("unfit", "its last final block is below 300", { limit: 200 }));
  expect(portal.head).toBe(200);
  vi.advanceTimersByTime(60_000);
  expect(portal.head).toBe(undefined);
});

test("a fault counts as long as it is asked again: once history is read, it would count as failing for ever", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const url = "http://127.0.0.1:1/datasets/secret-key";
  const portal = createPortal({ url, retryMs: 30_000 }, (line) => lines.push(line));
  const fail = () => portal.failed(new EndpointFault("server", "HTTP 503"));
  fail();
  vi.advanceTimersByTime(30_001);
  expect(portal.isHealthy).toBe(false);
  fail();
  vi.advanceTimersByTime(60_001);
  expect([portal.isHealthy, lines.length]).toEqual([false, 1]);
  vi.advanceTimersByTime(600_000);
  expect(portal.isHealthy).toBe(true);
  fail();
  expect([portal.isHealthy, lines.length]).toEqual([false, 2]);
});
