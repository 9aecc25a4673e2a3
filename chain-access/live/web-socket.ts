import { LRUCache } from "lru-cache";
import { WebSocket } from "ws";
import { createChangeLog } from "../../config/log.ts";
import { createRedact } from "../endpoint/fault.ts";
import type { Hex } from "../sources/log.ts";
import { type Header, readHeader } from "./block.ts";

export type HeadSocketOptions = {
  url: string;
  /** For logs: never the URL, which may contain a key. */
  name: string;
  onHead: (header: Header) => void;
  log: (line: string, level?: "warn") => void;
  /** Milliseconds between pings. A connection that received nothing since the last ping is closed. Default: 10,000. */
  heartbeatMs?: number;
  /** Milliseconds before the first reconnection, doubled with each that fails up to 30 seconds. Default: 500. */
  backoffMs?: number;
};

const maxBackoffMs = 30_000;
/** Bytes. A header has a few thousand. */
const maxPayload = 1_024 * 1_024;
/** New blocks in a row that came from elsewhere alone: 9 seconds of BNB Smart Chain. */
const maxUnsent = 20;
/** Blocks that are remembered, since some come from elsewhere first. */
const maxRemembered = 256;

/** The endpoint doesn't announce new blocks, for example since its plan lacks subscriptions. */
class Refusal extends Error {}

/** Subscribes to an endpoint's new heads, and resubscribes whenever the connection is lost or sends none of the chain. */
export function subscribeToHeads(options: HeadSocketOptions) {
  const { url, name, onHead, log, heartbeatMs = 10_000, backoffMs = 500 } = options;
  let socket: WebSocket | undefined;
  let failures = 0;
  let isAlive = false;
  /** New blocks of the chain since the last one that was sent, or since the subscription began. */
  let unsent = 0;
  const sent = new LRUCache<Hex, true>({ max: maxRemembered });
  const ofChain = new LRUCache<Hex, true>({ max: maxRemembered });
  /** Why the connection was lost, in brackets. */
  let why = "";
  const logProblem = createChangeLog(log);
  const redact = createRedact(url);
  let reconnecting: NodeJS.Timeout | undefined;

  function connect(): void {
    const opening = new WebSocket(url, { maxPayload, handshakeTimeout: heartbeatMs, followRedirects: false });
    socket = opening;
    isAlive = true;
    unsent = 0;
    why = "";
    opening.on("open", () => {
      opening.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }));
    });
    opening.on("pong", () => {
      isAlive = true;
    });
    opening.on("message", (data) => {
      isAlive = true;
      try {
        receive(JSON.parse(String(data)));
      } catch (error) {
        const problem =
          error instanceof Refusal
            ? `the endpoint refuses the subscription to new blocks: ${redact(error.message)}`
            : "a message that is no header of a new block";
        logProblem(`${name}: ${problem}`, "warn");
        opening.terminate();
      }
    });
    // "close" follows.
    opening.on("error", ({ message, code }: NodeJS.ErrnoException) => {
      // A system error's message has the address.
      why = ` (${code ?? redact(message)})`;
    });
    opening.on("close", () => {
      if (socket !== opening) return;
      const backoff = Math.min(maxBackoffMs, backoffMs * 2 ** failures++);
      if (failures === 1)
        log(`${name}: the subscription to new blocks was lost${why}, polling until it is back`, "warn");
      reconnecting = setTimeout(connect, backoff * (0.5 + Math.random() / 2));
    });
  }

  function receive(message: {
    id?: number;
    error?: { message?: unknown } | null;
    method?: string;
    params?: { result: unknown };
  }) {
    if (message.error != null) throw new Refusal(String(message.error.message).slice(0, 200));
    if (message.method !== "eth_subscription") return;
    const header = readHeader(message.params?.result);
    logProblem("");
    const isRepeated = sent.has(header.hash);
    sent.set(header.hash, true);
    if (!isRepeated && ofChain.has(header.hash)) noteSent();
    onHead(header);
  }

  /** Notes that a block of the chain was sent. One on another chain sends blocks, too, and would be asked for each of them. */
  function noteSent(): void {
    failures = 0;
    unsent = 0;
  }

  const heartbeat = setInterval(() => {
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (!isAlive) {
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
  }, heartbeatMs);

  connect();

  return {
    /** Counts a new block of the chain, from wherever it came. */
    noteBlock(hash: Hex): void {
      ofChain.set(hash, true);
      if (sent.has(hash)) noteSent();
      else if (socket?.readyState === WebSocket.OPEN) unsent++;
      if (unsent <= maxUnsent) return;
      why = " (it sends no blocks of this chain)";
      socket?.terminate();
    },

    stop(): void {
      clearInterval(heartbeat);
      clearTimeout(reconnecting);
      const last = socket;
      socket = undefined;
      last?.terminate();
    },
  };
}
