import { text } from "node:stream/consumers";
import type { WebSocket } from "ws";
import type { Counts } from "./counts.ts";
import { type Answer, answerTo, type Call } from "./json-rpc.ts";
import { type Block, type ReadBlock, watchHeads } from "./new-heads.ts";
import type { Reply } from "./reply.ts";

/** Answers a call with the endpoint's current behaviour; undefined if it doesn't answer. */
export type Answerer = (call: Call) => Promise<Reply | undefined>;

/** A WebSocket's subscriptions to new blocks. They end when it closes. */
export function createSubscriptions(socket: WebSocket, answerNow: Answerer, counts: Counts) {
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
