import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Answer, Call } from "./json-rpc.ts";

export type Upstream = ReturnType<typeof connectUpstream>;

/** Connections to the nodes behind an endpoint. */
export function connectUpstream() {
  const agent = new Agent({ keepAlive: true });

  function postOnce(url: string, body: Buffer | string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const outgoing = request(url, { method: "POST", agent, headers }, resolve);
      outgoing.on("error", (error) =>
        // The node closed a kept-alive connection, so the request is sent on a new one.
        outgoing.reusedSocket ? postOnce(url, body).then(resolve, reject) : reject(error),
      );
      outgoing.end(body);
    });
  }

  return {
    /** Sends a body unchanged. The answer can be read as a stream. */
    post: postOnce,
    /** Sends calls, as a batch if there are several, and returns their answers in the order of the calls. */
    async ask(url: string, calls: Call[]): Promise<Answer[]> {
      if (calls.length === 0) return [];
      const body = JSON.stringify(calls.length === 1 ? calls[0] : calls);
      const parsed = JSON.parse(await text(await postOnce(url, body))) as Answer | Answer[];
      return Array.isArray(parsed) ? parsed : [parsed];
    },
    close: () => agent.destroy(),
  };
}
