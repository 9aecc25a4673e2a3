import { Webhook } from "standardwebhooks";
import { type HttpServer, type Reply, startHttpServer } from "./http-server.ts";

export type WebhookMessage = {
  id: string;
  type: string;
  timestamp: string;
  subscription: string;
  // biome-ignore lint/suspicious/noExplicitAny: as for the answers of REST.
  data: any;
};

export type WebhookReceiver = HttpServer & {
  /** Messages that were accepted, in the order of arrival, repeated ones included. */
  messages: WebhookMessage[];
  /** Those without repeated ones. */
  distinct(): WebhookMessage[];
  /** Set to verify signatures from then on. */
  secret: string | undefined;
  /** Set to answer otherwise; undefined leaves the sender waiting. */
  answer: (() => Reply | undefined) | undefined;
  /** Requests so far, accepted or not. */
  requests: number;
};

/** A receiver of webhooks that echoes challenges, and remembers what it has accepted. It refuses what is not signed. */
export async function startWebhookReceiver(port?: number): Promise<WebhookReceiver> {
  const messages: WebhookMessage[] = [];
  const state: Pick<WebhookReceiver, "secret" | "answer" | "requests"> = {
    secret: undefined,
    answer: undefined,
    requests: 0,
  };
  const server = await startHttpServer(async ({ headers, body }) => {
    state.requests++;
    const text = body.toString();
    if (state.secret !== undefined) new Webhook(state.secret).verify(text, headers as Record<string, string>);
    const message = JSON.parse(text) as WebhookMessage;
    if (message.id !== headers["webhook-id"]) throw new Error("the id differs from the header's");
    if (message.type === "challenge") return { status: 200, body: JSON.stringify(message.data) };
    if (state.answer !== undefined) return state.answer();
    messages.push(...(message.type === "batch" ? message.data.messages : [message]));
    return { status: 204, body: "" };
  }, port);
  return Object.assign(state, {
    ...server,
    messages,
    distinct: () => [...new Map(messages.map((message) => [message.id, message])).values()],
  });
}
