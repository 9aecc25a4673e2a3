import { setImmediate as nextTick } from "node:timers/promises";

/** Ticks for which work waits for connections at most, so that whoever keeps connecting holds nothing up. */
const mostTicks = 16;

let accepted = 0;
let isAccepting = false;

/**
 * To be called for each connection that is accepted. Node accepts one in a tick of its event loop: whoever comes after a crowd
 * waits for as many ticks as the crowd has connections, which is why they must be short.
 */
export function noteAccepted(): void {
  accepted++;
  if (!isAccepting) void untilTickBringsNone();
}

/** As long as each tick brings a connection, more may be waiting. */
async function untilTickBringsNone(): Promise<void> {
  isAccepting = true;
  await nextTick();
  for (let before = 0; before < accepted; ) {
    before = accepted;
    await nextTick();
  }
  isAccepting = false;
}

/** Undefined if nobody is connecting; otherwise resolves when everybody is accepted, after 16 ticks at the latest. */
export function afterAccepting(): Promise<void> | undefined {
  return isAccepting ? waitForAll() : undefined;
}

async function waitForAll(): Promise<void> {
  for (let ticks = 0; ticks < mostTicks && isAccepting; ticks++) await nextTick();
}
