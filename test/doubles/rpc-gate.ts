import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type RpcGate = Awaited<ReturnType<typeof startRpcGate>>;

/** A proxy in front of a node that can be closed: it then refuses requests, or holds them until it is open again. */
export async function startRpcGate(target: string) {
  let state: "open" | "closed" | "holding" = "open";
  let refused = 0;
  let held: string[] = [];
  let release: () => void = () => {};
  let opened = Promise.resolve();

  const server = createServer(async (request, response) => {
    if (state === "closed") {
      refused++;
      response.writeHead(503).end();
      return;
    }
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (state === "holding") {
        held.push(JSON.parse(Buffer.concat(chunks).toString()).method);
        await opened;
      }
      const answer = await fetch(target, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: Buffer.concat(chunks),
      });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    } catch {
      // The client is gone, or the node is.
      response.destroy();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The number of requests refused since it was closed. */
    refused: () => refused,
    /** The number of requests of a method that were held since `hold`. */
    held: (method: string) => held.filter((name) => name === method).length,
    open(): void {
      state = "open";
      release();
    },
    close(): void {
      state = "closed";
      refused = 0;
    },
    hold(): void {
      state = "holding";
      held = [];
      const waiting = Promise.withResolvers<void>();
      opened = waiting.promise;
      release = waiting.resolve;
    },
    async stop(): Promise<void> {
      release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
