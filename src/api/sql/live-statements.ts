import { createHash } from "node:crypto";
import { ProblemException } from "../http/problem.ts";
import type { Statement } from "./check-statement.ts";
import { liveLimits } from "./limits.ts";
import { toPonderResult } from "./ponder-query.ts";
import type { RunStatement } from "./run-statement.ts";
import { tooManyRows } from "./sql-problem.ts";

/** A subscriber to a statement's result. */
export type Subscriber = {
  /** Receives each result that differs from the previous one, as JSON. */
  send(answer: string): void;
  /** Called when the subscription ends on our side. */
  end(): void;
};

export type LiveOptions = {
  run: RunStatement;
  /** Reads a version that changes with each block and registration. */
  readVersion: () => Promise<string>;
};

type LiveStatement = {
  statement: Statement;
  subscribers: Set<Subscriber>;
  /** The last result, and the version that it is of. */
  answer: string;
  version: string | undefined;
};

export type LiveStatements = ReturnType<typeof createLiveStatements>;

/**
 * Live queries: statements that run again whenever something was written, one after another, and once for all subscribers of
 * the same statement.
 */
export function createLiveStatements({ run, readVersion }: LiveOptions) {
  const statements = new Map<string, LiveStatement>();
  const stopping = new AbortController();
  let subscriptions = 0;
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;

  async function runLive(statement: Statement, signal: AbortSignal): Promise<string> {
    const found = await run(statement, signal, liveLimits);
    if (found.isCut) throw tooManyRows(liveLimits.rows);
    return JSON.stringify(toPonderResult(found));
  }

  async function refresh(key: string, live: LiveStatement, version: string): Promise<void> {
    try {
      const answer = await runLive(live.statement, stopping.signal);
      live.version = version;
      if (answer === live.answer) return;
      live.answer = answer;
      for (const subscriber of live.subscribers) subscriber.send(answer);
    } catch (error) {
      // Any other error may be transient: the next version tries again.
      if (!(error instanceof ProblemException)) return;
      statements.delete(key);
      for (const subscriber of live.subscribers) subscriber.end();
    }
  }

  async function refreshAll(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      const version = await readVersion();
      for (const [key, live] of statements) {
        if (live.version !== version && live.subscribers.size > 0) await refresh(key, live, version);
      }
    } catch {
      // The database is unavailable: the next check tries again.
    } finally {
      isRunning = false;
    }
  }

  const watch = () => {
    timer ??= setInterval(refreshAll, liveLimits.pollIntervalMs).unref();
  };

  function unsubscribe(key: string, live: LiveStatement, subscriber: Subscriber): void {
    if (!live.subscribers.delete(subscriber)) return;
    subscriptions--;
    if (live.subscribers.size === 0 && statements.get(key) === live) statements.delete(key);
    if (subscriptions > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /**
     * Resolves to the current result and a function that ends the subscription. Throws a ProblemException if the
     * statement or the number of subscriptions is not allowed.
     */
    async subscribe(statement: Statement, subscriber: Subscriber, signal: AbortSignal) {
      const key = createHash("sha256").update(JSON.stringify(statement)).digest("base64");
      if (
        subscriptions >= liveLimits.clients ||
        (!statements.has(key) && statements.size >= liveLimits.statements)
      )
        throw tooManyLiveQueries();
      // Read before the statement runs, so that anything written meanwhile makes it run again.
      const version = await readVersion();
      const known = statements.get(key);
      const answer = known?.version === version ? known.answer : await runLive(statement, signal);
      const live = statements.get(key) ?? { statement, subscribers: new Set<Subscriber>(), answer, version };
      if (stopping.signal.aborted || (!statements.has(key) && statements.size >= liveLimits.statements))
        throw tooManyLiveQueries();
      statements.set(key, live);
      live.subscribers.add(subscriber);
      subscriptions++;
      watch();
      return { answer, unsubscribe: () => unsubscribe(key, live, subscriber) };
    },
    /** Ends all current subscriptions. */
    endAll(): void {
      for (const { subscribers } of [...statements.values()])
        for (const subscriber of [...subscribers]) subscriber.end();
    },
    stop(): void {
      stopping.abort(new Error("the service is stopping"));
      clearInterval(timer);
    },
  };
}

function tooManyLiveQueries(): ProblemException {
  return new ProblemException({
    status: 503,
    code: "busy",
    title: "Busy",
    detail:
      "This process has as many live queries as it allows: try again later, or run the query with each block.",
    retryAfter: 30,
  });
}
