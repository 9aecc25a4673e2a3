import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { onlyInLongRun } from "../../test/run/long-run.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { startPool } from "../fixtures/endpoint-pool.ts";
import { answering, type Behaviour, failing, hanging, respondingWith } from "../fixtures/endpoint-server.ts";

const good = answering(({ params }) => params[0]);
const call = (...params: unknown[]) => ({ method: "eth_test", params });

test.each([
  ["429", respondingWith(429, "", { "retry-after": "30" })],
  ["502 with HTML", respondingWith(502, "<html>")],
  ["broken JSON", respondingWith(200, '{"id":1,"res')],
  ["a reset", ((_, response) => void response.destroy()) as Behaviour],
  ["an internal error", failing(-32603, "internal error")],
  ["a refusal of its client", failing(-32600, "Must be authenticated!")],
  ["a refusal of the method", failing(-32601, "the method eth_test does not exist")],
])("with one endpoint that answers with %s, everything is answered by the other", async (_, bad) => {
  const { pool } = await startPool([bad, good]);
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const sent = await Promise.all(numbers.map((number) => pool.send([call(number)])));
  expect(sent.map(({ results }) => results[0])).toEqual(numbers);
});

test("a single endpoint is asked again until it has recovered", async () => {
  const { pool, servers } = await startPool([respondingWith(502, "<html>")]);
  const sent = pool.send([call(7)]);
  await expect.poll(() => servers[0]?.received.length).toBeGreaterThan(2);
  if (servers[0] !== undefined) servers[0].behaviour = good;
  expect((await sent).results).toEqual([7]);
});

test("an urgent call is also sent to another endpoint when the first one hangs", async () => {
  const { pool, endpoints } = await startPool([hanging, good]);
  // Makes the one that hangs preferred.
  for (let count = 0; count < 5; count++) await endpoints[1]?.send([call(0)]);
  const { endpoint, results } = await pool.send([call(7)], { isUrgent: true });
  expect([endpoint.name, results]).toEqual(["#2", [7]]);
});

test("an urgent call is answered by another endpoint when the first one fails at once", async () => {
  const { pool } = await startPool([failing(-32603, "internal error"), good]);
  const sent = await Promise.all([1, 2, 3].map((number) => pool.send([call(number)], { isUrgent: true })));
  expect(sent.map(({ results }) => results[0])).toEqual([1, 2, 3]);
});

test("only endpoints that have the block are asked for it", async () => {
  const { pool, endpoints, servers } = await startPool([good, good, good]);
  const [ahead, behind] = endpoints;
  if (ahead !== undefined) ahead.head = 100;
  if (behind !== undefined) behind.head = 94;
  await Promise.all(Array.from({ length: 10 }, () => pool.send([call(1)], { block: 100 })));
  expect(servers.map(({ received }) => received.length)).toEqual([10, 0, 0]);
});

test("a request for a block that no endpoint has waits until one has it", async () => {
  const { pool, endpoints } = await startPool([good]);
  const sent = pool.send([call(1)], { block: 100 });
  if (endpoints[0] !== undefined) endpoints[0].head = 100;
  expect((await sent).results).toEqual([1]);
});

test("an answer that can't be true is reported, and another endpoint is asked", async () => {
  const { pool, lies } = await startPool([answering(() => "lie"), good]);
  const check = ([result]: unknown[]) => {
    if (result === "lie") throw new EndpointFault("wrong", "a lie");
  };
  for (let count = 0; count < 5; count++) {
    expect((await pool.send([call("truth")], { check })).results).toEqual(["truth"]);
  }
  expect(new Set(lies)).toEqual(new Set(["#1: a lie"]));
});

test("what every endpoint refuses is sent to each of them once", async () => {
  const refusing = failing(-32601, "no such method");
  const { pool, servers, endpoints } = await startPool([refusing, refusing]);
  await expect(pool.send([call(1)])).rejects.toMatchObject({ kind: "refused" });
  expect(servers.map(({ received }) => received.length)).toEqual([1, 1]);
  expect(endpoints.map(({ lastFault }) => lastFault)).toEqual(["no such method", "no such method"]);
});

onlyInLongRun(() => {
  test("an answer that takes far longer than others before it comes in the end", async () => {
    const { pool } = await startPool([
      async (requests, response, request) => {
        const [first] = requests;
        if (first?.params[0] === "large") await delay(3_000);
        await good(requests, response, request);
      },
    ]);
    for (let count = 0; count < 40; count++) await pool.send([call("small")]);
    expect((await pool.send([call("large")])).results).toEqual(["large"]);
  });
});

test("the earliest blocks are asked for first", async () => {
  const { pool, endpoints } = await startPool([good]);
  const priorities = [5, 3, 9, 1, 7];
  // Uses up the rate limit, so that all of them have to wait.
  endpoints[0]?.reserve(30);
  const order: number[] = [];
  await Promise.all(
    priorities.map((priority) =>
      pool.send([call(priority)], { priority, onSend: () => order.push(priority) }),
    ),
  );
  expect(order).toEqual(priorities.toSorted());
});

test("an aborted request leaves the queue", async () => {
  const { pool } = await startPool([hanging]);
  const leaving = new AbortController();
  const sent = pool.send([call(1)], { block: 1, signal: leaving.signal });
  leaving.abort(new Error("given up"));
  await expect(sent).rejects.toThrow("given up");
});

/** Answers batches of up to this many calls, and refuses larger ones as dRPC does. */
const takingBatchesOf =
  (size: number): Behaviour =>
  (requests, response, request) => {
    if (requests.length <= size) return good(requests, response, request);
    const message = `Batch of more than ${size} requests are not allowed on free tier`;
    response.writeHead(500).end(JSON.stringify({ id: null, error: { code: 31, message } }));
  };

test("an endpoint's limit for batches is learned from one refusal", async () => {
  const { pool, servers, endpoints } = await startPool([takingBatchesOf(3)]);
  const calls = Array.from({ length: 10 }, (_, index) => call(index));
  const numbers = calls.map(({ params }) => params[0]);
  expect((await pool.send(calls)).results).toEqual(numbers);
  expect(endpoints[0]?.counts.requests).toBe(1 + 4);
  expect((await pool.send(calls)).results).toEqual(numbers);
  expect(endpoints[0]?.counts.requests).toBe(1 + 4 + 4);
  expect(servers[0]?.received.length).toBe(3 * 10);
});

test("a batch that one endpoint refuses is answered by another as a whole", async () => {
  const { pool, endpoints } = await startPool([takingBatchesOf(3), good]);
  const calls = Array.from({ length: 10 }, (_, index) => call(index));
  for (let count = 0; count < 5; count++) {
    const { results } = await pool.send(calls);
    expect(results).toEqual(calls.map(({ params }) => params[0]));
  }
  expect(endpoints[0]?.counts.requests).toBeLessThanOrEqual(1);
  expect(endpoints[1]?.counts.requests).toBe(5);
});

test("calls that belong together are answered by one endpoint, in their order, even if it takes no batches", async () => {
  const { pool, servers, endpoints } = await startPool([takingBatchesOf(1), takingBatchesOf(1)]);
  for (let count = 0; count < 5; count++) {
    const before = servers.map(({ received }) => received.length);
    const { results, endpoint } = await pool.send([call(1), call(2), call(3)], { isTogether: true });
    expect(results).toEqual([1, 2, 3]);
    const asked = servers.map(({ received }, index) =>
      received.slice(before[index]).map(({ params }) => params[0]),
    );
    expect(asked[endpoints.indexOf(endpoint)]?.slice(-3)).toEqual([1, 2, 3]);
  }
});

test("an endpoint that takes no batches answers calls in turn while the one that takes them is down", async () => {
  const { pool, endpoints, servers } = await startPool([takingBatchesOf(1), good]);
  await pool.send([call(1), call(2)], { canAsk: (endpoint) => endpoint === endpoints[0] });
  if (servers[1] !== undefined) servers[1].behaviour = respondingWith(502, "<html>");
  const { results, endpoint } = await pool.send([call(1), call(2)], { isTogether: true });
  expect([results, endpoint.name]).toEqual([[1, 2], "#1"]);
});

test("a batch with more calls than an endpoint ever accepts at once is sent in parts", async () => {
  const picky: Behaviour = async (requests, response, request) => {
    if (requests.length > 3) return void response.writeHead(429).end("too many requests");
    await good(requests, response, request);
  };
  const { pool } = await startPool([picky]);
  const calls = Array.from({ length: 10 }, (_, index) => call(index));
  const seen: unknown[][] = [];
  const { results } = await pool.send(calls, { check: (results) => seen.push(results) });
  expect(results).toEqual(calls.map(({ params }) => params[0]));
  // It is checked as a whole.
  expect(seen).toEqual([results]);
});
