import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { pruneStreamEvents } from "../../../offchain/stream-store.ts";
import { singleFlight } from "../concurrency/single-flight.ts";
import { openDatabase } from "../database/database.ts";
import { isTransientDatabaseError } from "../database/transient-error.ts";
import { onchainSchema, ponderChannel } from "../ponder/index-state.query.ts";
import type { StreamHub } from "./hub.ts";
import { createJournal } from "./journal.ts";
import { startListener } from "./listener.ts";
import { nextStep } from "./next-step.ts";
import { readStreamIndex } from "./stream-changes.query.ts";

export type StreamWorkOptions = {
  databaseUrl: string | undefined;
  /** Dedicated connections for writing the journal and reading its end. */
  pool: pg.Pool;
  hub: StreamHub;
  /** Resolves once the hub's database has everything written so far. Default: at once. */
  waitForReplica?: (() => Promise<void>) | undefined;
  /** For how long events are kept. */
  retentionHours: number;
};

/** The interval of heartbeats, and of polling in case a notification was missed. */
const beatMs = 15_000;
/** The interval of polling until the index is in a state that the journal can follow. */
const waitMs = 1_000;
const pruneMs = 3_600_000;
const stopTimeoutMs = 1_000;

const ownChannel = "offchain_stream";

/**
 * Writes the journal whenever Ponder has indexed a block, and makes the hub read it whenever any process has written it. The journal
 * is written even without clients, since some may come back.
 */
export function startStreamWork({
  databaseUrl,
  pool,
  hub,
  waitForReplica,
  retentionHours,
}: StreamWorkOptions) {
  const record = createJournal(pool);
  let waiting: NodeJS.Timeout | undefined;
  let prunedAt = Number.NEGATIVE_INFINITY;
  /** When the journal was last at its end, and when the hub has last read it. */
  let [writtenAt, readAt] = [performance.now(), performance.now()];
  let isStopped = false;

  const write = singleFlight(async () => {
    clearTimeout(waiting);
    if (isStopped) return;
    const result = await record();
    if (result === "waiting" && !isStopped) waiting = setTimeout(() => run(write), waitMs);
    if (result !== "waiting") writtenAt = performance.now();
  });
  const advance = async () => {
    await hub.advance();
    readAt = performance.now();
  };
  // Notifications come from the primary, possibly before a replica has the rows.
  const follow = singleFlight(async () => {
    await waitForReplica?.();
    await advance();
  });

  async function prune(): Promise<void> {
    if (performance.now() - prunedAt < pruneMs) return;
    prunedAt = performance.now();
    const db = openDatabase(pool);
    while (!isStopped && (await pruneStreamEvents(db, retentionHours)));
  }

  const pending = new Set<Promise<void>>();

  function run(work: () => Promise<unknown>): void {
    if (isStopped) return;
    const running: Promise<void> = work()
      .catch(report)
      .then(() => void pending.delete(running));
    pending.add(running);
  }

  const listener = startListener({
    url: databaseUrl,
    name: `${onchainSchema}_listener`,
    channels: [ponderChannel, ownChannel],
    onNotice(channel) {
      if (channel !== ownChannel) run(write);
      if (channel !== ponderChannel) run(follow);
    },
  });
  const beat = setInterval(() => {
    listener.check();
    hub.sendHeartbeat();
    run(write);
    run(advance);
    run(prune);
  }, beatMs);

  run(prune);

  return {
    /** Begins the journal if nothing prevents it. Throws the driver's error if the database fails. */
    async begin(): Promise<void> {
      const rows = await readStreamIndex(openDatabase(pool));
      if (rows.some((row) => nextStep(row, 0).kind === "begin")) await write();
    },
    /** For how many seconds the journal has not been written to its end, or not been read. Between beats it may be up to {@link beatMs}. */
    idleSeconds: () => Math.round((performance.now() - Math.min(writtenAt, readAt)) / 1_000),
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(beat);
      clearTimeout(waiting);
      const ended = Promise.all([listener.stop(), ...pending]).then(() => pool.end());
      // A database that does not answer must not keep the process from ending.
      await Promise.race([ended, delay(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/** Logs an error, unless it only means that the database is unavailable or that nothing has been indexed into it yet. */
function report(error: unknown): void {
  const { code } = error as { code?: unknown };
  const hasNoTables = code === "42P01" || code === "3F000";
  if (!hasNoTables && !isTransientDatabaseError(error)) console.error("stream:", error);
}
