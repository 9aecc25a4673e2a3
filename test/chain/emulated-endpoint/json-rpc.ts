import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Breakage } from "./settings.ts";

export type Call = { jsonrpc: "2.0"; id: number | string; method: string; params?: unknown[] };
export type RpcError = { code: number; message: string };
export type Answer = { jsonrpc: "2.0"; id: number | string | null; result?: unknown; error?: RpcError };

export const answerTo = ({ id }: Call, outcome: { result: unknown } | { error: RpcError }): Answer => ({
  jsonrpc: "2.0",
  id,
  ...outcome,
});

export type LogFilter = {
  blockHash?: string;
  fromBlock?: string;
  toBlock?: string;
  address?: string | string[];
  topics?: (string | string[] | null)[];
};

/** Returns the filter of an eth_getLogs; undefined for any other call. */
export function logFilterOf({ method, params }: Call): LogFilter | undefined {
  return method === "eth_getLogs" ? ((params?.[0] as LogFilter | undefined) ?? {}) : undefined;
}

/** An HTTP response that hasn't been written yet. */
export type Reply = {
  status: number;
  headers?: Pick<IncomingHttpHeaders, "content-length" | "location" | "retry-after">;
  contentType?: string;
  body: string | Readable;
};

/** How a request goes unanswered. */
export type NoReply = "reset" | "hang";

const page = "<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>";

/** Returns the reply to a request that fails. */
export function brokenReply(breakage: Breakage): Reply | NoReply {
  switch (breakage) {
    case "502 with HTML":
      return { status: 502, contentType: "text/html", body: page };
    case "broken JSON":
      return { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":[{"address":"0x' };
    case "connection reset":
      return "reset";
    case "hang":
      return "hang";
  }
}

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
