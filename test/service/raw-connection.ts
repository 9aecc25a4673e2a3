import { once } from "node:events";
import net from "node:net";
import { until } from "./condition.ts";

export type RawConnection = Awaited<ReturnType<typeof connectRaw>>;

/** A TCP connection on which a test decides which bytes are sent, and whether anything is read. */
export async function connectRaw(port: number) {
  const socket = net.connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  await once(socket, "connect");
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
  });

  return {
    /** Resolves once the operating system has taken the bytes, or the connection is gone. */
    send: (bytes: string | Buffer) => new Promise<void>((resolve) => socket.write(bytes, () => resolve())),
    /** Waits for the first bytes of an answer and then stops reading. */
    async stallAfterStart(): Promise<void> {
      await until("the first bytes of an answer", async () => received !== "" || socket.destroyed);
      socket.pause();
    },
    /** The answer's status, or undefined if there is none yet. */
    status: (): number | undefined => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
      return status === undefined ? undefined : Number(status);
    },
    received: () => received,
    isClosed: () => socket.destroyed,
    close: () => socket.destroy(),
  };
}
