import { readRetryAfter } from "../../../config/parse.ts";
import { createOutbound, type OutboundTarget } from "../http/outbound.ts";

export type WebhookAnswer = {
  status: number;
  /** The first kilobyte of the body. */
  body: string;
  /** Seconds, from Retry-After; 0 without. */
  retryAfter: number;
};

export type WebhookRequest = {
  target: OutboundTarget;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
};

const maxAnswerBytes = 1_024;
const maxRetryAfterMs = 3_600_000;

/** The host of a receiver, whatever port and notation its URL has. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/\.$/, "");

export type WebhookSender = ReturnType<typeof createWebhookSender>;

/** Creates what sends requests to receivers. It follows no redirect. */
export function createWebhookSender(options: Parameters<typeof createOutbound>[0]) {
  const outbound = createOutbound(options);
  return {
    resolve: outbound.resolve,
    close: outbound.close,

    /** Posts a body. Resolves to any answer, even a redirect or an error. Throws an OutboundError if there is none in time. */
    post: (request: WebhookRequest): Promise<WebhookAnswer> =>
      outbound.send({ ...request, method: "POST" }, async ({ status, headers, chunks }) => {
        let body = Buffer.alloc(0);
        for await (const chunk of chunks) {
          body = Buffer.concat([body, chunk.subarray(0, maxAnswerBytes - body.length)]);
          if (body.length === maxAnswerBytes) break;
        }
        const retryAfterMs = readRetryAfter(headers["retry-after"], maxRetryAfterMs) ?? 0;
        return { status, body: body.toString("utf8"), retryAfter: Math.ceil(retryAfterMs / 1_000) };
      }),
  };
}
