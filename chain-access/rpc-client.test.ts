import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { encodeErrorResult, parseAbi } from "viem";
import { afterEach, expect, test } from "vitest";
import { endless, type HostileServer, startHostileServer } from "../test/doubles/hostile-server.ts";
import { createRpcClient } from "./rpc-client.ts";

/* Hostile and broken endpoints. */

const servers: HostileServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function startServer(answer: (response: ServerResponse) => void) {
  const server = await startHostileServer(answer);
  servers.push(server);
  return server;
}

const json = (result: unknown) => (response: ServerResponse) =>
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));

const limits = { endpointMs: 20_000, maxBytes: 64 * 1_024 };
const good = () => startServer(json("0x38"));

test("an endless answer is cut off, and the next endpoint is asked", async () => {
  const hostile = await startServer(endless);
  const { url } = await good();
  const client = createRpcClient({ urls: [hostile.url, url], ...limits });
  expect(await client.getChainId()).toBe(56);
  await expect.poll(() => hostile.seen.cut).toBe(1);

  const alone = createRpcClient({ urls: [hostile.url], ...limits });
  await expect(alone.getChainId()).rejects.toThrow("exceeded the size limit");
  await expect.poll(() => hostile.seen.cut).toBe(2);
});

test("an answer that says how long it is, or is compressed, is cut off just the same", async () => {
  const announced = await startServer((response) =>
    response.writeHead(200, { "content-length": 10 ** 12 }).write(Buffer.alloc(100_000, "0")),
  );
  const bomb = await startServer((response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(10_000_000, "0"))),
  );
  for (const { url } of [announced, bomb]) {
    await expect(createRpcClient({ urls: [url], ...limits }).getChainId()).rejects.toThrow(
      "exceeded the size limit",
    );
  }
});

test("a redirect is not followed, whatever it points to", async () => {
  const inside = await good();
  for (const status of [301, 302, 307, 308]) {
    const hostile = await startServer((response) =>
      response.writeHead(status, { location: inside.url }).end(),
    );
    await expect(createRpcClient({ urls: [hostile.url], ...limits }).getChainId()).rejects.toThrow();
    expect(hostile.seen.requests).toBe(1);
  }
  expect(inside.seen.requests).toBe(0);
});

test("a request whose answer never ends, or never begins, times out, and the next endpoint is asked", async () => {
  const { url } = await good();
  const stalled = await startServer((response) => response.writeHead(200).write("{"));
  const silent = await startServer(() => {});
  const client = createRpcClient({
    urls: [stalled.url, silent.url, url],
    endpointMs: 2_000,
    totalMs: 100_000,
  });
  expect(await client.getChainId()).toBe(56);
  await expect.poll(() => [stalled.seen.cut, silent.seen.cut]).toEqual([1, 1]);
});

test("an endpoint that gave no answer is asked last for a while", async () => {
  const { url, seen } = await good();
  const silent = await startServer(() => {});
  const client = createRpcClient({ urls: [silent.url, url], endpointMs: 1_000 });
  for (let time = 1; time <= 3; time++) expect(await client.getChainId()).toBe(56);
  expect([silent.seen.requests, seen.requests]).toEqual([1, 3]);
});

test("an endpoint that refuses a request is asked for the next one", async () => {
  const { url, seen } = await good();
  const refusing = await startServer((response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32_000, message: "missing trie node" } })),
  );
  const client = createRpcClient({ urls: [refusing.url, url], ...limits });
  for (let time = 1; time <= 2; time++) expect(await client.getChainId()).toBe(56);
  expect([refusing.seen.requests, seen.requests]).toEqual([2, 2]);
});

const hash = `0x${"12".repeat(32)}` as const;
const unknown = /could not be found/;

test("a transaction that one endpoint doesn't know is asked of the next one, and its receipt too", async () => {
  const behind = await startServer(json(null));
  const ahead = await startServer(
    json({ transactionHash: hash, logs: [], blockNumber: "0x7", status: "0x1" }),
  );
  const client = createRpcClient({ urls: [behind.url, ahead.url], ...limits });
  expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: "success", blockNumber: 7n });
  expect((await client.getTransaction({ hash })).blockNumber).toBe(7n);
  expect([behind.seen.requests, ahead.seen.requests]).toEqual([2, 2]);
});

test("a transaction is unknown if no endpoint that answers knows it", async () => {
  const behind = await Promise.all([startServer(json(null)), startServer(json(null))]);
  const refusing = await startServer((response) => response.writeHead(500).end());
  const client = createRpcClient({ urls: [...behind, refusing].map(({ url }) => url), ...limits });
  await expect(client.getTransaction({ hash })).rejects.toThrow(unknown);
  expect([...behind, refusing].map(({ seen }) => seen.requests)).toEqual([1, 1, 1]);
});

test("an endpoint that gave no answer isn't waited for because another one doesn't know a transaction", async () => {
  const silent = await startServer(() => {});
  const behind = await startServer(json(null));
  const client = createRpcClient({ urls: [silent.url, behind.url], endpointMs: 1_000 });
  for (let time = 1; time <= 3; time++) {
    await expect(client.getTransactionReceipt({ hash })).rejects.toThrow(unknown);
  }
  expect([silent.seen.requests, behind.seen.requests]).toEqual([1, 3]);
});

test("all endpoints together share one deadline", async () => {
  const silent = await Promise.all(Array.from({ length: 3 }, () => startServer(() => {})));
  const client = createRpcClient({ urls: silent.map(({ url }) => url), endpointMs: 20_000, totalMs: 2_000 });
  await expect(client.getChainId()).rejects.toThrow();
  expect(silent.map(({ seen }) => seen.requests)).toEqual([1, 0, 0]);
});

test.each([
  ["no JSON", (response: ServerResponse) => response.end("<html>")],
  ["nothing", (response: ServerResponse) => response.end()],
  ["a list", (response: ServerResponse) => response.end("[]")],
  ["null", (response: ServerResponse) => response.end("null")],
  [
    "an error of the wrong type",
    (response: ServerResponse) => response.end('{"error":{"code":"x","message":7}}'),
  ],
  ["an object", json({})],
  ["a list as result", json(["0x38"])],
  ["no hexadecimal number", json("0xzz")],
])("an endpoint that answers with %s is passed over", async (_, answer) => {
  const broken = await startServer(answer);
  const { url } = await good();
  await expect(createRpcClient({ urls: [broken.url], ...limits }).getBlockNumber()).rejects.toThrow();
  expect(await createRpcClient({ urls: [broken.url, url], ...limits }).getBlockNumber()).toBe(56n);
});

test("a contract's OffchainLookup sends no request anywhere", async () => {
  const outside = await good();
  const contract = "0x00000000000000000000000000000000000000aa";
  const data = encodeErrorResult({
    abi: parseAbi([
      "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)",
    ]),
    args: [contract, [`${outside.url}{sender}/{data}`, outside.url], "0x", "0x00000000", "0x"],
  });
  const node = await startServer((response) =>
    response.end(JSON.stringify({ id: 1, error: { code: 3, message: "execution reverted", data } })),
  );
  const client = createRpcClient({ urls: [node.url], ...limits });
  await expect(client.call({ to: contract, data: "0x12345678" })).rejects.toThrow("reverted");
  expect([node.seen.requests, outside.seen.requests]).toEqual([1, 0]);
});
