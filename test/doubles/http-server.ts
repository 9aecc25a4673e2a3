import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { method: string; url: URL; headers: IncomingHttpHeaders; body: Buffer };
export type Reply = { status: number; body: string | Buffer; headers?: Record<string, string> };

export type HttpServer = { url: string; close(): Promise<void> };

/** A server on loopback. If the handler returns undefined, the client is left waiting; if it throws, the status is 599. */
export async function startHttpServer(
  handle: (request: Received) => Promise<Reply | undefined>,
  port = 0,
  host = "127.0.0.1",
): Promise<HttpServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "/", headers } = request;
    try {
      const reply = await handle({
        method,
        url: new URL(url, "http://127.0.0.1"),
        headers,
        body: Buffer.concat(chunks),
      });
      if (reply !== undefined) response.writeHead(reply.status, reply.headers).end(reply.body);
    } catch (error) {
      response.writeHead(599).end(String(error));
    }
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Parses a multipart/form-data body with Node's own parser. */
export async function readForm({ headers, body }: Received): Promise<FormData> {
  return await new Response(new Uint8Array(body), {
    headers: { "content-type": headers["content-type"] ?? "" },
  }).formData();
}
