import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { quantile } from "../shared/quantile.ts";
import type { LoadReport, LoadSettings } from "./http-load.ts";

export type HttpMeasurement = {
  /** Milliseconds of whole requests for a salt, one after the other. */
  salt: { median: number; p99: number };
  /** Milliseconds of requests for /api/health: with nothing else to do, and beside clients who want salts. */
  health: { idle: { median: number; p99: number }; loaded: { median: number; p99: number } };
  /** What those clients got. */
  load: { clients: number; saltsPerSecond: number; failures: number };
};

const clients = 8;
const healthRequests = 1_000;

/** Measures a running service at `url`. */
export async function measureHttp(url: string, salts: number): Promise<HttpMeasurement> {
  const saltPath = `/api/tokens/vanity-salt?${new URLSearchParams({ name: "Brave Otter", symbol: "OTTER" })}`;
  await times(url + saltPath, 20);
  const ofSalts = await times(url + saltPath, salts);
  await times(`${url}/api/health`, healthRequests);
  const idle = await times(`${url}/api/health`, healthRequests, 5);

  // In a thread of its own, so that it doesn't stand in the way of the clock here.
  const settings: LoadSettings = { url: url + saltPath, clients };
  const load = new Worker(new URL("./http-load.ts", import.meta.url), { workerData: settings });
  const ended = once(load, "message");
  await delay(1_000);
  const loaded = await times(`${url}/api/health`, healthRequests, 5);
  load.postMessage("stop");
  const [{ perSecond, failures }] = (await ended) as [LoadReport];
  return {
    salt: summary(ofSalts),
    health: { idle: summary(idle), loaded: summary(loaded) },
    load: { clients, saltsPerSecond: perSecond, failures },
  };
}

/** @param pause Milliseconds between two requests. */
async function times(url: string, count: number, pause = 0): Promise<number[]> {
  const measured: number[] = [];
  for (let request = 0; request < count; request++) {
    const startedAt = performance.now();
    const response = await fetch(url);
    const body = await response.text();
    measured.push(performance.now() - startedAt);
    if (!response.ok) throw new Error(`${url} answers ${response.status}: ${body.slice(0, 200)}`);
    if (pause > 0) await delay(pause);
  }
  return measured;
}

function summary(values: number[]): { median: number; p99: number } {
  return { median: quantile(values, 0.5), p99: quantile(values, 0.99) };
}
