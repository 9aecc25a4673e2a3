import type pg from "pg";
import type { AlertSettings } from "../../../config/alerts.ts";
import { within } from "../../../config/async.ts";
import { type AlertStore, alertChannel } from "../../../offchain/alert-store.ts";
import { isAbandoned } from "../../../offchain/live-schema.ts";
import { singleFlight } from "../concurrency/single-flight.ts";
import { openDatabase } from "../database/database.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";
import { readStreamEnd } from "../stream/stream-page.query.ts";
import { startListener } from "../stream/worker.ts";
import { isJournalPaused } from "./alerts.query.ts";
import type { Attempt } from "./attempts.ts";
import { startDispatcher } from "./dispatcher.ts";
import { report } from "./report.ts";

export type AlertWorkOptions = {
  databaseUrl: string | undefined;
  pool: pg.Pool;
  store: AlertStore;
  attempt: Attempt;
  settings: AlertSettings;
  retentionHours: number;
  /** The connection's application_name in pg_stat_activity. */
  name: string;
};

/** Another process takes over 15 to 25 seconds after one has died: the lease lasts so long after its last renewal, and is looked for once a beat. */
const leaseSeconds = 20;
const renewMs = 5_000;
const pruneMs = 3_600_000;

/**
 * Delivers the journal's events to subscriptions. Of all processes, the one that has the lease does. It reads new events once for all
 * subscriptions; those that are behind read the journal for themselves.
 */
export function startAlertWork({
  databaseUrl,
  pool,
  store,
  attempt,
  settings,
  retentionHours,
  name,
}: AlertWorkOptions) {
  const db = openDatabase(pool);
  const counts = { delivered: 0, failed: 0 };
  let held: Awaited<ReturnType<typeof startDispatcher>> | undefined;
  let isStopped = false;
  let prunedAt = performance.now();

  const keepLease = singleFlight(async () => {
    if (isStopped) return;
    // Another schema continues the journal, and its processes deliver from there; or nobody writes this one any more.
    const reasons = await Promise.all([isJournalPaused(db), isAbandoned(pool, onchainSchema)]);
    if (reasons.includes(true)) {
      await release();
      return;
    }
    if (held !== undefined && !(await held.renew())) {
      held.stop();
      held = undefined;
    }
    if (held !== undefined || isStopped) return;
    // There is nothing to deliver yet, as right after the first start.
    const end = await readStreamEnd(db);
    if (end === undefined) return;
    const startedAt = performance.now();
    const lease = await store.takeLease(leaseSeconds);
    if (lease === undefined) return;
    try {
      held = await startDispatcher(
        { db, store, attempt, settings, counts, leaseSeconds },
        { ...lease, startedAt, end },
      );
    } catch (error) {
      // Another process may be able to.
      await store.releaseLease(lease.lease, null);
      throw error;
    }
    if (isStopped) await release();
  });

  async function release(): Promise<void> {
    const last = held;
    held = undefined;
    await last?.release();
  }

  function run(work: () => Promise<unknown> | undefined): void {
    void work()?.catch(report);
  }

  async function prune(): Promise<void> {
    if (performance.now() - prunedAt < pruneMs) return;
    prunedAt = performance.now();
    held?.notePositions();
    await store.prune(retentionHours);
  }

  const listener = startListener({
    part: "alerts",
    url: databaseUrl,
    name,
    channels: ["offchain_stream", alertChannel],
    onNotice(channel) {
      if (channel !== "offchain_stream") run(() => held?.reload());
      if (channel !== alertChannel) run(() => held?.advance());
    },
  });
  const beat = setInterval(() => {
    listener.check();
    run(keepLease);
    run(() => held?.reload());
    run(() => held?.advance());
    if (held !== undefined) run(prune);
  }, renewMs);
  beat.unref();
  run(keepLease);

  async function stop(): Promise<void> {
    isStopped = true;
    clearInterval(beat);
    held?.stop();
    const ended = Promise.all([listener.stop(), release().catch(report)]).then(() => pool.end());
    await within(1_000, ended);
  }
  let stopping: Promise<void> | undefined;

  return {
    counts,
    /** What the process that delivers knows; undefined in all others. */
    state: () => held?.state(),
    /** May be called again: in development, by whatever replaces it, and at the end by Ponder. */
    stop(): Promise<void> {
      stopping ??= stop();
      return stopping;
    },
  };
}
