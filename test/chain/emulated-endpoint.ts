import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { createCounts } from "./emulated-endpoint/counts.ts";
import { createForeignLogs } from "./emulated-endpoint/foreign-logs.ts";
import { connectUpstream } from "./emulated-endpoint/json-rpc.ts";
import { createRequestHandler, parseRequest, respond } from "./emulated-endpoint/respond.ts";
import { type EndpointSettings, flawless } from "./emulated-endpoint/settings.ts";
import { type Answerer, acceptWebSockets } from "./emulated-endpoint/web-sockets.ts";

export { faultNames, faults, liveFaultNames } from "./emulated-endpoint/faults.ts";
export type { EndpointSettings } from "./emulated-endpoint/settings.ts";

export type EmulatedEndpoint = Awaited<ReturnType<typeof startEmulatedEndpoint>>;

/**
 * Starts an RPC endpoint, over HTTP and WebSocket, in front of a real node, that is as slow, limited, wrong or broken as a test
 * wants it to be.
 *
 * @example
 * const endpoint = await startEmulatedEndpoint({ upstream: anvil.rpcUrl, latencyMs: 60, requestsPerSecond: 50 });
 * endpoint.set({ breakage: "hang", breakageShare: 0.05 });
 */
export async function startEmulatedEndpoint({
  upstream: upstreamUrl,
  ...initial
}: Partial<EndpointSettings> & Pick<EndpointSettings, "upstream">) {
  const original: EndpointSettings = { ...flawless, ...initial, upstream: upstreamUrl };
  const settings = { ...original };
  const upstream = connectUpstream();
  const counts = createCounts();
  const behind = { settings, upstream, foreignLogs: createForeignLogs(() => settings.foreignLogs) };
  const handle = createRequestHandler({ ...behind, counts });
  const connections = new Set<Socket>();

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { reply, noteBytes } = await handle(parseRequest(await buffer(incoming)));
    if (reply === "hang") return;
    if (reply === "reset") return void incoming.socket.resetAndDestroy();
    const { status, headers, contentType = "application/json", body } = reply;
    if (settings.gzip) {
      const plain = typeof body === "string" ? Buffer.from(body) : await buffer(body);
      const compressed = gzipSync(plain);
      noteBytes(plain.length, compressed.length);
      outgoing.writeHead(status, { "content-type": contentType, "content-encoding": "gzip" });
      outgoing.end(compressed);
      return;
    }
    outgoing.writeHead(status, { "content-type": contentType, ...headers });
    if (typeof body === "string") {
      noteBytes(Buffer.byteLength(body));
      outgoing.end(body);
      return;
    }
    body.on("data", (chunk: Buffer) => noteBytes(chunk.length));
    await pipeline(body, outgoing);
  }

  // If the node doesn't answer, or the client doesn't wait, the connection is closed.
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  const answerNow: Answerer = async (call) => {
    if (settings.down || settings.breakage !== undefined) return undefined;
    return respond({ calls: [call], isBatch: false, body: Buffer.from(JSON.stringify(call)) }, behind);
  };
  const sockets = acceptWebSockets(server, handle, answerNow, counts);
  server.on("connection", (socket) => {
    if (settings.down) return void socket.resetAndDestroy();
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const closeConnections = () => connections.forEach((socket) => void socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    /** The requests that it has received. */
    counts,
    /** The current behaviour. */
    settings: (): EndpointSettings => ({ ...settings }),
    /** Changes the behaviour from now on. */
    set(changed: Partial<EndpointSettings>): void {
      Object.assign(settings, changed);
      if (settings.down) closeConnections();
    },
    /** Restores the initial behaviour. */
    restore(): void {
      Object.assign(settings, original);
    },
    async stop(): Promise<void> {
      closeConnections();
      sockets.close();
      await new Promise((resolve) => server.close(resolve));
      upstream.close();
    },
  };
}
