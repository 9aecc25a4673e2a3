import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { quantile } from "../shared/quantile.ts";
import { autocannonProgram } from "./tools.ts";

export type HttpMeasurement = {
  /** The milliseconds of complete requests for a salt, one after the other. */
  salt: { median: number; p99: number };
  /** The milliseconds of requests for /api/health, while idle and while clients request salts. */
  health: { idle: { median: number; p99: number }; loaded: { median: number; p99: number } };
  /** The results of those clients. */
  load: { clients: number; saltsPerSecond: number; failures: number };
};

const clients = 8;
const healthRequests = 1_000;
/** Longer than the health requests take during the load. */
const loadSeconds = 30;

/** Measures a running service at `url`. */
export async function measureHttp(url: string, salts: number): Promise<HttpMeasurement> {
  const saltPath = `/api/tokens/vanity-salt?${new URLSearchParams({ name: "Brave Otter", symbol: "OTTER" })}`;
  await timeRequests(url + saltPath, 20);
  const ofSalts = await timeRequests(url + saltPath, salts);
  await timeRequests(`${url}/api/health`, healthRequests);
  const idle = await timeRequests(`${url}/api/health`, healthRequests, 5);

  const load = runLoad(url + saltPath);
  await delay(1_000);
  const loaded = await timeRequests(`${url}/api/health`, healthRequests, 5);
  if (await Promise.race([load, false])) throw new Error("the load ended before the last health request");
  const { saltsPerSecond, failures } = await load;
  return {
    salt: summary(ofSalts),
    health: { idle: summary(idle), loaded: summary(loaded) },
    load: { clients, saltsPerSecond, failures },
  };
}

/** Runs the clients in a separate process. Each sends its next request as soon as it has an answer. */
async function runLoad(url: string): Promise<{ saltsPerSecond: number; failures: number }> {
  const options = ["--connections", String(clients), "--duration", String(loadSeconds), "--json", url];
  const { stdout } = await promisify(execFile)(process.execPath, [autocannonProgram(), ...options]);
  const result = JSON.parse(stdout) as Record<"2xx" | "non2xx" | "errors" | "duration", number>;
  return { saltsPerSecond: result["2xx"] / result.duration, failures: result.non2xx + result.errors };
}

/** @param pause milliseconds between requests */
async function timeRequests(url: string, count: number, pause = 0): Promise<number[]> {
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
