import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

export type ForwardingProxy = Awaited<ReturnType<typeof startForwardingProxy>>;

/** A reverse proxy that appends its client's address, like nginx with `$proxy_add_x_forwarded_for`. */
export async function startForwardingProxy(targetPort: number) {
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((incoming, outgoing) => {
    const seen = incoming.socket.remoteAddress ?? "";
    const before = incoming.headers["x-forwarded-for"];
    const headers = {
      ...incoming.headers,
      "x-forwarded-for": before === undefined ? seen : `${before}, ${seen}`,
    };
    const target = { host: "127.0.0.1", port: targetPort, method: incoming.method, path: incoming.url };
    const request = http.request({ ...target, headers, agent }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    request.on("error", () => outgoing.destroy());
    outgoing.on("close", () => request.destroy());
    incoming.pipe(request);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    async stop(): Promise<void> {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
