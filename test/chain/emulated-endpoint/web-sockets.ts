import type { Server } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import type { Counts } from "./counts.ts";
import { type Answer, answerTo, type Call, type Reply } from "./json-rpc.ts";
import { type Handle, parseRequest } from "./respond.ts";

/** Accepts the same requests over WebSockets as over HTTP, and subscriptions to new blocks. */
export function acceptWebSockets(
  server: Server,
  handle: Handle,
  answerNow: Answerer,
  counts: Counts,
): WebSocketServer {
  const sockets = new WebSocketServer({ server });

  sockets.on("connection", (socket) => {
    const subscriptions = createSubscriptions(socket, answerNow, counts);

    async function answer(message: Buffer): Promise<void> {
      const request = parseRequest(message);
      const [call] = request.calls;
      const own = call && subscriptions.findAnswerer(call);
      const { reply, noteBytes } = await handle(request, own);
      if (reply === "hang") return;
      // WebSocket messages have no status: all that a client sees of a bad gateway is that the connection closes.
      if (reply === "reset" || reply.status === 502) return socket.terminate();
      const body = typeof reply.body === "string" ? reply.body : await text(reply.body);
      noteBytes(Buffer.byteLength(body));
      socket.send(body);
    }

    socket.on("error", () => socket.terminate());
    socket.on("message", (data) => void answer(data as Buffer).catch(() => socket.terminate()));
  });
  return sockets;
}

/** Answers a call with the endpoint's current behaviour; undefined if it doesn't answer. */
export type Answerer = (call: Call) => Promise<Reply | undefined>;

/** A WebSocket's subscriptions to new blocks. They end when it closes. */
function createSubscriptions(socket: WebSocket, answerNow: Answerer, counts: Counts) {
  const running = new Map<string, AbortController>();
  socket.once("close", () => running.forEach((controller) => void controller.abort()));

  const readBlock: ReadBlock = async (hash) => {
    const [method, block] =
      hash === undefined ? ["eth_getBlockByNumber", "latest"] : ["eth_getBlockByHash", hash];
    const reply = await answerNow({ jsonrpc: "2.0", id: 1, method, params: [block, false] }).catch(
      () => undefined,
    );
    if (reply?.status !== 200) return null;
    const body = typeof reply.body === "string" ? reply.body : await text(reply.body);
    return ((JSON.parse(body) as Answer).result as Block | null | undefined) ?? null;
  };

  function subscribe(): string {
    const subscription = `0x${(running.size + 1).toString(16)}`;
    const controller = new AbortController();
    running.set(subscription, controller);
    const notify = (result: Block) => {
      const call = { jsonrpc: "2.0", method: "eth_subscription", params: { subscription, result } };
      const message = JSON.stringify(call);
      counts.pushed(call.method, message.length);
      socket.send(message);
    };
    void watchHeads(readBlock, notify, controller.signal);
    return subscription;
  }

  function unsubscribe(subscription: string): boolean {
    const controller = running.get(subscription);
    controller?.abort();
    return controller !== undefined;
  }

  return {
    /** Returns a function that answers eth_subscribe and eth_unsubscribe; undefined for any other call. */
    findAnswerer(call: Call): (() => Reply) | undefined {
      const subject = String(call.params?.[0]);
      const reply = (outcome: Parameters<typeof answerTo>[1]): Reply => ({
        status: 200,
        body: JSON.stringify(answerTo(call, outcome)),
      });
      if (call.method === "eth_unsubscribe") return () => reply({ result: unsubscribe(subject) });
      if (call.method !== "eth_subscribe") return undefined;
      if (subject === "newHeads") return () => reply({ result: subscribe() });
      return () => reply({ error: { code: -32602, message: `no subscription to ${subject}` } });
    },
  };
}

type Block = { hash: string; parentHash: string };

/** Gets the latest block or the one with this hash; null if there is no such block, or no answer. */
type ReadBlock = (hash?: string) => Promise<Block | null>;

const pauseMs = 50;
/** Deeper reorgs are not expected. */
const maxBlocks = 200;

/** Polls until the signal aborts, and reports each new block, including all that a reorg brings. */
async function watchHeads(
  readBlock: ReadBlock,
  onHead: (block: Block) => void,
  signal: AbortSignal,
): Promise<void> {
  const reported = new Set<string>();
  while (!signal.aborted) {
    for (const block of await unreported(readBlock, reported)) {
      if (signal.aborted) return;
      // The first poll only sets the starting point.
      if (reported.size > 0) onHead(block);
      reported.add(block.hash);
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns the blocks after the last reported one, up to the latest, oldest first. */
async function unreported(readBlock: ReadBlock, reported: ReadonlySet<string>): Promise<Block[]> {
  const blocks: Block[] = [];
  let block = await readBlock();
  while (block !== null && !reported.has(block.hash) && blocks.length < maxBlocks) {
    blocks.unshift(block);
    if (reported.size === 0) break;
    block = await readBlock(block.parentHash);
  }
  return blocks;
}
