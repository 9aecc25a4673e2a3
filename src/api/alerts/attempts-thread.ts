import { Worker } from "node:worker_threads";
import { type Attempt, type AttemptSettings, type Outcome, PostponedError } from "./attempts.ts";
import type { AttemptReport, AttemptRequest } from "./attempts-worker.ts";

/** After a crash of the thread, what it was sending is tried again after this pause. */
const crashPauseMs = 1_000;

/** Attempts in a thread of their own, which starts with the first one, and again after a crash. */
export function createAttemptsThread({ privateNetworks, proxy, requestsPerHost }: AttemptSettings) {
  const waiting = new Map<number, PromiseWithResolvers<Outcome>>();
  let worker: Worker | undefined;
  let calls = 0;

  function start(): Worker {
    // No execArgv: Ponder's flags are not for this thread.
    const started = new Worker(new URL("./attempts-worker.ts", import.meta.url), {
      workerData: { privateNetworks, proxy, requestsPerHost },
      execArgv: [],
    });
    started.unref();
    started.on("message", (report: AttemptReport) => {
      const answer = waiting.get(report.call);
      waiting.delete(report.call);
      if ("outcome" in report) answer?.resolve(report.outcome);
      else answer?.reject("postponedMs" in report ? new PostponedError(report.postponedMs) : report.error);
    });
    started.once("error", (error) => console.error("alerts:", error));
    started.once("exit", () => {
      if (worker === started) worker = undefined;
      for (const { reject } of waiting.values()) reject(new PostponedError(crashPauseMs));
      waiting.clear();
    });
    return started;
  }

  const attempt: Attempt = (receiver, id, body, until = Number.POSITIVE_INFINITY) => {
    worker ??= start();
    calls++;
    const answer = Promise.withResolvers<Outcome>();
    waiting.set(calls, answer);
    worker.postMessage({ call: calls, receiver, id, body, until } satisfies AttemptRequest);
    return answer.promise;
  };

  return {
    attempt,
    async stop(): Promise<void> {
      await worker?.terminate();
    },
  };
}
