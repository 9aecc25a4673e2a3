import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { readMemory } from "../api/servers.ts";
import { quantile } from "../shared/quantile.ts";

/** The times of GET /api/health in milliseconds, and the memory of the process in MiB. */
export type ProbeResult = {
  p50: number;
  p99: number;
  worst: number;
  failures: number;
  resident: number;
  peak: number;
};

const intervalMs = 20;
const memoryIntervalMs = 100;
/** A health check that takes longer counts as failed. */
const timeoutMs = 10_000;

/**
 * Requests /api/health every 20 ms, whether or not the previous request has been answered, and samples the memory of the process.
 * The returned function ends the probe.
 */
export function startProbe(url: string, pid: number | undefined): () => Promise<ProbeResult> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const resident: number[] = [];
  const pending = new Set<Promise<void>>();
  let failures = 0;

  const probe = setInterval(() => {
    const askedAt = performance.now();
    const asking = ask(url, agent)
      .then((isUp) => {
        times.push(performance.now() - askedAt);
        if (!isUp) failures++;
      })
      .then(() => void pending.delete(asking));
    pending.add(asking);
  }, intervalMs);
  const lookAtMemory = async () => {
    if (pid !== undefined) resident.push((await readMemory(pid)).resident);
  };
  const look = setInterval(() => void lookAtMemory(), memoryIntervalMs);

  return async () => {
    clearInterval(probe);
    clearInterval(look);
    await Promise.all(pending);
    await lookAtMemory();
    agent.destroy();
    return {
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      worst: Math.max(...times),
      failures,
      resident: quantile(resident, 0.5),
      peak: Math.max(...resident),
    };
  };
}

async function ask(url: string, agent: Agent): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const asked = request(new URL("/api/health", url), { agent, timeout: timeoutMs }, (answer) => {
      buffer(answer).then(
        () => resolve(answer.statusCode === 200),
        () => resolve(false),
      );
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(false));
    asked.end();
  });
}
