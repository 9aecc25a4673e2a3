import { once } from "node:events";
import { type Hex, numberToHex, pad } from "viem";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Header } from "../../chain-access/live/block.ts";
import { areAllLogs } from "../../chain-access/live/block-logs.ts";
import type { Log as ChainLog } from "../../chain-access/sources/log.ts";
import { onlyInLongRun } from "../run/long-run.ts";
import { startAnvil } from "./anvil.ts";
import { startFork } from "./anvil-fork.ts";
import { type EmulatedEndpoint, faultNames, faults, startEmulatedEndpoint } from "./emulated-endpoint.ts";
import { type LaunchpadChain, startLaunchpadChain } from "./launchpad-chain.ts";
import { deployLogEmitter, type LogEmitter } from "./log-emitter.ts";

type Log = { blockNumber: Hex; blockHash: Hex; blockTimestamp?: Hex; transactionHash: Hex };
type Block = { number: Hex; hash: Hex };

let chain: LaunchpadChain;
let endpoint: EmulatedEndpoint;
/** A contract that emitted three logs in each of three blocks, the last of which is the chain's head. */
let emitter: Hex;
let head: number;
let emitLogs: LogEmitter["emit"];

beforeAll(async () => {
  chain = await startLaunchpadChain();
  const { address, emit } = await deployLogEmitter(chain);
  emitter = address;
  emitLogs = emit;
  for (const _ of [1, 2, 3]) await emit(Array.from({ length: 3 }, () => ({ topics: [], data: "0x" })));
  head = Number(await chain.head());
  endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl });
});
afterAll(async () => {
  await endpoint?.stop();
  await chain?.stop();
});
afterEach(() => {
  endpoint.restore();
  endpoint.counts.reset();
});

const call = (method: string, params: unknown[] = [], id = 1) => ({ jsonrpc: "2.0", id, method, params });
const post = (body: unknown, signal?: AbortSignal) =>
  fetch(endpoint.url, { method: "POST", body: JSON.stringify(body), signal });

async function ask<Result>(method: string, ...params: unknown[]) {
  const response = await post(call(method, params));
  return (await response.json()) as { result: Result; error?: { code: number; message: string } };
}

const range = (fromBlock: number | string, toBlock: number | string = head) => {
  const bound = (block: number | string) => (typeof block === "number" ? numberToHex(block) : block);
  return { address: emitter, fromBlock: bound(fromBlock), toBlock: bound(toBlock) };
};
const logsOf = async (filter: unknown) => (await ask<Log[]>("eth_getLogs", filter)).result;

test("the node's answers are passed on, single ones and batches", async () => {
  expect((await ask("eth_chainId")).result).toBe("0x38");
  const logs = await logsOf(range(0));
  expect(logs).toHaveLength(9);
  expect(logs[0]?.blockTimestamp).toMatch(/^0x/);
  const answers = await (await post([call("eth_blockNumber", [], 7), call("no_such_method", [], 8)])).json();
  expect(answers).toMatchObject([
    { id: 7, result: numberToHex(head) },
    { id: 8, error: { code: -32601 } },
  ]);
});

test("requests, elements and bytes are counted by method", async () => {
  const body = [call("eth_getLogs", [range(0)]), call("eth_getLogs", [range(0)]), call("eth_chainId")];
  const text = await (await post(body)).text();
  await ask("eth_chainId");
  const { eth_getLogs: logs, eth_chainId: id } = endpoint.counts.byMethod();
  const bytesIn = JSON.stringify(body).length;
  const bytes = { bytesIn, bytesOut: text.length, gzipOut: text.length };
  expect(logs).toEqual({ requests: 1, elements: 2, refused: 0, unfiltered: 0, ...bytes });
  expect(id).toMatchObject({ requests: 1, elements: 2 });
  expect(endpoint.counts.total()).toMatchObject({ requests: 2, elements: 4 });
});

test("answers are delayed by the latency", async () => {
  endpoint.set({ latencyMs: 80 });
  const before = performance.now();
  await ask("eth_chainId");
  expect(performance.now() - before).toBeGreaterThan(79);
});

test("requests beyond the rate are refused, and each element of a batch counts", async () => {
  endpoint.set({ requestsPerSecond: 0.01, rateLimitAnswer: "429" });
  const plain = await post(call("eth_chainId"));
  expect([plain.status, plain.headers.get("retry-after")]).toEqual([429, null]);

  endpoint.set({ rateLimitAnswer: "429 with Retry-After" });
  expect(Number((await post(call("eth_chainId"))).headers.get("retry-after"))).toBeGreaterThan(90);

  endpoint.set({ rateLimitAnswer: "JSON-RPC error" });
  expect(await ask("eth_chainId")).toMatchObject({ id: 1, error: { code: -32005 } });

  endpoint.set({ requestsPerSecond: 3 });
  const batch = Array.from({ length: 4 }, (_, id) => call("eth_chainId", [], id));
  expect(await (await post(batch)).json()).toMatchObject(batch.map(({ id }) => ({ id, error: {} })));
  expect(endpoint.counts.total().refused).toBe(7);
  await expect.poll(async () => (await ask("eth_chainId")).result).toBe("0x38");
});

test("answers can be compressed, and both sizes are counted", async () => {
  endpoint.set({ gzip: true });
  const response = await post(call("eth_getLogs", [range(0)]));
  expect(response.headers.get("content-encoding")).toBe("gzip");
  const { length } = await response.text();
  const { bytesOut, gzipOut } = endpoint.counts.total();
  expect(bytesOut).toBe(length);
  expect(gzipOut).toBeLessThan(length / 2);
});

test("a block can have as many logs of other contracts as on BNB Smart Chain, and the answers about it agree", async () => {
  const count = 400;
  const dense = await startEmulatedEndpoint({ upstream: chain.rpcUrl, foreignLogs: count });
  onTestFinished(() => dense.stop());
  const ofDense = async <Result>(method: string, ...params: unknown[]) => {
    const response = await fetch(dense.url, { method: "POST", body: JSON.stringify(call(method, params)) });
    return ((await response.json()) as { result: Result }).result;
  };
  const headerOf = (number: number) => ofDense<Header>("eth_getBlockByNumber", numberToHex(number), false);
  const header = await headerOf(head);
  const { hash } = header;
  const setBits = ({ logsBloom }: Header) =>
    [...BigInt(logsBloom).toString(2)].filter((bit) => bit === "1").length / 2_048;
  // A block's logs are drawn by its hash, so that single blocks vary.
  const blocks = Array.from({ length: 8 }, (_, index) => headerOf(head - index));
  const bits = (await Promise.all(blocks)).reduce((sum, block) => sum + setBits(block) / blocks.length, 0);
  expect(bits).toBeGreaterThan(0.61);
  expect(bits).toBeLessThan(0.68);

  const all = await ofDense<ChainLog[]>("eth_getLogs", { blockHash: hash });
  expect(all).toHaveLength(3 + count);
  expect(areAllLogs(all, header)).toBe(true);
  expect(await ofDense("eth_getLogs", { blockHash: hash })).toEqual(all);
  expect(await ofDense<Header>("eth_getBlockByHash", hash, false)).toEqual(header);
  const full = await ofDense<{ transactions: { hash: Hex }[] }>("eth_getBlockByHash", hash, true);
  expect(full.transactions.map((transaction) => transaction.hash)).toEqual(header.transactions);
  expect(all.every(({ transactionHash }) => (header.transactions as Hex[]).includes(transactionHash))).toBe(
    true,
  );

  const { address, topics } = all.at(-1) as ChainLog;
  const last = await ofDense<ChainLog[]>("eth_getLogs", { ...range(head - 1), address, topics: [topics[0]] });
  expect(last.map(({ blockNumber }) => Number(blockNumber))).toEqual([head - 1, head]);
  expect(await ofDense("eth_getLogs", range(head))).toEqual(all.slice(0, 3));
});

test("an endpoint can insist on addresses", async () => {
  endpoint.set({ needsAddress: true });
  const { address: _, ...unfiltered } = range(head);
  expect((await ask("eth_getLogs", unfiltered)).error?.message).toMatch(/specify an address/);
  expect(await logsOf(range(head))).toHaveLength(3);
  expect(endpoint.counts.total().unfiltered).toBe(1);
});

test("ranges, addresses and results above the limits are refused", async () => {
  endpoint.set({ blockRange: 5, addresses: 2 });
  expect(await logsOf(range(head - 4))).toHaveLength(9);
  expect((await ask("eth_getLogs", range(head - 5))).error?.message).toMatch(/range 5$/);
  const address = [1, 2, 3].map((number) => pad(numberToHex(number), { size: 20 }));
  expect((await ask("eth_getLogs", { ...range(head), address })).error?.message).toMatch(/addresses.* 2$/);

  endpoint.restore();
  endpoint.set({ results: 8 });
  expect((await ask("eth_getLogs", range(0))).error?.message).toBe("query returned more than 8 results");
  endpoint.set({ results: 9 });
  expect(await logsOf(range(0))).toHaveLength(9);
});

test("logs, their timestamps, and blocks can be left out", async () => {
  const all = await logsOf(range(0));
  endpoint.set({ truncatedAt: 7, blockTimestamps: false });
  expect(await logsOf(range(0))).toEqual(all.slice(0, 7).map(({ blockTimestamp: _, ...log }) => log));

  endpoint.restore();
  endpoint.set({ emptyLogs: "of single blocks", nullBlocks: true });
  expect(await logsOf(range(0))).toHaveLength(9);
  expect(await logsOf(range(head))).toEqual([]);
  expect(await logsOf({ blockHash: all[0]?.blockHash })).toEqual([]);
  endpoint.set({ emptyLogs: "always" });
  expect(await logsOf(range(0))).toEqual([]);
  expect((await ask("eth_getBlockByNumber", "latest", false)).result).toBe(null);
});

test("a lagging endpoint doesn't know the last blocks", async () => {
  const [known, unknown] = [(await logsOf(range(head - 1)))[0], (await logsOf(range(head)))[0]];
  endpoint.set({ lag: 1 });
  const latest = numberToHex(head - 1);
  expect((await ask("eth_blockNumber")).result).toBe(latest);
  expect((await ask<Block>("eth_getBlockByNumber", "latest", false)).result.number).toBe(latest);
  expect((await ask("eth_getBlockByNumber", numberToHex(head), false)).result).toBe(null);
  for (const method of ["eth_getBlockByHash", "eth_getTransactionByHash", "eth_getTransactionReceipt"]) {
    const isOfBlock = method === "eth_getBlockByHash";
    const hashes = [known, unknown].map((log) => (isOfBlock ? log?.blockHash : log?.transactionHash));
    const params = isOfBlock ? [false] : [];
    expect((await ask(method, hashes[0], ...params)).result).toBeTruthy();
    expect((await ask(method, hashes[1], ...params)).result).toBe(null);
  }
  expect(await logsOf(range(0))).toHaveLength(6);
  expect(await logsOf(range(0, "latest"))).toHaveLength(6);
  expect(await logsOf(range(head))).toEqual([]);
  expect(await logsOf({ blockHash: known?.blockHash })).toHaveLength(3);
  expect((await ask("eth_getLogs", { blockHash: unknown?.blockHash })).error?.message).toBe("unknown block");
});

test("a backend for logs can lag behind the head that is reported, and refuse what is beyond its own", async () => {
  const body = [
    call("eth_getBlockByNumber", [numberToHex(head), false], 1),
    call("eth_getLogs", [range(0)], 2),
  ];
  const askBoth = async () =>
    (await (await post(body)).json()) as [{ result: unknown }, { result?: Log[]; error?: { code: number } }];
  endpoint.set({ logsLag: 1 });
  expect((await ask("eth_blockNumber")).result).toBe(numberToHex(head));
  expect((await ask("eth_getBlockByNumber", numberToHex(head), false)).result).toBeTruthy();
  expect((await askBoth()).map(({ result }) => (Array.isArray(result) ? result.length : result))).toEqual([
    null,
    6,
  ]);
  endpoint.set({ logsBackend: "single calls" });
  expect((await askBoth())[0].result).toBeTruthy();
  expect((await askBoth())[1].result).toHaveLength(6);
  endpoint.set({ refusesFuture: true });
  expect((await askBoth())[1].error?.code).toBe(-32602);

  endpoint.restore();
  endpoint.set({ headAhead: 1_000, logsFrom: head });
  expect((await ask("eth_blockNumber")).result).toBe(numberToHex(head + 1_000));
  expect(await logsOf(range(0))).toHaveLength(3);
});

test("a batch can be too large", async () => {
  endpoint.set({ batchSize: 3 });
  const batch = Array.from({ length: 4 }, (_, id) => call("eth_chainId", [], id));
  expect(await (await post(batch)).json()).toMatchObject({ error: { code: 31 } });
  expect(await (await post(batch.slice(1))).json()).toHaveLength(3);
});

test("a share of the requests can fail, or all of them", async () => {
  endpoint.set({ breakage: "502 with HTML", breakageShare: 0.5 });
  const statuses = [];
  for (let request = 0; request < 4; request++) statuses.push((await post(call("eth_chainId"))).status);
  expect(statuses).toEqual([200, 502, 200, 502]);

  endpoint.set({ breakage: "broken JSON", breakageShare: 1 });
  const broken = await post(call("eth_chainId"));
  expect(broken.status).toBe(200);
  await expect(broken.json()).rejects.toThrow(SyntaxError);

  endpoint.set({ breakage: "connection reset" });
  await expect(ask("eth_chainId")).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });

  endpoint.set({ breakage: "hang" });
  const controller = new AbortController();
  const hanging = post(call("eth_chainId"), controller.signal);
  await expect.poll(() => endpoint.counts.total().requests).toBe(7);
  endpoint.restore();
  expect((await ask("eth_chainId")).result).toBe("0x38");
  controller.abort();
  await expect(hanging).rejects.toThrow("aborted");
});

test("an endpoint that was down comes back at the same URL", async () => {
  await ask("eth_chainId");
  endpoint.set({ down: true });
  await expect(ask("eth_chainId")).rejects.toThrow("fetch failed");
  endpoint.set({ down: false });
  expect((await ask("eth_chainId")).result).toBe("0x38");
});

test("an endpoint can switch to another chain, or to a fork of this one", async () => {
  const [fork, other] = await Promise.all([startFork(chain), startAnvil({ chainId: 97 })]);
  await fork.testClient.mine({ blocks: 2 });
  const hashOf = async (block: number) =>
    (await ask<Block | null>("eth_getBlockByNumber", numberToHex(block), false)).result?.hash;
  const before = await hashOf(head);
  endpoint.set(faults["an endpoint on a fork"]({ fork: fork.rpcUrl, otherChain: other.rpcUrl }));
  expect(await hashOf(head)).toBe(before);
  expect(await hashOf(head + 2)).toMatch(/^0x/);
  expect(await logsOf(range(0))).toHaveLength(9);
  endpoint.set({ upstream: other.rpcUrl });
  expect((await ask("eth_chainId")).result).toBe("0x61");
  await fork.stop();
  await other.stop();
});

onlyInLongRun(() => {
  test("every named fault shows, and none remains afterwards", async () => {
    const [fork, otherChain] = await Promise.all([startFork(chain), startAnvil({ chainId: 97 })]);
    await fork.testClient.mine({ blocks: 2 });
    const many = Array.from({ length: 1_001 }, () => ({ topics: [], data: "0x" }) as const);
    await emitLogs(many);
    const from = Number(await chain.head()) - 6;
    const bodies = [
      Array.from({ length: 12 }, (_, id) => call("eth_chainId", [], id)),
      call("eth_blockNumber"),
      call("eth_getBlockByNumber", ["latest", false]),
      call("eth_getLogs", [range(head)]),
      call("eth_getLogs", [{ ...range(from, "latest"), address: [emitter, emitter, emitter] }]),
      call("eth_getLogs", [range(from, "latest")]),
      call("eth_getLogs", [range(from, from + 6)]),
      call("eth_getLogs", [{ fromBlock: numberToHex(head), toBlock: numberToHex(head) }]),
    ];
    /** Sends various requests and returns the answers, if any. */
    async function converse(): Promise<string[]> {
      const answers: string[] = [];
      for (const body of bodies) {
        const signal = AbortSignal.timeout(endpoint.settings().breakage === "hang" ? 200 : 20_000);
        const answer = await post(body, signal).then((response) => response.text(), String);
        answers.push(answer);
        if (!/^[[{]/.test(answer)) break;
      }
      return answers;
    }

    const usual = await converse();
    for (const name of faultNames) {
      endpoint.set(faults[name]({ fork: fork.rpcUrl, otherChain: otherChain.rpcUrl }));
      expect(await converse(), name).not.toEqual(usual);
      endpoint.restore();
      expect(await converse(), `after ${name}`).toEqual(usual);
    }
    await Promise.all([fork.stop(), otherChain.stop()]);
  });
});

test("requests are also answered over WebSocket, and each new block is reported once", async () => {
  endpoint.set({ lag: 1 });
  const socket = new WebSocket(endpoint.wsUrl);
  const messages: { id?: number; result?: unknown; params?: { result: Block } }[] = [];
  socket.addEventListener("message", ({ data }) => messages.push(JSON.parse(String(data))));
  await once(socket, "open");
  socket.send(JSON.stringify(call("eth_subscribe", ["newHeads"], 5)));
  await expect.poll(() => messages).toEqual([{ jsonrpc: "2.0", id: 5, result: "0x1" }]);
  socket.send(JSON.stringify(call("eth_chainId", [], 6)));
  await expect.poll(() => messages[1]).toMatchObject({ id: 6, result: "0x38" });

  // Once it reports a block, the subscription is active.
  const heads = () => messages.slice(2).map(({ params }) => Number(params?.result.number));
  await expect
    .poll(async () => {
      await chain.testClient.mine({ blocks: 1 });
      return heads().length;
    })
    .toBeGreaterThan(0);
  await chain.testClient.mine({ blocks: 3 });
  const last = Number(await chain.head()) - 1;
  await expect.poll(() => heads().at(-1)).toBe(last);
  expect(heads()).toEqual(Array.from(heads(), (_, index) => last - heads().length + 1 + index));
  socket.close();
  await once(socket, "close");
});
