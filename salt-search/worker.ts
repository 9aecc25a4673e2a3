import { setPriority } from "node:os";
import { platform } from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { loadKernel } from "./kernel.ts";
import type { WorkerReport, WorkerRequest, WorkerSettings } from "./pool-worker.ts";
import { createSearch, type SaltSearch, type SearchTask, saltsPerStep } from "./salt-search.ts";

/**
 * One thread of a pool. Its searches take turns of about a millisecond, and it receives requests between turns. Node itself
 * starts it and strips the types, so this file may only import Node's modules and `.ts` files of the same kind, and nothing that
 * a bundler would have to resolve.
 */
const saltsPerTurn = 8_192;

const { kind, niceness, tried, index } = workerData as WorkerSettings;
const port = parentPort;
if (port === null) throw new Error("worker.ts runs in a worker thread");

// Only on Linux does this affect the calling thread alone, rather than the whole process.
if (platform === "linux" && niceness > 0) setPriority(niceness);

const kernel = loadKernel(kind);
const stepsPerTurn = Math.ceil(saltsPerTurn / saltsPerStep(kernel));
const searches = new Map<number, SaltSearch>();
let isTurnScheduled = false;

port.on("message", (request: WorkerRequest) => {
  end(request.id);
  if (request.type === "search") begin(request.id, request.task);
  scheduleTurn();
});

function begin(id: number, task: SearchTask): void {
  try {
    searches.set(id, createSearch(kernel, task));
  } catch (error) {
    report({ id, error });
  }
}

function scheduleTurn(): void {
  if (isTurnScheduled || searches.size === 0) return;
  isTurnScheduled = true;
  setImmediate(takeTurn);
}

function takeTurn(): void {
  isTurnScheduled = false;
  const [first] = searches;
  if (first === undefined) return;
  const [id, search] = first;
  const { salt, tried: count } = search.run(stepsPerTurn);
  tried[index] = (tried[index] ?? 0) + count;
  if (salt === undefined) {
    // Moves the search to the end of the line.
    searches.delete(id);
    searches.set(id, search);
  } else {
    end(id);
    report({ id, salt });
  }
  scheduleTurn();
}

function end(id: number): void {
  searches.get(id)?.close();
  searches.delete(id);
}

function report(message: WorkerReport): void {
  port?.postMessage(message);
}
