import type pg from "pg";

/** Milliseconds of silence until the kernel asks whether the other side is still there. Node has it give up some ten seconds later. */
const keepAliveMs = 10_000;

/**
 * Adds to the options of a client or pool what every connection to Postgres needs. Without it, a host that vanishes is noticed after two
 * hours: an answer that is under way would never come, and nothing would fail.
 */
export const connectionOptions = <Options extends pg.PoolConfig>(options: Options) => ({
  keepAlive: true,
  // `keepAlive` alone leaves the kernel's default.
  keepAliveInitialDelayMillis: keepAliveMs,
  ...options,
});
