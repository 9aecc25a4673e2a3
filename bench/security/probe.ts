import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { readMemory } from "../api/servers.ts";
import { quantile } from "../shared/quantile.ts";

/** The service that is attacked. */
export type Target = {
  url: string;
  /** The process whose memory is measured. */
  pid: number | undefined;
  /** What normal clients request. */
  paths: string[];
};

/** The times of normal requests in milliseconds, and the memory of the process in MiB. */
export type ProbeResult = {
  times: number[];
  /** Statuses other than 200, error codes and timeouts. */
  failures: string[];
  resident: number;
  peak: number;
};

const intervalMs = 50;
const memoryIntervalMs = 100;
/** A request that takes longer counts as failed. */
const timeoutMs = 10_000;
/** Together they stay below the rate limit of 600 reads per minute. */
const normalAddresses = Array.from({ length: 10 }, (_, index) => `127.3.0.${index + 1}`);

/**
 * Sends a normal request every 50 ms, on a new connection, whether or not the previous one has been answered, and samples the memory
 * of the process. The returned function ends the probe.
 */
export function startProbe({ url, pid, paths }: Target): () => Promise<ProbeResult> {
  const times: number[] = [];
  const resident: number[] = [];
  const pending = new Set<Promise<void>>();
  const failures: string[] = [];
  let sent = 0;

  const probe = setInterval(() => {
    const askedAt = performance.now();
    const path = paths[sent % paths.length] as string;
    const localAddress = normalAddresses[sent % normalAddresses.length] as string;
    sent++;
    const asking = ask(new URL(path, url), localAddress)
      .then((outcome) => {
        times.push(performance.now() - askedAt);
        if (outcome !== "200") failures.push(`${path}: ${outcome}`);
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
    return {
      times,
      failures,
      resident: quantile(resident, 0.5),
      peak: Math.max(...resident),
    };
  };
}

/** Resolves to the status of the answer, or to an error code. */
async function ask(url: URL, localAddress: string): Promise<string> {
  const asked = request(url, { agent: false, localAddress, signal: AbortSignal.timeout(timeoutMs) });
  return await new Promise<string>((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name);
    asked.on("error", fail);
    asked.on("response", (answer) => {
      buffer(answer).then(() => resolve(String(answer.statusCode)), fail);
    });
    asked.end();
  });
}
