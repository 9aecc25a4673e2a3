import { once } from "node:events";
import net from "node:net";

export type TcpGate = Awaited<ReturnType<typeof startTcpGate>>;

/** A proxy in front of any TCP server that can be closed, or frozen: open, but letting nothing through. */
export async function startTcpGate(targetHost: string, targetPort: number) {
  let state: "open" | "closed" | "frozen" = "open";
  const sockets = new Set<net.Socket>();

  const server = net.createServer((incoming) => {
    if (state === "closed") {
      incoming.destroy();
      return;
    }
    const outgoing = net.connect(targetPort, targetHost);
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (state === "frozen") from.pause();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  return {
    port: (server.address() as net.AddressInfo).port,
    /** Lets everything through, starting with what had to wait. */
    open(): void {
      state = "open";
      for (const socket of sockets) socket.resume();
    },
    /** Cuts off every connection, and refuses new ones. */
    close(): void {
      state = "closed";
      for (const socket of sockets) socket.destroy();
    },
    /** Keeps connections open, but lets nothing through. */
    freeze(): void {
      state = "frozen";
      for (const socket of sockets) socket.pause();
    },
    /** Lets only new connections through, as if the host behind the frozen ones had been replaced. */
    replace(): void {
      state = "open";
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
