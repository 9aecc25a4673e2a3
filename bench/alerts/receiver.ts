import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { now, sendMessage } from "../shared/process.ts";

/* Receives webhooks in a process of its own, and says when each arrived once it is stopped. */

type Arrival = { id: string; block: number; at: number };

/** Sent at the start and at the end. */
export type ReceiverMessage = { port: number; arrivals: Arrival[] };

const arrivals: Arrival[] = [];
const server = createServer(async (request, response) => {
  const body = await text(request);
  const at = now();
  response.writeHead(204).end();
  const { id, data } = JSON.parse(body) as { id: string; data: { block: number } };
  arrivals.push({ id, block: data.block, at });
});
server.keepAliveTimeout = 60_000;
const send = () => sendMessage({ port: (server.address() as AddressInfo).port, arrivals });
server.listen(0, "127.0.0.1", send);
process.on("SIGTERM", () => void send().then(() => process.exit()));
