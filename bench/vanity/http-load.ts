import { parentPort, workerData } from "node:worker_threads";

/** Clients in a thread of their own, each asking again as soon as it has its answer, until a message ends it. */
export type LoadSettings = { url: string; clients: number };
export type LoadReport = { perSecond: number; failures: number };

const { url, clients } = workerData as LoadSettings;
const startedAt = performance.now();
let isOver = false;
let answers = 0;
let failures = 0;

parentPort?.once("message", () => {
  isOver = true;
});
await Promise.all(
  Array.from({ length: clients }, async () => {
    while (!isOver) {
      const response = await fetch(url).catch(() => undefined);
      await response?.text();
      if (response?.ok) answers++;
      else failures++;
    }
  }),
);
const perSecond = (1_000 * answers) / (performance.now() - startedAt);
parentPort?.postMessage({ perSecond, failures } satisfies LoadReport);
