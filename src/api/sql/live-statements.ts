import { createHash } from "node:crypto";
import { ProblemException } from "../http/problem.ts";
import type { Statement } from "./check-statement.ts";
import { liveLimits } from "./limits.ts";
import { ponderAnswer } from "./ponder-query.ts";
import type { RunStatement } from "./run-statement.ts";
import { tooManyRows } from "./sql-problem.ts";

/** Who follows a statement. */
export type Follower = {
  /** Gets each answer that differs from the one before, as JSON. */
  show(answer: string): void;
  /** The statement can't be followed any more. */
  end(): void;
};

export type LiveOptions = {
  run: RunStatement;
  /** Differs after each block and registration. */
  readVersion: () => Promise<string>;
};

type Followed = {
  statement: Statement;
  followers: Set<Follower>;
  /** What it answered last, and as of which version. */
  answer: string;
  version: string | undefined;
};

export type LiveStatements = ReturnType<typeof createLiveStatements>;

/**
 * Statements whose answers are followed. Each runs again when something was written, one after the other, and once for all who
 * follow it.
 */
export function createLiveStatements({ run, readVersion }: LiveOptions) {
  const followed = new Map<string, Followed>();
  const stopping = new AbortController();
  let followers = 0;
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;

  async function ask(statement: Statement, signal: AbortSignal): Promise<string> {
    const found = await run(statement, signal, liveLimits);
    if (found.isCut) throw tooManyRows(liveLimits.rows);
    return JSON.stringify(ponderAnswer(found));
  }

  async function refresh(key: string, one: Followed, version: string): Promise<void> {
    try {
      const answer = await ask(one.statement, stopping.signal);
      one.version = version;
      if (answer === one.answer) return;
      one.answer = answer;
      for (const follower of one.followers) follower.show(answer);
    } catch (error) {
      // What is over by itself is tried again with the next block.
      if (!(error instanceof ProblemException)) return;
      followed.delete(key);
      for (const follower of one.followers) follower.end();
    }
  }

  async function refreshAll(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      const version = await readVersion();
      for (const [key, one] of followed) {
        if (one.version !== version && one.followers.size > 0) await refresh(key, one, version);
      }
    } catch {
      // The database is away, and may be back at the next look.
    } finally {
      isRunning = false;
    }
  }

  const watch = () => {
    timer ??= setInterval(refreshAll, liveLimits.everyMs).unref();
  };

  function leave(key: string, one: Followed, follower: Follower): void {
    if (!one.followers.delete(follower)) return;
    followers--;
    if (one.followers.size === 0 && followed.get(key) === one) followed.delete(key);
    if (followers > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** Resolves with the answer as it is now, and how to leave. Throws a ProblemException where that can't be. */
    async follow(statement: Statement, follower: Follower, signal: AbortSignal) {
      const key = createHash("sha256").update(JSON.stringify(statement)).digest("base64");
      if (followers >= liveLimits.clients || (!followed.has(key) && followed.size >= liveLimits.statements))
        throw full();
      // Before it runs: what is written meanwhile has it run again.
      const version = await readVersion();
      const known = followed.get(key);
      const answer = known?.version === version ? known.answer : await ask(statement, signal);
      const one = followed.get(key) ?? { statement, followers: new Set<Follower>(), answer, version };
      if (stopping.signal.aborted || (!followed.has(key) && followed.size >= liveLimits.statements))
        throw full();
      followed.set(key, one);
      one.followers.add(follower);
      followers++;
      watch();
      return { answer, leave: () => leave(key, one, follower) };
    },
    /** Ends all that is followed now. */
    endAll(): void {
      for (const { followers: all } of [...followed.values()])
        for (const follower of [...all]) follower.end();
    },
    stop(): void {
      stopping.abort(new Error("the service stops"));
      clearInterval(timer);
    },
  };
}

function full(): ProblemException {
  return new ProblemException({
    status: 503,
    code: "busy",
    title: "Busy",
    detail:
      "This process follows all the live queries that it can: try again later, or ask again with each block.",
    retryAfter: 30,
  });
}
