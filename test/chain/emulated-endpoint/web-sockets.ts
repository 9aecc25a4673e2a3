import type { Server } from "node:http";
import { text } from "node:stream/consumers";
import { WebSocketServer } from "ws";
import type { Counts } from "./counts.ts";
import type { Handle } from "./handle.ts";
import { parseRequest } from "./respond.ts";
import { type Answerer, createSubscriptions } from "./subscriptions.ts";

/** Accepts the same requests over WebSockets as over HTTP, and subscriptions to new blocks. */
export function acceptWebSockets(
  server: Server,
  handle: Handle,
  answerNow: Answerer,
  counts: Counts,
): WebSocketServer {
  const sockets = new WebSocketServer({ server });

  sockets.on("connection", (socket) => {
    const subscriptions = createSubscriptions(socket, answerNow, counts);

    async function answer(message: Buffer): Promise<void> {
      const request = parseRequest(message);
      const [call] = request.calls;
      const own = call && subscriptions.findAnswerer(call);
      const { reply, noteBytes } = await handle(request, own);
      if (reply === "hang") return;
      // WebSocket messages have no status: all that a client sees of a bad gateway is that the connection closes.
      if (reply === "reset" || reply.status === 502) return socket.terminate();
      const body = typeof reply.body === "string" ? reply.body : await text(reply.body);
      noteBytes(Buffer.byteLength(body));
      socket.send(body);
    }

    socket.on("error", () => socket.terminate());
    socket.on("message", (data) => void answer(data as Buffer).catch(() => socket.terminate()));
  });
  return sockets;
}
