import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/* Receives webhooks in a process of its own, and says when each arrived. */

const arrivals: { id: string; block: number; at: number }[] = [];

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on("end", () => {
    const at = performance.timeOrigin + performance.now();
    response.writeHead(204).end();
    const { id, data } = JSON.parse(body) as { id: string; data: { block: number } };
    arrivals.push({ id, block: data.block, at });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("message", () => process.send?.({ arrivals: arrivals.splice(0) }));
process.on("disconnect", () => process.exit());
