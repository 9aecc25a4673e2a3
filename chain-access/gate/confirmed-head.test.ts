import { pad } from "viem";
import { expect, test } from "vitest";
import { createEndpoint } from "../endpoint/endpoint.ts";
import { answering, failing, startEndpointServer } from "../fixtures/endpoint-server.ts";
import { numberToHex } from "../hex.ts";
import { createHeads } from "../live/heads.ts";
import { readFinalized, readHeads, waitForHead } from "./confirmed-head.ts";
import { reportFalseHeads, statusOf } from "./endpoint-status.ts";

type Reported = { reported: number; real: number; finalized?: number; secondsOld?: number };

const headerOf = (number: number) => ({
  number: numberToHex(number),
  hash: pad(numberToHex(number)),
  parentHash: pad("0x1"),
  timestamp: "0x1",
  logsBloom: `0x${"00".repeat(256)}`,
});

/** Starts a server that reports a head and perhaps a final block, and has the blocks up to another one. */
const serve = (node: Reported) => {
  const time = () => Math.floor(Date.now() / 1_000) - (node.secondsOld ?? 0);
  return startEndpointServer(
    answering(({ method, params }) => {
      if (method === "eth_blockNumber") return numberToHex(node.reported);
      if (params[0] === "finalized") return node.finalized === undefined ? null : headerOf(node.finalized);
      const number = Number(params[0]);
      return number <= node.real ? { ...headerOf(number), timestamp: numberToHex(time()) } : null;
    }),
  );
};

const endpointOf = async (node: Reported, name: string) =>
  createEndpoint({ url: (await serve(node)).url, name });

const endpointsOf = async (...heads: Reported[]) =>
  await Promise.all(heads.map((node, index) => endpointOf(node, `#${index + 1}`)));

const honest = (head: number) => ({ reported: head, real: head });
const stuck = (head: number) => ({ ...honest(head), secondsOld: 3_600 });
const lying = { reported: 1_000_000, real: 500 };
/** Has any block that it is asked for. */
const inventing = honest(1_000_000);

test.each([
  ["one endpoint counts by itself", [honest(500)], 500],
  ["of two that are close, the second counts", [honest(500), honest(498)], 498],
  ["of two, one that is stuck doesn't hold the other back", [honest(500), honest(300)], 500],
  ["of two, a head that isn't there doesn't count", [lying, honest(498)], 498],
  ["of three, the second highest counts", [lying, honest(500), honest(300)], 500],
  ["of three, two that are stuck don't hold the third back", [honest(500), stuck(300), stuck(299)], 500],
  ["but not if the head of the third isn't there", [lying, stuck(300), stuck(299)], 299],
  [
    "one that invents blocks far ahead of two others doesn't count",
    [inventing, honest(500), honest(498)],
    500,
  ],
  ["of four, two that are stuck beside a false head", [lying, honest(500), stuck(300), stuck(299)], 500],
])("%s", async (_, heads, expected) => {
  expect(await readHeads(await endpointsOf(...heads))).toBe(expected);
});

const startBlock = 400;

test.each([
  ["one that has it counts, though most others don't", [honest(0), honest(500), honest(0)], 500],
  ["but not if it only claims to", [honest(0), lying, honest(0)], undefined],
  ["none has it", [honest(0), honest(399)], undefined],
])("of endpoints that haven't reached the start block: %s", async (_, heads, expected) => {
  expect(await readHeads(await endpointsOf(...heads), { startBlock })).toBe(expected);
});

test("the only one that has the start block counts, also if it takes few requests a second", async () => {
  const [slow, syncing] = [await endpointOf(honest(500), "slow"), await endpointOf(honest(300), "syncing")];
  slow.head = 500;
  slow.reserve(1_000);
  expect(slow.waitFor(1)).toBeGreaterThan(1_000);
  expect(await readHeads([slow, syncing], { startBlock: 400 })).toBe(500);
});

test("of an endpoint that answers with another block than its head, the head doesn't count", async () => {
  const { url } = await startEndpointServer(
    answering(({ method }) => (method === "eth_blockNumber" ? numberToHex(1_000_000) : headerOf(7))),
  );
  const liar = createEndpoint({ url, name: "liar" });
  expect(await readHeads([liar, await endpointOf(honest(500), "honest")])).toBe(500);
  expect(liar.hasFalseHead).toBe(true);
});

test("a chain's only endpoint is waited for until it has the start block", async () => {
  let head = 0;
  const { url } = await startEndpointServer(answering(() => numberToHex(head)));
  const lows: number[] = [];
  const onSyncing = (low: number) => {
    lows.push(low);
    head = 500;
  };
  expect(await waitForHead([createEndpoint({ url, name: "#1" })], onSyncing, { startBlock })).toBe(500);
  expect(lows).toEqual([0]);
});

test("a head that isn't there is reported once, by the host and without a key, and so is its end", async () => {
  const [node, behind] = [{ ...lying }, honest(300)];
  const [{ url }, other] = [await serve(node), await endpointOf(behind, "#2")];
  const key = "0123456789abcdef0123456789abcdef";
  const named = url.replace("127.0.0.1", "localhost").replace(/key$/, key);
  const endpoints = [createEndpoint({ url: named, name: "#1" }), other];
  const lines: string[] = [];
  const onHeadChecked = reportFalseHeads(56, (line) => lines.push(line));
  const read = () => readHeads(endpoints, { onHeadChecked });
  for (let count = 0; count < 3; count++) expect(await read()).toBe(300);
  const { host } = new URL(named);
  expect(lines).toEqual([
    `#1 (${host}) says that it is at block 1000000, and doesn't have that block: it is not believed. If it is still syncing, this ends by itself; otherwise take it out of PONDER_RPC_URL_56`,
  ]);
  node.real = node.reported;
  expect(await read()).toBe(1_000_000);
  expect(lines.slice(1)).toEqual([`#1 (${host}) has the block that it says it is at`]);
});

test("how far an endpoint lags is not counted from a head that isn't there", async () => {
  const endpoints = await endpointsOf(lying, stuck(498), stuck(400));
  await readHeads(endpoints);
  expect(statusOf(endpoints).map(({ head, lagBlocks }) => [head, lagBlocks])).toEqual([
    [1_000_000, null],
    [498, 0],
    [400, 98],
  ]);
});

test.each([
  ["a number that is no text", 500, "a head that is no number", "a block that lacks something"],
  ["a header with one", { number: 500 }, "a head that is no number", "a block that lacks something"],
  ["null", null, "a head that is no number", "no latest block"],
])("an endpoint whose head is %s counts as failing, and says why", async (_, answer, ofNumber, ofHeader) => {
  const { url } = await startEndpointServer(answering(() => answer));
  const [before, following] = [createEndpoint({ url, name: "#1" }), createEndpoint({ url, name: "#2" })];
  expect(await readHeads([before])).toBeUndefined();
  await createHeads([following]).refresh();
  expect([before, following].map(({ isHealthy, lastFault }) => [isHealthy, lastFault])).toEqual([
    [false, ofNumber],
    [false, ofHeader],
  ]);
});

const at500 = (finalized?: number): Reported => ({ reported: 500, real: 500, finalized });

test.each<[string, Reported[], number | undefined]>([
  ["one endpoint counts by itself", [at500(498)], 498],
  ["of several, the second highest counts", [at500(498), at500(497), at500(300)], 497],
  ["one alone doesn't, if others don't say", [at500(498), at500()], undefined],
  ["hours ago doesn't count", [at500(300), at500(300)], undefined],
  ["nor does the head itself", [at500(500)], undefined],
  ["without the tag, there is none", [at500(), at500()], undefined],
])("of what the chain calls final: %s", async (_, heads, expected) => {
  const endpoints = await endpointsOf(...heads);
  expect((await readFinalized(endpoints))?.number).toBe(expected);
  expect(endpoints.every(({ isHealthy }) => isHealthy)).toBe(true);
});

test("an endpoint that refuses one request as too many is asked for what is final again", async () => {
  let refusals = 0;
  const { url } = await startEndpointServer((requests, response, request) => {
    const [first] = requests;
    if (first?.params[0] === "finalized" && refusals++ === 0)
      return failing(429, "too many requests")(requests, response, request);
    return answering(({ method }) => (method === "eth_blockNumber" ? "0x1f4" : headerOf(498)))(
      requests,
      response,
      request,
    );
  });
  const endpoints = [createEndpoint({ url, name: "#1" })];
  await expect.poll(async () => (await readFinalized(endpoints))?.number).toBe(498);
  expect(refusals).toBe(2);
});
