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

export type StreamWorkOptions = {
  databaseUrl: string | undefined;
  /** Connections of its own: to write the journal, and to read its end. */
  pool: pg.Pool;
  hub: StreamHub;
  /** Resolves once the hub reads what is written by now. Default: at once. */
  seen?: (() => Promise<void>) | undefined;
  /** How long events are kept. */
  retentionHours: number;
};

/** Between two heartbeats, and two looks without being told. */
const beatMs = 15_000;
/** Between two looks while the index is on its way to where the journal can go on. */
const waitMs = 1_000;
const pruneMs = 3_600_000;
const mostStopMs = 1_000;

const ownChannel = "offchain_stream";

/**
 * Writes the journal whenever Ponder has indexed a block, and has the hub read it whenever anyone has written it; whether
 * there are clients or not, since some may come back.
 */
export function startStreamWork({ databaseUrl, pool, hub, seen, retentionHours }: StreamWorkOptions) {
  const record = createJournal(pool);
  let waiting: NodeJS.Timeout | undefined;
  let prunedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  const write = singleFlight(async () => {
    clearTimeout(waiting);
    if (isStopped) return;
    const result = await record();
    if (result === "waiting" && !isStopped) waiting = setTimeout(() => run(write), waitMs);
  });
  const advance = () => hub.advance();
  // Notifications come from the primary, before a replica has what they are about.
  const follow = singleFlight(async () => {
    await seen?.();
    await hub.advance();
  });

  async function prune(): Promise<void> {
    if (performance.now() - prunedAt < pruneMs) return;
    prunedAt = performance.now();
    const db = openDatabase(pool);
    while (!isStopped && (await pruneStreamEvents(db, retentionHours)));
  }

  const underWay = new Set<Promise<void>>();

  function run(work: () => Promise<unknown>): void {
    if (isStopped) return;
    const running: Promise<void> = work()
      .catch(report)
      .then(() => void underWay.delete(running));
    underWay.add(running);
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
    hub.beat();
    run(write);
    run(advance);
    run(prune);
  }, beatMs);

  run(prune);

  return {
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(beat);
      clearTimeout(waiting);
      const ended = Promise.all([listener.stop(), ...underWay]).then(() => pool.end());
      // A database that does not answer keeps nobody from ending.
      await Promise.race([ended, delay(mostStopMs, undefined, { ref: false })]);
    },
  };
}

/** What is worth a line in the log: not that the database is away, nor that nothing has been indexed into it yet. */
function report(error: unknown): void {
  const { code } = error as { code?: unknown };
  const hasNoTables = code === "42P01" || code === "3F000";
  if (!hasNoTables && !isTransientDatabaseError(error)) console.error("stream:", error);
}
