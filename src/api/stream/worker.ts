import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { ignore, pause } from "../../../config/async.ts";
import { connectionOptions } from "../../../config/connection-options.ts";
import { reasonOf } from "../../../config/error-code.ts";
import { statement } from "../../../offchain/connection.ts";
import { pruneStreamEvents } from "../../../offchain/stream-store.ts";
import { singleFlight } from "../concurrency/single-flight.ts";
import { openDatabase } from "../database/database.ts";
import { reportErrorsOf } from "../database/retry.ts";
import { onchainSchema, ponderChannel } from "../ponder/index-state.query.ts";
import type { Broadcaster } from "./broadcaster.ts";
import { createJournal, nextStep } from "./journal.ts";
import { readStreamIndex } from "./stream-changes.query.ts";

export type StreamWorkerOptions = {
  databaseUrl: string | undefined;
  /** Dedicated connections for writing the journal and reading its end. */
  pool: pg.Pool;
  broadcaster: Broadcaster;
  /** Resolves once the broadcaster's database has everything written so far. Default: at once. */
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
 * Writes the journal whenever Ponder has indexed a block, and makes the broadcaster read it whenever any process has written it. The journal
 * is written even without clients, since some may come back.
 */
export function startStreamWorker({
  databaseUrl,
  pool,
  broadcaster,
  waitForReplica,
  retentionHours,
}: StreamWorkerOptions) {
  const record = createJournal(pool);
  let waiting: NodeJS.Timeout | undefined;
  let prunedAt = Number.NEGATIVE_INFINITY;
  /** When the journal was last at its end, and when the broadcaster has last read it. */
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
    await broadcaster.advance();
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
    part: "stream",
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
    run(broadcaster.sendHeartbeat);
    run(write);
    run(advance);
    run(prune);
  }, beatMs);

  run(prune);

  return {
    /** Begins the journal, without which no stream begins, if the backfill is done and nothing else prevents it. Throws the driver's error if the database fails. */
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

const report = reportErrorsOf("stream");

type ListenerOptions = {
  /** Whose listener it is, for the log. */
  part: "stream" | "alerts";
  url: string | undefined;
  /** The connection's application_name in pg_stat_activity. */
  name: string;
  channels: string[];
  /**
   * Called after notifications, at most every {@link restMs} for each channel, since any role may send them. Called without a channel
   * after connecting, since some may have been missed.
   */
  onNotice: (channel?: string) => void;
  /** Milliseconds without a connection after which a line is logged. Default: 10,000. */
  patienceMs?: number;
};

const connectMs = 4_000;
const retryMs = 500;
const gracefulCloseMs = 300;
const defaultPatienceMs = 10_000;
/** Short beside the time between blocks. */
export const restMs = 25;

/** Listens to notifications of Postgres on a dedicated connection, which is re-established whenever it is lost. */
export function startListener({
  part,
  url,
  name,
  channels,
  onNotice,
  patienceMs = defaultPatienceMs,
}: ListenerOptions) {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  let connected: pg.Client | undefined;
  /** Channels with a recent notice: whether another notification has arrived since. */
  const resting = new Map<string, boolean>();

  function note(channel: string): void {
    if (stopping.signal.aborted) return;
    if (resting.has(channel)) {
      resting.set(channel, true);
      return;
    }
    onNotice(channel);
    resting.set(channel, false);
    setTimeout(() => {
      const isDue = resting.get(channel);
      resting.delete(channel);
      if (isDue) note(channel);
    }, restMs).unref();
  }

  /** Resolves when the connection is lost. */
  async function listen(): Promise<void> {
    const client = new pg.Client(
      connectionOptions({
        connectionString: url,
        application_name: name,
        connectionTimeoutMillis: connectMs,
        query_timeout: connectMs,
      }),
    );
    const ended = new Promise<void>((resolve) => client.once("end", resolve));
    // The `end` event follows, and with it the next attempt to connect.
    client.on("error", ignore);
    client.on("notification", ({ channel }) => note(channel));
    const end = () => {
      void client.end().catch(ignore);
      // A connection that is dead never ends gracefully.
      setTimeout(() => client.connection.stream.destroy(), gracefulCloseMs).unref();
    };
    try {
      // `connect` would never settle if the client is ended meanwhile.
      await Promise.race([client.connect(), stopped]);
      if (stopping.signal.aborted) return;
      for (const channel of channels) await client.query(statement`listen ${channel}`);
      connected = client;
      onNotice();
      await Promise.race([ended, stopped]);
    } finally {
      connected = undefined;
      end();
    }
  }

  const running = (async () => {
    let failingSince: number | undefined;
    while (!stopping.signal.aborted) {
      const failure = await listen().then(
        () => undefined,
        (error: Error) => error,
      );
      failingSince = failure && (failingSince ?? performance.now());
      if (failure !== undefined && performance.now() - (failingSince ?? 0) > patienceMs) {
        console.warn(
          `${part}: no connection to Postgres that announces events (${reasonOf(failure)}): they are looked for every few seconds meanwhile`,
        );
        failingSince = Number.POSITIVE_INFINITY;
      }
      await pause(retryMs, stopping.signal);
    }
  })();

  return {
    /** Checks the connection, and reconnects if the server does not answer. */
    check(): void {
      const client = connected;
      // A server that is unreachable never closes the connection, so the socket is destroyed here.
      client?.query("select").catch(() => client.connection.stream.destroy());
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
