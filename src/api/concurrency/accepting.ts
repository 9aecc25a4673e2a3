import { setImmediate as nextTick } from "node:timers/promises";

/** The most ticks that work waits for connections, so that a client that keeps connecting can't hold it up. */
const maxTicks = 16;

let accepted = 0;
let isConnecting = false;

/**
 * Call this for each accepted connection. Node accepts one connection per tick of its event loop, so a client that connects
 * behind a crowd waits one tick for each connection before it. Those ticks must therefore be short.
 */
export function noteAccepted(): void {
  accepted++;
  if (!isConnecting) void waitForIdleTick();
}

/** As long as each tick brings a connection, more may be waiting. */
async function waitForIdleTick(): Promise<void> {
  isConnecting = true;
  await nextTick();
  for (let before = 0; before < accepted; ) {
    before = accepted;
    await nextTick();
  }
  isConnecting = false;
}

/** Whether connections are being accepted. */
export const isAccepting = () => isConnecting;

/** Returns undefined if nobody is connecting; otherwise resolves once all are accepted, after 16 ticks at the latest. */
export function afterAccepting(): Promise<void> | undefined {
  return isConnecting ? waitForAll() : undefined;
}

async function waitForAll(): Promise<void> {
  for (let ticks = 0; ticks < maxTicks && isConnecting; ticks++) await nextTick();
}
