import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type HostileServer = Awaited<ReturnType<typeof startHostileServer>>;

/** A server that answers as a test says, and counts requests and the answers that the client cut off. */
export async function startHostileServer(answer: (response: ServerResponse) => void) {
  const seen = { requests: 0, cut: 0 };
  const server = createServer((request, response) => {
    seen.requests++;
    response.on("close", () => {
      if (!response.writableFinished) seen.cut++;
    });
    request.resume().on("end", () => answer(response));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends an answer that never ends, for as long as the client reads it. */
export function endless(response: ServerResponse): void {
  response
    .writeHead(200, { "content-type": "application/json" })
    .write('{"jsonrpc":"2.0","id":1,"result":"0x');
  const more = Buffer.alloc(64 * 1_024, "00");
  const goOn = () => {
    while (!response.destroyed && response.write(more));
  };
  response.on("drain", goOn);
  goOn();
}
