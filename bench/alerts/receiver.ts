import { startHttpServer } from "../../test/doubles/http-server.ts";
import { now, receiveMessage, sendMessage } from "../shared/process.ts";

/* Receives webhooks in a process of its own. */

/** Sent at the start, and once it is asked for. */
export type Received = { url: string; arrivals: { id: string; block: number; at: number }[] };

const arrivals: Received["arrivals"] = [];
const { url } = await startHttpServer(async ({ body }) => {
  const at = now();
  const { id, data } = JSON.parse(body.toString()) as { id: string; data: { block: number } };
  arrivals.push({ id, block: data.block, at });
  return { status: 204, body: "" };
});
await sendMessage({ url, arrivals } satisfies Received);
await receiveMessage();
await sendMessage({ url, arrivals } satisfies Received);
