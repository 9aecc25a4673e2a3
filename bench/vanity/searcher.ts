import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Address, Hex } from "viem";
import { findSalt } from "../../salt-search/find-salt.ts";
import type { KernelKind } from "../../salt-search/kernel/layout.ts";
import { parsePattern } from "../../salt-search/pattern.ts";
import { createSaltPool } from "../../salt-search/pool.ts";
import type { ContenderReport, ContenderSettings } from "./contender-worker.ts";
import { type ContenderName, messageLength } from "./contenders.ts";
import { ownProcessorTime } from "./processor-time.ts";

export const deployer: Address = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

/** A way to search for salts on a number of threads. */
export type Searcher = {
  name: string;
  /** Searches for about this many seconds. Resolves to the salts tried per second of processor time, that is, per fully used core. */
  rate: (seconds: number) => Promise<number>;
  /** Resolves to the milliseconds until a salt for 5afe is found. */
  find: () => Promise<number>;
  close: () => Promise<void>;
};

export function randomHash(): Hex {
  return `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}`;
}

/** Our search as the API uses it, so that the work of `findSalt` besides hashing counts, too. */
export function ourSearcher(kind: KernelKind, threads: number): Searcher {
  // With the same priority as the others.
  const pool = createSaltPool({ workers: threads, kind, niceness: 0 });
  return {
    name: kind === "simd" ? "ours" : "ours, without SIMD",
    async rate(seconds) {
      const controller = new AbortController();
      const pattern = parsePattern({ suffix: "0".repeat(40) });
      const task = { deployer, initCodeHash: randomHash(), pattern };
      const search = pool.search(task, controller).catch(ignoreAbort);
      const [before, startedAt] = [pool.tried(), ownProcessorTime()];
      await delay(1_000 * seconds);
      const rate = (pool.tried() - before) / (ownProcessorTime() - startedAt);
      controller.abort();
      await search;
      return rate;
    },
    async find() {
      const startedAt = performance.now();
      await findSalt({ deployer, initCodeHash: randomHash(), suffix: "5afe", pool });
      return performance.now() - startedAt;
    },
    close: () => pool.close(),
  };
}

/** The simplest search that uses one of the published packages. */
export async function contenderSearcher(name: ContenderName, threads: number): Promise<Searcher> {
  const stopFlag = new Int32Array(new SharedArrayBuffer(4));
  const workers = await Promise.all(
    Array.from({ length: threads }, async () => {
      const message = crypto.getRandomValues(new Uint8Array(messageLength));
      message[0] = 0xff;
      const workerData: ContenderSettings = { name, message, stopFlag };
      const worker = new Worker(new URL("./contender-worker.ts", import.meta.url), { workerData });
      await once(worker, "message");
      return worker;
    }),
  );
  function begin(stopAtFind: boolean): Promise<ContenderReport>[] {
    Atomics.store(stopFlag, 0, 0);
    return workers.map(async (worker) => {
      const report = once(worker, "message");
      worker.postMessage({ stopAtFind });
      return (await report)[0] as ContenderReport;
    });
  }
  return {
    name,
    async rate(seconds) {
      const startedAt = ownProcessorTime();
      const reports = begin(false);
      await delay(1_000 * seconds);
      Atomics.store(stopFlag, 0, 1);
      const tried = (await Promise.all(reports)).reduce((sum, report) => sum + report.tried, 0);
      return tried / (ownProcessorTime() - startedAt);
    },
    async find() {
      const startedAt = performance.now();
      const reports = begin(true);
      await Promise.race(reports);
      const milliseconds = performance.now() - startedAt;
      Atomics.store(stopFlag, 0, 1);
      await Promise.all(reports);
      return milliseconds;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** This search never finds anything: it is always aborted. */
const ignoreAbort = () => {};
