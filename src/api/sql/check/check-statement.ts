import { Worker } from "node:worker_threads";
import { ignore, within } from "../../../../config/async.ts";
import { invalidSql } from "../sql-problem.ts";
import type { CheckReport, CheckRequest } from "./check-worker.ts";

export type Statement = { text: string; values: unknown[] };

/** Milliseconds for one statement, of which the longest take a tenth of a second on a quiet machine. */
const patienceMs = 5_000;

const tooComplex = invalidSql(
  "The statement is nested too deeply: use fewer parentheses, operators and subqueries in a row.",
);

type Checker = { worker: Worker; ready: Promise<unknown> };

/**
 * Creates a check of clients' statements, in a thread that starts with the first one. It throws a problem unless a statement is a
 * single query that calls and casts to nothing but what is allowed (see `allowed.ts`), and whose worst case is short enough that
 * Postgres can cancel it. The privileges of the role hold whatever passes here.
 */
export function createStatementCheck() {
  let checker: Checker | undefined;
  let isStarted = false;
  let last: Promise<unknown> = Promise.resolve();
  let lastId = 0;

  function start(): Checker {
    // A larger stack than usual, for statements of 10,000 opening parentheses. No execArgv: Ponder's modules are not for it.
    const worker = new Worker(new URL("./check-worker.ts", import.meta.url), {
      execArgv: [],
      resourceLimits: { stackSizeMb: 32, maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    });
    worker.unref();
    const ready = new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    return { worker, ready };
  }

  async function ask({ text, values }: Statement): Promise<CheckReport> {
    checker ??= start();
    const { worker, ready } = checker;
    // Says that the service is at fault, not the statement.
    await ready.catch((cause: unknown) => {
      throw new Error("the thread that checks SQL doesn't start", { cause });
    });
    isStarted = true;
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<CheckReport>();
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.postMessage({ id, text, values } satisfies CheckRequest);
    try {
      return await within(patienceMs, promise, () => {
        throw new Error("the check took too long");
      });
    } finally {
      worker.off("message", resolve);
      worker.off("error", reject);
    }
  }

  function stop(): void {
    void checker?.worker.terminate();
    checker = undefined;
    isStarted = false;
  }

  return {
    /** Throws a problem that says what is not possible, and where. Returns whether the statement asks for the plan of a query. */
    async check(statement: Statement): Promise<{ explains: boolean }> {
      const { text, values } = statement;
      // NUL ends a string in the protocol: what follows would be read as another message.
      if (text.includes("\0") || values.some((value) => typeof value === "string" && value.includes("\0"))) {
        throw invalidSql("The statement has a NUL character in it.");
      }
      const asked = last.then(() => ask(statement));
      // Whoever asked hears of it.
      last = asked.catch(ignore);
      const { refused, explains = false } = await asked.catch((error: unknown) => {
        const problem = isStarted ? tooComplex : error;
        stop();
        throw problem;
      });
      if (refused !== undefined) throw invalidSql(refused.detail, { position: refused.position });
      return { explains };
    },
    stop,
  };
}
