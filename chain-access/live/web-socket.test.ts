import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { createEndpoint } from "../endpoint/endpoint.ts";
import { startEndpointServer } from "../fixtures/endpoint-server.ts";
import type { Header } from "./block.ts";
import { startLiveChain } from "./fixtures/live-chain.ts";
import {
  addressOf,
  create,
  createNode,
  createSimulatedChain,
  type SimulatedBlock,
  trade,
} from "./fixtures/simulated-chain.ts";
import { createHeads, subscribeToHeads } from "./heads.ts";

/** Starts a node's WebSocket endpoint, which sends a test's heads to all subscribers. */
async function startHeadServer() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", autoPong: true });
  await new Promise((resolve) => server.once("listening", resolve));
  const subscribers = new Set<WebSocket>();
  const counts = { subscriptions: 0 };
  server.on("connection", (socket) => {
    socket.on("message", (data) => {
      const { id, method, params } = JSON.parse(String(data));
      if (method !== "eth_subscribe" || params[0] !== "newHeads") return;
      // As some servers do, also with an error that is none.
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1", error: null }));
      subscribers.add(socket);
      counts.subscriptions++;
    });
    socket.on("close", () => subscribers.delete(socket));
  });
  const end = () => {
    for (const client of server.clients) client.terminate();
    server.close();
  };
  onTestFinished(end);
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/key`,
    server,
    subscribers,
    counts,
    send(result: unknown): void {
      const message = { jsonrpc: "2.0", method: "eth_subscription", params: { subscription: "0x1", result } };
      for (const socket of subscribers) socket.send(JSON.stringify(message));
    },
  };
}

async function subscribed(options: { heartbeatMs?: number } = {}) {
  const node = await startHeadServer();
  const heads: Header[] = [];
  const lines: string[] = [];
  const subscription = subscribeToHeads({
    url: node.url,
    name: "WebSocket #1",
    backoffMs: 10,
    ...options,
    onHead: (header) => heads.push(header),
    log: (line) => lines.push(line),
  });
  onTestFinished(subscription.stop);
  await expect.poll(() => node.subscribers.size).toBe(1);
  return { node, heads, lines, subscription };
}

const header = (() => createSimulatedChain().mine(undefined).header)();

test("heads arrive as they are sent", async () => {
  const { node, heads, lines } = await subscribed();
  node.send(header);
  await expect.poll(() => heads).toEqual([header]);
  expect(lines).toEqual([]);
});

test("a lost connection is reopened, and logged once", async () => {
  const { node, heads, lines } = await subscribed();
  for (let times = 1; times <= 3; times++) {
    for (const socket of node.server.clients) socket.terminate();
    await expect.poll(() => node.counts.subscriptions).toBe(times + 1);
  }
  await expect.poll(() => node.subscribers.size).toBe(1);
  node.send(header);
  await expect.poll(() => heads).toEqual([header]);
  expect(lines).toEqual(["WebSocket #1: the subscription to new blocks was lost, polling until it is back"]);
  expect(lines.join()).not.toContain("key");
});

test("an endpoint that refuses the subscription or the connection is named with its reason, once and without a key", async () => {
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const subscribe = (url: string, name: string) =>
    onTestFinished(subscribeToHeads({ url, name, backoffMs: 1, onHead() {}, log }).stop);
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  let connections = 0;
  server.on("connection", (socket) => {
    connections += 1;
    const error = { code: -32_601, message: "no eth_subscribe with the key 0123456789" };
    socket.on("message", () => socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, error })));
  });
  subscribe(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/0123456789`, "WebSocket #1");
  await expect.poll(() => connections).toBeGreaterThan(3);
  expect(lines).toEqual([
    "WebSocket #1: the endpoint refuses the subscription to new blocks: no eth_subscribe with the key …",
    "WebSocket #1: the subscription to new blocks was lost, polling until it is back",
  ]);

  const guarded = createServer((_, response) => response.writeHead(401).end());
  guarded.on("upgrade", (_, socket) => socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n"));
  onTestFinished(() => void guarded.close());
  await new Promise<void>((resolve) => guarded.listen(0, "127.0.0.1", resolve));
  subscribe(`ws://127.0.0.1:${(guarded.address() as AddressInfo).port}/0123456789`, "WebSocket #2");
  await expect
    .poll(() => lines.slice(2))
    .toEqual([
      "WebSocket #2: the subscription to new blocks was lost (Unexpected server response: 401), polling until it is back",
    ]);
});

test("a connection that doesn't answer pings is closed", async () => {
  const node = await startHeadServer();
  node.server.options.autoPong = false;
  const subscription = subscribeToHeads({
    url: node.url,
    name: "WebSocket #1",
    backoffMs: 10,
    heartbeatMs: 50,
    onHead: () => {},
    log: () => {},
  });
  onTestFinished(subscription.stop);
  await expect.poll(() => node.counts.subscriptions).toBeGreaterThan(2);
});

test.each([
  ["no header", { number: "0x1" }],
  ["nothing", null],
])("a message with %s ends the connection, and is not passed on", async (_, result) => {
  const { node, heads } = await subscribed();
  node.send(result);
  await expect.poll(() => node.counts.subscriptions).toBe(2);
  expect(heads).toEqual([]);
});

async function followed() {
  const socket = await startHeadServer();
  const chain = createSimulatedChain();
  const finalized = chain.mine(chain.mine(undefined), [create(addressOf(100))]);
  const head = chain.mine(finalized, [trade(addressOf(100))]);
  const node = createNode(chain, head);
  const started = await startLiveChain({
    behaviours: [node.behaviour],
    finalized: finalized.header,
    history: finalized.logs,
    webSocketUrls: [socket.url],
  });
  started.follow();
  await expect.poll(() => socket.subscribers.size).toBe(1);
  await expect.poll(() => started.ponder.blocks.length).toBe(1);
  return { ...started, socket, chain, node, head };
}

test("blocks come from the subscription, gaps are filled, and polling takes over while it is silent", async () => {
  const { socket, chain, node, head, pushed, ponder } = await followed();
  const later = [1, 2, 3].reduce((parent) => chain.mine(parent, [trade(addressOf(100))]), head);
  node.head = later;
  socket.send(later.header);
  await expect.poll(() => pushed.map(({ number }) => number)).toEqual([2, 3, 4, 5]);
  // The subscription says nothing about the next blocks.
  node.head = chain.mine(later);
  await expect.poll(() => ponder.blocks.length).toBe(5);
  expect(ponder.warnings).toEqual([]);
});

test("a head that no other endpoint has yet is pushed once one has it", async () => {
  const { socket, chain, node, head, pushed, lies } = await followed();
  const next = chain.mine(head, [trade(addressOf(100))]);
  socket.send(next.header);
  await expect.poll(() => socket.counts.subscriptions).toBe(1);
  node.head = next;
  await expect.poll(() => pushed.map(({ number }) => number)).toEqual([2, 3]);
  expect(lies).toEqual([]);
});

test("a subscription that is open and sends no blocks is renewed", async () => {
  const { socket, chain, node, head, pushed, lines } = await followed();
  let last = head;
  const mine = (count: number) => {
    for (let mined = 0; mined < count; mined++) last = chain.mine(last, [trade(addressOf(100))]);
    node.head = last;
  };
  const polled = async (blocks: number) => {
    for (let seen = 0; seen < blocks; seen += 3) {
      mine(3);
      await expect.poll(() => pushed.at(-1)?.hash).toBe(last.header.hash);
    }
  };
  await polled(15);
  // One head among the blocks is enough.
  mine(1);
  socket.send(last.header);
  await expect.poll(() => pushed.at(-1)?.hash).toBe(last.header.hash);
  await polled(15);
  expect(socket.counts.subscriptions).toBe(1);
  await polled(6);
  await expect.poll(() => socket.counts.subscriptions).toBe(2);
  expect(lines).toEqual([
    "WebSocket #1: the subscription to new blocks was lost (it sends no blocks of this chain), polling until it is back",
  ]);
});

test("a subscription that repeats a block is renewed", async () => {
  const { socket, chain, node, head, pushed } = await followed();
  let last = head;
  for (let block = 0; block <= 20; block++) {
    socket.send(head.header);
    last = chain.mine(last);
    node.head = last;
    await expect.poll(() => pushed.at(-1)?.hash).toBe(last.header.hash);
  }
  await expect.poll(() => socket.counts.subscriptions).toBe(2);
});

test("a subscription that sends the blocks of another chain is given up, and the log says so", async () => {
  const { socket, chain, node, head, pushed, lines } = await followed();
  const elsewhere = createSimulatedChain();
  let foreign = Array.from({ length: 400 }).reduce<SimulatedBlock | undefined>(
    (parent) => elsewhere.mine(parent),
    undefined,
  );
  let last = head;
  for (let block = 0; block <= 20; block++) {
    foreign = elsewhere.mine(foreign);
    socket.send(foreign.header);
    last = chain.mine(last);
    node.head = last;
    await expect.poll(() => pushed.at(-1)?.hash).toBe(last.header.hash);
  }
  await expect
    .poll(() => lines)
    .toContain(
      "WebSocket #1: the subscription to new blocks was lost (it sends no blocks of this chain), polling until it is back",
    );
});

test("a head that was announced and never came doesn't count once the endpoints have been asked", async () => {
  const chain = createSimulatedChain();
  const first = chain.mine(undefined);
  const second = chain.mine(first);
  const server = await startEndpointServer(createNode(chain, first).behaviour);
  const endpoint = createEndpoint({ url: server.url, name: "#1" });
  const heads = createHeads([endpoint]);
  await heads.refresh();
  heads.announce({ ...second.header, number: "0xf4240" });
  expect(heads.reported).toBe(0);
  await heads.refresh();
  // The next head that is announced can be asked for at once, and none after it.
  expect(heads.mayHave(endpoint, 1)).toBe(false);
  heads.announce(second.header);
  expect([1, 2].map((number) => heads.mayHave(endpoint, number))).toEqual([true, false]);
});
