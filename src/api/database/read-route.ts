import { setTimeout as delay } from "node:timers/promises";
import { ignore } from "../../../config/async.ts";
import { isTransientDatabaseError } from "../../../config/error-code.ts";
import type { ReplicaComparison, Servers } from "./read-pools.ts";
import { isLostConnection, isStatementTimeout } from "./retry.ts";

/** How long to wait for the replica to catch up: at the start, after a write, and while reads are held back. */
const waits = { startMs: 5_000, writeMs: 300, switchMs: 1_000 };
/** How long to wait for reads on the primary to end before switching. Those that take longer can't see later writes. */
const drainMs = 1_000;
/** Delays between two polls of a replica that is being waited for. */
const pollDelays = { firstMs: 2, maxMs: 250 };
/** Delays between two attempts to switch to the replica. */
const switchDelays = { firstMs: 100, maxMs: 2_000 };

export type ReadServer = "primary" | "replica";

/** The state of the replica, and where reads go. */
export type RouteReport = {
  readsFrom: ReadServer;
  state: "following" | "away" | "no_replica";
  lagBytes: number | null;
  lagSeconds: number | null;
};

export type ReadRouteOptions = {
  servers: Servers;
  /** Whether any reads are running on the primary. */
  isPrimaryBusy: () => boolean;
  log: (line: string) => void;
};

export type ReadRoute = ReturnType<typeof createReadRoute>;

/**
 * Decides which server this process reads from: its replica, or the primary from one of its own writes until the replica has
 * replayed it, and while the replica does not answer. Reads never go back in time: they switch to the replica only once it has
 * everything that reads may have seen on the primary, and no read starts while that is being checked.
 */
export function createReadRoute({ servers, isPrimaryBusy, log }: ReadRouteOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let server: ReadServer = "primary";
  /** WAL position of this process's last write. Undefined if unknown: it is before the primary's next answer. */
  let lastWrite: number | undefined = 0;
  let switching: Promise<void> | undefined;

  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal, ref: false }).catch(ignore);

  /** Waits until the replica has replayed up to `target`. Throws the driver's error if the replica does not answer. */
  async function replaysInTime(target: number, withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    for (let waitMs = pollDelays.firstMs; ; waitMs = Math.min(2 * waitMs, pollDelays.maxMs)) {
      if ((await servers.askReader()) >= target) return true;
      if (performance.now() >= deadline || signal.aborted) return false;
      await pause(Math.min(waitMs, Math.max(1, deadline - performance.now())));
    }
  }

  /**
   * The WAL position that the replica must have replayed to show everything up to now. While the primary is unavailable, only this
   * process's own writes count, since otherwise nothing could be read. Undefined if not even those are known.
   */
  async function readTarget(): Promise<number | undefined> {
    const writeBefore = lastWrite;
    const now = await servers.askPrimary().catch(() => undefined);
    // There was a write in the meantime, at an unknown position: it may be later than this answer.
    if (now === undefined || (lastWrite === undefined && writeBefore !== undefined)) return lastWrite;
    lastWrite ??= now.flushed;
    return Math.max(lastWrite, now.reached);
  }

  /** Switches to the replica if it catches up in time. Reads are held back until that is known. */
  function switchToReplica(withinMs: number): Promise<void> {
    switching ??= (async () => {
      try {
        const deadline = performance.now() + drainMs;
        while (isPrimaryBusy() && performance.now() < deadline) await pause(pollDelays.firstMs);
        const target = await readTarget();
        if (target !== undefined && (await replaysInTime(target, withinMs))) server = "replica";
      } catch {
        // The replica does not answer.
      } finally {
        switching = undefined;
      }
    })();
    return switching;
  }

  async function settled(): Promise<void> {
    while (switching !== undefined) await switching;
  }

  /** Whether the replica is so close to the primary that reads would be held back only briefly. */
  async function isNearlyCurrent(): Promise<boolean> {
    const target = await readTarget();
    return target !== undefined && (await replaysInTime(target, waits.writeMs));
  }

  async function keepTryingReplica(): Promise<void> {
    for (
      let waitMs = switchDelays.firstMs;
      !signal.aborted;
      waitMs = Math.min(1.5 * waitMs, switchDelays.maxMs)
    ) {
      await pause(waitMs);
      if (signal.aborted || !(await isNearlyCurrent().catch(() => false))) continue;
      await switchToReplica(waits.switchMs);
      if (server === "primary") continue;
      return log("reads go to the replica again");
    }
  }

  function fallBack(why: string): void {
    if (server === "primary") return;
    server = "primary";
    log(`reads go to the primary until the replica has caught up: ${why}`);
    void keepTryingReplica();
  }

  const started = switchToReplica(waits.startMs).then(() => {
    if (server === "replica") return;
    log("reads go to the primary: the replica of DATABASE_READ_URL is unavailable or behind");
    void keepTryingReplica();
  });

  return {
    /** Where reads go, once {@link settled} has resolved. */
    get server(): ReadServer {
      return server;
    },

    /** Resolves once reads may start. */
    settled,

    /** Resolves once every read sees what this process has committed, which must be durable. */
    async waitForOwnWrites(): Promise<void> {
      let target: number | undefined;
      try {
        target = (await servers.askPrimary()).flushed;
        if (lastWrite !== undefined) lastWrite = Math.max(lastWrite, target);
      } catch {
        lastWrite = undefined;
      }
      await settled();
      if (server === "primary") return;
      const has = target !== undefined && (await replaysInTime(target, waits.writeMs).catch(() => false));
      if (!has) fallBack("it has not replayed what was written here");
    },

    /** Resolves once every read sees what all processes have committed, however long it takes. Throws the driver's error if the primary does not answer. */
    async waitForAllWrites(): Promise<void> {
      const { flushed } = await servers.askPrimary();
      for (
        let waitMs = pollDelays.firstMs;
        !signal.aborted;
        waitMs = Math.min(2 * waitMs, pollDelays.maxMs)
      ) {
        await settled();
        if (server === "primary") return;
        const position = await servers.askReader().catch(() => Number.NEGATIVE_INFINITY);
        if (position >= flushed) return;
        await pause(waitMs);
      }
    },

    /** Called when a read failed on the server that it started with. Resolves to whether a retry may succeed. */
    async shouldRetry(error: unknown, on: ReadServer): Promise<boolean> {
      if (on === "primary" || !isTransientDatabaseError(error) || isStatementTimeout(error)) return false;
      await servers.askReader().catch((reason: Error) => fallBack(`it does not answer (${reason.message})`));
      return server === "primary" || isLostConnection(error);
    },

    /** Returns undefined if reads and writes go to one server under two names. */
    async report(): Promise<RouteReport | undefined> {
      const comparison: ReplicaComparison | undefined = await servers.compare().catch(() => undefined);
      if (comparison?.kind === "same") return undefined;
      const { lagBytes = null, lagSeconds = null } = comparison ?? {};
      const readsFrom = server;
      if (comparison?.kind === "replica") return { readsFrom, state: "following", lagBytes, lagSeconds };
      if (comparison?.kind === "foreign") return { readsFrom, state: "no_replica", lagBytes, lagSeconds };
      const answers = await servers.askReader().then(
        () => true,
        () => false,
      );
      return { readsFrom, state: answers ? "following" : "away", lagBytes, lagSeconds };
    },

    async stop(): Promise<void> {
      stopping.abort();
      await started;
    },
  };
}
