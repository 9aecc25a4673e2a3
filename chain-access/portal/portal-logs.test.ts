import { pad } from "viem";
import { expect, onTestFinished, test } from "vitest";
import { startPool } from "../fixtures/endpoint-pool.ts";
import type { PortalBehaviour } from "../fixtures/portal-answer.ts";
import { startPortalServer } from "../fixtures/portal-server.ts";
import { createLogReader } from "../history/read-logs.ts";
import { findDifference } from "../history/second-opinion.ts";
import {
  addressOf,
  createNode,
  createSimulatedChain,
  type SimulatedBlock,
  trade,
} from "../live/fixtures/simulated-chain.ts";
import type { Log, Range } from "../sources/log.ts";
import { childTopics } from "../sources/sources.ts";
import { createPortal, createPortalLogs } from "./portal.ts";

const head = 60;
const token = addressOf(10);
const filter = { addresses: [token], topics: childTopics };
const chain = createSimulatedChain();
const blocks: SimulatedBlock[] = [];
for (let number = 0; number <= head; number++) {
  blocks.push(chain.mine(blocks.at(-1), number % 4 === 0 ? [trade(token), trade(token)] : []));
}
const all = blocks.flatMap(({ logs }) => logs).filter(({ address }) => address === token);
const whole = { from: 0, to: head };
const lost = all[6] as Log;
const lacksOne = (log: Log) => log.blockNumber === lost.blockNumber && log.logIndex === lost.logIndex;
const isSame = (found: readonly Log[], expected: readonly Log[] = all) =>
  found.length === expected.length && findDifference(found, expected) === undefined;

type Options = {
  behaviour?: PortalBehaviour;
  share?: number;
  retryMs?: number;
  rpcs?: ("good" | "lacking")[];
};

async function readerOf({ behaviour = {}, share = 0, retryMs = 30_000, rpcs = ["good"] }: Options) {
  const server = await startPortalServer({
    headers: blocks.map(({ header: { number, hash, timestamp } }) => ({
      number: Number(number),
      hash,
      timestamp: Number(timestamp),
    })),
    logs: blocks.flatMap(({ logs }) => logs),
  });
  onTestFinished(() => server.stop());
  server.set(behaviour);
  const behaviours = rpcs.map((kind) => {
    const tamper = (result: unknown) =>
      Array.isArray(result) ? result.filter((log: Log) => kind === "good" || !lacksOne(log)) : result;
    return createNode(chain, blocks.at(-1) as SimulatedBlock, { tamper }).behaviour;
  });
  const { servers, pool, lies } = await startPool(behaviours, head);
  const logged: string[] = [];
  const log = (line: string) => logged.push(line);
  // No use waiting long for a portal that hangs.
  const idleMs = behaviour.hangs === undefined ? 20_000 : 100;
  const portal = createPortal({ url: server.url, idleMs, retryMs }, log);
  const reader = createPortalLogs({
    portal,
    rpc: createLogReader(pool, 0),
    pool,
    logThrottled: (subject, what) => log(`${subject} ${what}`),
    share,
  });
  const methods = () => servers.flatMap(({ received }) => received.map(({ method }) => method));
  /** The first block of each range that the endpoints were asked for. */
  const begins = () =>
    servers.flatMap(({ received }) =>
      received
        .filter(({ method }) => method === "eth_getLogs")
        .map(({ params }) => Number((params as [{ fromBlock: string }])[0].fromBlock)),
    );
  /** What was logged, and which false answers were reported. */
  const lines = () => [...logged, ...lies];
  return { reader, server, portal, lines, methods, begins };
}

test("what the portal has is not requested from the endpoints, except a block that identifies its chain", async () => {
  const { reader, methods, lines } = await readerOf({});
  const ranges: Range[] = [whole, { from: 8, to: 40 }, { from: 8, to: 30 }];
  const [found] = await Promise.all(ranges.map((range) => reader.read(filter, range)));
  expect(isSame(found ?? [])).toBe(true);
  expect(methods()).toEqual(["eth_getBlockByNumber"]);
  expect(lines()).toEqual([]);
});

test.each<[string, PortalBehaviour, RegExp]>([
  ["is away", { status: 503 }, /^portal fails: HTTP 503.* History is read from the RPC endpoints meanwhile$/],
  ["is silent", { hangs: "at once" }, /^portal fails: no byte in time/],
  ["sends what is no block", { garbage: "{}" }, /^portal fails: a line that is no block/],
  [
    "is on another chain",
    { isOtherChain: true },
    /^portal fails: it is on another chain: its block 60 is 0x/,
  ],
])("while the portal %s, the endpoints are asked, and one line says so", async (_, behaviour, line) => {
  const { reader, lines, server } = await readerOf({ behaviour });
  for (let count = 0; count < 3; count++) expect(isSame(await reader.read(filter, whole))).toBe(true);
  expect(lines()).toEqual([expect.stringMatching(line)]);
  expect(server.queries).toHaveLength(1);
});

test("of a range that ends after the portal's last block, it is asked for the beginning, and the endpoints for the rest", async () => {
  const { reader, lines, server, begins } = await readerOf({ behaviour: { head: 50 } });
  for (let count = 0; count < 3; count++) expect(isSame(await reader.read(filter, whole))).toBe(true);
  expect(lines()).toEqual(["portal has blocks up to 50: later ones are read from the RPC endpoints"]);
  expect(server.queries.map(({ toBlock }) => toBlock)).toEqual([60, 50, 50, 50]);
  expect(Math.min(...begins())).toBe(51);
});

test("a portal on another chain is shown as excluded", async () => {
  const { reader, portal } = await readerOf({ behaviour: { isOtherChain: true } });
  await reader.read(filter, whole);
  expect(portal.excluded).toContain("it is on another chain");
});

test("after a fault, its chain is checked again", async () => {
  const { reader, server, portal } = await readerOf({ retryMs: 50 });
  const read = async () => expect(isSame(await reader.read(filter, whole))).toBe(true);
  await read();
  server.set({ status: 503 });
  await read();
  server.set({ isOtherChain: true });
  await expect.poll(() => portal.worthAsking(whole)).toEqual(whole);
  await read();
  expect(portal.excluded).toContain("it is on another chain");
});

test("a portal that lacks a log is outvoted by two endpoints that have it", async () => {
  const { reader, lines } = await readerOf({
    behaviour: { lacks: lacksOne },
    share: 1,
    rpcs: ["good", "good"],
  });
  expect(isSame(await reader.read(filter, whole))).toBe(true);
  const block = Number(lost.blockNumber);
  expect(lines()).toEqual([`portal: other logs of blocks ${block} to ${block} than two others`]);
});

test("an endpoint that lacks a log does not discredit the portal if another has it", async () => {
  const rpcs = ["good", "lacking"] as const;
  const { reader, portal } = await readerOf({ share: 1, rpcs: [...rpcs] });
  for (let count = 0; count < 10; count++) expect(isSame(await reader.read(filter, whole))).toBe(true);
  expect(portal.isHealthy).toBe(true);
});

test("if there is nobody to decide, the endpoint is believed, as it is without a portal", async () => {
  const { reader, lines } = await readerOf({ share: 1, rpcs: ["lacking"] });
  expect(
    isSame(
      await reader.read(filter, whole),
      all.filter((log) => !lacksOne(log)),
    ),
  ).toBe(true);
  expect(lines()).toEqual([
    `portal fails: other logs of block ${Number(lost.blockNumber)} than an RPC endpoint. History is read from the RPC endpoints meanwhile`,
  ]);
});

test("a range with inconsistent events is read from the endpoints, others from the portal", async () => {
  const { reader, server, lines } = await readerOf({ behaviour: { lacks: lacksOne } });
  expect(isSame(await reader.read(filter, whole))).toBe(false);
  reader.distrust({ from: 0, to: 30 });
  reader.distrust({ from: 0, to: 15 });
  expect(isSame(await reader.read(filter, whole))).toBe(true);
  expect(server.queries).toHaveLength(1);
  await reader.read(filter, { from: 40, to: head });
  expect(server.queries).toHaveLength(2);
  expect(lines()).toEqual([
    "portal: events of blocks 0 to 30 don't fit together. They are read from the RPC endpoints",
  ]);
});

test("an answer without logs is compared once in a while", async () => {
  const { reader, methods } = await readerOf({ behaviour: { lacks: () => true } });
  expect(isSame(await reader.read(filter, whole))).toBe(true);
  const nobody = { ...filter, addresses: [pad("0xdead", { size: 20 })] };
  const isLogs = (method: string) => method === "eth_getLogs";
  const before = methods().filter(isLogs).length;
  await reader.read(nobody, whole);
  expect(methods().filter(isLogs).length).toBeGreaterThan(before);
});
