import { parentPort, workerData } from "node:worker_threads";
import { type AttemptSettings, createAttempt, type Outcome, PostponedError } from "./attempts.ts";
import type { Receiver } from "./receiver-secrets.ts";
import { createWebhookSender } from "./webhook-request.ts";

/*
 * The thread that resolves names, signs and sends, so that neither indexing nor the API waits for it. Node itself starts it and strips
 * the types: it may only import packages and `.ts` files of the same kind.
 */

export type AttemptRequest = { call: number; receiver: Receiver; id: string; body: string; until: number };

export type AttemptReport = { call: number } & (
  | { outcome: Outcome }
  | { postponedMs: number }
  | { error: unknown }
);

const port = parentPort;
if (port === null) throw new Error("attempts-worker.ts runs in a worker thread");
const settings: AttemptSettings = workerData;
const attempt = createAttempt(settings, createWebhookSender(settings));

port.on("message", async ({ call, receiver, id, body, until }: AttemptRequest) => {
  const report = (result: { outcome: Outcome } | { postponedMs: number } | { error: unknown }) =>
    port.postMessage({ call, ...result } satisfies AttemptReport);
  try {
    report({ outcome: await attempt(receiver, id, body, until) });
  } catch (error) {
    report(error instanceof PostponedError ? { postponedMs: error.milliseconds } : { error });
  }
});
