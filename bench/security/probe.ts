import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { memoryOf } from "../api/servers.ts";
import { quantile } from "../shared/quantile.ts";

/** Of GET /api/health in milliseconds, and of the process in MiB. */
export type Probed = {
  p50: number;
  p99: number;
  worst: number;
  failures: number;
  resident: number;
  peak: number;
};

const everyMs = 20;
const memoryEveryMs = 100;
/** Nobody waits longer for a sign of life. */
const timeoutMs = 10_000;

/**
 * Asks for /api/health every 20 ms, whether the last one has been answered or not, and looks at the memory of the process. The
 * returned function ends it.
 */
export function startProbe(url: string, pid: number | undefined): () => Promise<Probed> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const resident: number[] = [];
  const underWay = new Set<Promise<void>>();
  let failures = 0;

  const probe = setInterval(() => {
    const askedAt = performance.now();
    const asking = ask(url, agent)
      .then((isUp) => {
        times.push(performance.now() - askedAt);
        if (!isUp) failures++;
      })
      .then(() => void underWay.delete(asking));
    underWay.add(asking);
  }, everyMs);
  const lookAtMemory = async () => {
    if (pid !== undefined) resident.push((await memoryOf(pid)).resident);
  };
  const look = setInterval(() => void lookAtMemory(), memoryEveryMs);

  return async () => {
    clearInterval(probe);
    clearInterval(look);
    await Promise.all(underWay);
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
