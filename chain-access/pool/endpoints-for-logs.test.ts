import { pad } from "viem";
import { expect, onTestFinished, test, vi } from "vitest";
import { createEndpoint, type Endpoint } from "../endpoint/endpoint.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { startPool } from "../fixtures/endpoint-pool.ts";
import {
  answering,
  type Behaviour,
  failing,
  type RpcRequest,
  respondingWith,
  startEndpointServer,
} from "../fixtures/endpoint-server.ts";
import { logNode, logOf } from "../fixtures/log-node.ts";
import { createLogReader } from "../history/read-logs.ts";
import { chainOf, preparing, token } from "../live/fixtures/preparing.ts";
import { createNode, type NodeOptions, trade } from "../live/fixtures/simulated-chain.ts";

/* One endpoint that takes few blocks or addresses, beside another one that takes more and is of no use. */

const [contract, topic] = [pad("0xaa", { size: 20 }), pad("0xbb", { size: 32 })];
const filter = { addresses: [contract], topics: [topic] };
const logs = Array.from({ length: 61 }, (_, block) => logOf(block, 0, contract, topic));
const complete = logNode(logs, {});

const getLogs = { method: "eth_getLogs", params: [{}] };
const getHead = { method: "eth_blockNumber", params: [] };

/** Lets time pass for the endpoints. */
function clock(): (milliseconds: number) => void {
  let later = 0;
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, "now").mockImplementation(() => now() + later);
  onTestFinished(() => spy.mockRestore());
  return (milliseconds) => {
    later += milliseconds;
  };
}

/** Has an endpoint fail, for so long that it counts as out. */
async function letFail(endpoint: Endpoint | undefined, pass: (milliseconds: number) => void): Promise<void> {
  await endpoint?.send([getHead]).catch(() => {});
  pass(11_000);
}

async function startBoth(useless: Behaviour) {
  const { servers, endpoints, pool } = await startPool([logNode(logs, { blocks: 10 }), useless], 60);
  const { read } = createLogReader(pool);
  const [, other] = endpoints as [Endpoint, Endpoint];
  return { other, read: () => read(filter, { from: 20, to: 59 }), received: servers[1]?.received ?? [] };
}

test("ranges are as long as the other endpoint takes while the one without a limit is down", async () => {
  const pass = clock();
  const { other, read } = await startBoth(respondingWith(502, "<html>"));
  await letFail(other, pass);
  expect(await read()).toHaveLength(40);
});

test("and if it goes down while a long range waits for it", async () => {
  const pass = clock();
  const { other, read, received } = await startBoth(respondingWith(502, "<html>"));
  const reading = read();
  await expect.poll(() => received.length).toBeGreaterThan(1);
  await letFail(other, pass);
  expect(await reading).toHaveLength(40);
});

test("and while it is excluded, or doesn't have the blocks", async () => {
  const { other, read } = await startBoth(complete);
  other.excluded = "it is on another chain";
  expect(await read()).toHaveLength(40);
  other.excluded = undefined;
  other.head = 50;
  expect(await read()).toHaveLength(40);
});

test("an endpoint that refuses logs alone counts as failing until it takes them, and is tried again only later", async () => {
  const pass = clock();
  const refusing = failing(-32601, "the method eth_getLogs is not available");
  let isRefused = true;
  const { other, read, received } = await startBoth((requests, response, request) => {
    const asksForLogs = requests.some(({ method }) => method === "eth_getLogs");
    return (isRefused && asksForLogs ? refusing : complete)(requests, response, request);
  });
  for (let count = 0; count < 3; count++) await other.send([getLogs]);
  const before = received.length;
  for (let count = 0; count < 5; count++) {
    expect(await read()).toHaveLength(40);
    await other.send([{ method: "eth_getBlockByNumber", params: ["0x1", false] }]);
    expect([other.isHealthy, other.lastFault]).toEqual([false, "the method eth_getLogs is not available"]);
  }
  expect(received.slice(before).some(({ method }) => method === "eth_getLogs")).toBe(false);
  pass(300_000);
  isRefused = false;
  expect(await read()).toHaveLength(40);
  expect(other.isHealthy).toBe(true);
});

test("and never with a call of a request whose logs it would have to answer as well", async () => {
  const pass = clock();
  const refusing = failing(-32601, "the method eth_getLogs is not available");
  const { endpoints, pool } = await startPool(
    [
      answering(() => "0x1"),
      (requests, response, request) =>
        (requests.some(({ method }) => method === "eth_getLogs") ? refusing : answering(() => "0x1"))(
          requests,
          response,
          request,
        ),
    ],
    60,
  );
  const [working, other] = endpoints as [Endpoint, Endpoint];
  for (let count = 0; count < 3; count++) await other.send([getLogs]);
  pass(301_000);
  for (const { limits } of endpoints) limits.learn(new EndpointFault("batch", "no batches"), { calls: 2 });
  // The one that may take logs again is not expected to answer first.
  for (let count = 0; count < 5; count++) await working.send([getHead]);
  const asked: string[] = [];
  const { endpoint } = await pool.send([getHead, getLogs], {
    isTogether: true,
    onSend: ({ name }) => asked.push(name),
  });
  expect(endpoint).toBe(working);
  expect(asked.at(-1)).toBe("#1");
});

test("an endpoint that answers nothing but that it is asked too often is shown as failing in the end", async () => {
  const pass = clock();
  let isRefused = true;
  const { url } = await startEndpointServer((...request) =>
    (isRefused ? respondingWith(429, "monthly quota exceeded") : answering(() => "0x1"))(...request),
  );
  const endpoint = createEndpoint({ url, name: "#1" });
  const ask = () => endpoint.send([getHead]).catch(() => {});
  await ask();
  expect(endpoint.isHealthy).toBe(true);
  pass(100_000);
  await ask();
  expect([endpoint.isHealthy, endpoint.lastFault]).toEqual([false, "HTTP 429"]);
  isRefused = false;
  await ask();
  expect(endpoint.isHealthy).toBe(true);
});

/** Refuses filters without an address. */
const needsAddress: NodeOptions = {
  tamper: (result: unknown, { method, params: [first] }: RpcRequest) =>
    method === "eth_getLogs" && !("address" in (first as object))
      ? { error: { code: -32701, message: "Please specify an address in your request" } }
      : result,
};

test("a new block is asked for by address while the endpoint that needs none is down", async () => {
  const pass = clock();
  const { chain, known, head } = chainOf([trade(token), trade(token).slice(0, 1)]);
  const strict = createNode(chain, head, needsAddress);
  const { prepare, endpoints } = await preparing({
    behaviours: [strict.behaviour, respondingWith(502, "<html>")],
    known,
  });
  await letFail(endpoints[1], pass);
  expect((await prepare(head.header))?.logs).toHaveLength(head.logs.length);
});

test.each([
  ["is behind", []],
  ["and blocks were missed", [[], [], []]],
])("and while that endpoint %s", async (_, missed) => {
  const { chain, known, head } = chainOf(...missed, [trade(token), trade(token).slice(0, 1)]);
  const strict = createNode(chain, head, needsAddress);
  const behind = createNode(chain, known);
  const { prepare } = await preparing({
    behaviours: [strict.behaviour, behind.behaviour],
    known,
    heads: [Number(head.header.number), Number(known.header.number)],
  });
  expect((await prepare(head.header))?.logs).toHaveLength(head.logs.length);
});
