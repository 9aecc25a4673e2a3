import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { now, sendMessage } from "../shared/process.ts";

/* Receives webhooks in a process of its own, and says when each arrived once it is stopped. */

export type Arrival = { id: string; block: number; at: number };

export type ReceiverMessage = { port: number } | { arrivals: Arrival[] };

const arrivals: Arrival[] = [];
const server = createServer(async (request, response) => {
  const body = await text(request);
  const at = now();
  response.writeHead(204).end();
  const { id, data } = JSON.parse(body) as { id: string; data: { block: number } };
  arrivals.push({ id, block: data.block, at });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => void sendMessage({ port: (server.address() as AddressInfo).port }));
process.on("SIGTERM", () => void sendMessage({ arrivals }).then(() => process.exit()));
