import { setTimeout } from "node:timers/promises";
import type { Comparison, Servers } from "./replica-servers.ts";
import { isLostConnection, isStatementTimeout, isTransientDatabaseError } from "./transient-error.ts";

/** Milliseconds for which a replica is waited for: at the start, after a write, and while no read may begin. */
const patience = { startMs: 5_000, writeMs: 300, turnMs: 1_000 };
/** For reads that began on the primary. What is under way after that has seen nothing of what is written from then on. */
const drainMs = 1_000;
/** Between two looks at a replica that is waited for. */
const steps = { firstMs: 2, longestMs: 250 };
/** Between two attempts to go back to a replica. */
const returns = { firstMs: 100, longestMs: 2_000 };

export type ReadServer = "primary" | "replica";

/** How the replica does, and where reads go. */
export type RouteReport = {
  readsFrom: ReadServer;
  state: "following" | "away" | "no_replica";
  lagBytes: number | null;
  lagSeconds: number | null;
};

export type ReadRouteOptions = {
  servers: Servers;
  /** Whether reads are under way on the primary. */
  isPrimaryBusy: () => boolean;
  log: (line: string) => void;
};

export type ReadRoute = ReturnType<typeof createReadRoute>;

/**
 * Decides which server this process reads from: its replica, or the primary from a write of its own until the replica has replayed that, and
 * while the replica does not answer. What is read never gets older: it goes to the replica only once that has all that reads may
 * have seen on the primary, and no read begins while this is found out.
 */
export function createReadRoute({ servers, isPrimaryBusy, log }: ReadRouteOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let server: ReadServer = "primary";
  /** Where the last write of this process is in the log. Undefined: before what the primary says next. */
  let floor: number | undefined = 0;
  let turning: Promise<void> | undefined;

  const pause = (milliseconds: number) =>
    setTimeout(milliseconds, undefined, { signal, ref: false }).catch(ignoreStop);

  /** Throws the driver's error where the replica does not answer. */
  async function hasReplayed(target: number, withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    for (let waitMs = steps.firstMs; ; waitMs = Math.min(2 * waitMs, steps.longestMs)) {
      if ((await servers.askReader()) >= target) return true;
      if (performance.now() >= deadline || signal.aborted) return false;
      await pause(Math.min(waitMs, Math.max(1, deadline - performance.now())));
    }
  }

  /**
   * What the replica must have replayed to show all that was there until now. While the primary is away, what was written here must do,
   * or nobody could read. Undefined: not even that is known.
   */
  async function targetNow(): Promise<number | undefined> {
    const before = floor;
    const now = await servers.askPrimary().catch(() => undefined);
    // A write came meanwhile whose place is not known: it may be later than this answer.
    if (now === undefined || (floor === undefined && before !== undefined)) return floor;
    floor ??= now.flushed;
    return Math.max(floor, now.reached);
  }

  /** Goes to the replica, if it has everything in time. Until that is known, no read begins. */
  function turn(withinMs: number): Promise<void> {
    turning ??= (async () => {
      try {
        const deadline = performance.now() + drainMs;
        while (isPrimaryBusy() && performance.now() < deadline) await pause(steps.firstMs);
        const target = await targetNow();
        if (target !== undefined && (await hasReplayed(target, withinMs))) server = "replica";
      } catch {
        // It does not answer.
      } finally {
        turning = undefined;
      }
    })();
    return turning;
  }

  async function decided(): Promise<void> {
    while (turning !== undefined) await turning;
  }

  /** Whether the replica is so close to the primary that reads need wait for a moment only. */
  async function isNear(): Promise<boolean> {
    const target = await targetNow();
    return target !== undefined && (await hasReplayed(target, patience.writeMs));
  }

  async function goBack(): Promise<void> {
    for (let waitMs = returns.firstMs; !signal.aborted; waitMs = Math.min(1.5 * waitMs, returns.longestMs)) {
      await pause(waitMs);
      if (signal.aborted || !(await isNear().catch(() => false))) continue;
      await turn(patience.turnMs);
      if (server === "primary") continue;
      return log("reads go to the replica again");
    }
  }

  function leave(why: string): void {
    if (server === "primary") return;
    server = "primary";
    log(`reads go to the primary until the replica has caught up: ${why}`);
    void goBack();
  }

  const started = turn(patience.startMs).then(() => {
    if (server === "replica") return;
    log("reads go to the primary: the replica of DATABASE_READ_URL is away or behind");
    void goBack();
  });

  return {
    /** Where reads go, once it is {@link decided}. */
    get server(): ReadServer {
      return server;
    },

    /** Resolves while reads may begin. */
    decided,

    /** Resolves once every read sees what is committed now. The caller has committed durably. */
    async written(): Promise<void> {
      let target: number | undefined;
      try {
        target = (await servers.askPrimary()).flushed;
        if (floor !== undefined) floor = Math.max(floor, target);
      } catch {
        floor = undefined;
      }
      await decided();
      if (server === "primary") return;
      const has = target !== undefined && (await hasReplayed(target, patience.writeMs).catch(() => false));
      if (!has) leave("it has not replayed what was written here");
    },

    /** The same for what others have written, and however long it takes. Throws the driver's error where the primary does not answer. */
    async seen(): Promise<void> {
      const { flushed } = await servers.askPrimary();
      for (let waitMs = steps.firstMs; !signal.aborted; waitMs = Math.min(2 * waitMs, steps.longestMs)) {
        await decided();
        if (server === "primary") return;
        const position = await servers.askReader().catch(() => Number.NEGATIVE_INFINITY);
        if (position >= flushed) return;
        await pause(waitMs);
      }
    },

    /** Takes note that a read failed on the server that it began with, and resolves to whether another one may succeed. */
    async failed(error: unknown, on: ReadServer): Promise<boolean> {
      if (on === "primary" || !isTransientDatabaseError(error) || isStatementTimeout(error)) return false;
      await servers.askReader().catch((reason: Error) => leave(`it does not answer (${reason.message})`));
      return server === "primary" || isLostConnection(error);
    },

    /** Undefined: reads and writes go to one server, by two names. */
    async report(): Promise<RouteReport | undefined> {
      const found: Comparison | undefined = await servers.compare().catch(() => undefined);
      if (found?.kind === "same") return undefined;
      const { lagBytes = null, lagSeconds = null } = found ?? {};
      const readsFrom = server;
      if (found?.kind === "replica") return { readsFrom, state: "following", lagBytes, lagSeconds };
      if (found?.kind === "foreign") return { readsFrom, state: "no_replica", lagBytes, lagSeconds };
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

const ignoreStop = () => {};
