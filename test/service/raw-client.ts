import { once } from "node:events";
import net from "node:net";
import { until } from "./condition.ts";

export type RawClient = Awaited<ReturnType<typeof connect>>;

/** A TCP connection on which a test sends any bytes at any time. It reads nothing until the test says so. */
export async function connect(
  port: number,
  options: { localAddress?: string; allowHalfOpen?: boolean } = {},
) {
  const socket = net.connect({ port, host: "127.0.0.1", ...options });
  let text = "";
  let isClosed = false;
  socket.on("error", () => {});
  socket.once("close", () => {
    isClosed = true;
  });
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  const keep = (chunk: Buffer) => {
    text = (text + chunk.toString("latin1")).slice(0, 1_000_000);
  };
  const read = () => {
    if (!socket.listeners("data").includes(keep)) socket.on("data", keep);
  };

  return {
    socket,
    send: (data: string | Buffer) => void socket.write(data),
    read,
    /** The text received so far. */
    text: () => text,
    isClosed: () => isClosed,
    /** Resolves to everything received, once the other side has closed. */
    async closed(): Promise<string> {
      read();
      await until("the connection to be closed", async () => isClosed);
      return text;
    },
    /** Resolves to the statuses once `count` answers have begun, or the connection is closed. */
    async answers(count = 1): Promise<number[]> {
      read();
      const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      await until(`${count} answers`, async () => statuses().length >= count || isClosed);
      return statuses();
    },
    close: () => socket.destroy(),
  };
}

/** Parses the problem in an answer's body. */
export function problemIn(text: string): { status: number; code: string } {
  const body = text.slice(text.indexOf("\r\n\r\n") + 4);
  if (!text.includes("application/problem+json")) throw new Error(`no problem in: ${text.slice(0, 500)}`);
  return JSON.parse(body);
}
