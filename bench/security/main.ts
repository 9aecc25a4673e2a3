import { isIP } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { prepareAnalysts } from "../../runtime/prepare-analysts.ts";
import { StartError } from "../../runtime/start-error.ts";
import { sorts } from "../../src/api/tokens/list/order/sorts.ts";
import { fixtureFlags, openFixture, startContracts } from "../fixture/fixture.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { maybeWhole, someOf, text, whole } from "../shared/options.ts";
import { onchainSchema, type Service, startService } from "../shared/ponder.ts";
import { startWorker } from "../shared/process.ts";
import { median, quantile, table } from "../shared/report.ts";
import type { AttackJob, Tally } from "./attack-worker.ts";
import { attacks, readTarget } from "./attacks.ts";
import { type ProbedRequest, type ProbedService, probe } from "./probe.ts";

/* Measures what normal clients notice while the service is attacked in one way after another. */

const firstQuietMs = 30_000;
const quietMs = 5_000;

/**
 * What an attack may cost: how many times as long as in the quiet service normal requests may take (their median and 99th
 * percentile), and MiB.
 *
 * A hundred busy clients share the service with a normal one, which then may take a hundred times as long as alone. One busy address
 * has no more than its own share, but what has begun is not interrupted. Idle clients should not be noticed.
 */
const aims = {
  idle: { median: 3, p99: 10 },
  one: { median: 10, p99: 10 },
  many: { median: 100, p99: 100 },
  memory: 200,
};

const { tokens, trades } = fixtureFlags(200_000, 1_000_000);
const modes = ["one", "many"] as const;
const flags = {
  tokens,
  trades,
  url: text,
  pid: maybeWhole,
  attack: someOf(Object.keys(attacks)),
  /** Whether requests come from one address, from one per request in flight, or both in turn. */
  addresses: someOf(modes),
  inFlight: whole(100),
  seconds: whole(10),
  /** How often everything is measured, each time with a service that has just started. */
  rounds: whole(1),
};

type Mode = (typeof modes)[number];

/** What normal clients noticed of an attack, in all rounds so far. */
type Outcome = {
  attack: string;
  mode: Mode;
  tally: Tally;
  /** Milliseconds of normal requests while the service was quiet, all so far. */
  quiet: number[];
  attacked: ProbedRequest[];
  failures: string[];
  /** The most MiB that the service had more than before. */
  growth: number;
};

await runBenchmark(flags, async (options, benchmark) => {
  if (options.url !== undefined) assertLoopback(options.url);
  const start = options.url === undefined ? await prepareTarget(benchmark, options) : undefined;
  const outcomes = new Map<string, Outcome>();
  /** Milliseconds of normal requests while the service was quiet: those before a single attack are too few. */
  const quiet: number[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    const service = await start?.();
    const target = { url: options.url ?? "", pid: options.pid, ...service };
    const paths = await chooseNormalRequests(target.url);
    quiet.push(...timesOf((await probe(target, paths, () => delay(firstQuietMs))).requests));
    for (const attack of options.attack) {
      for (const mode of options.addresses) {
        const before = await probe(target, paths, () => delay(quietMs));
        quiet.push(...timesOf(before.requests));
        const inFlight = attacks[attack]?.inFlight ?? options.inFlight;
        const addresses = addressesOf(attack, mode, inFlight, round);
        const job: AttackJob = { attack, url: target.url, addresses, inFlight, seconds: options.seconds };
        const { tally, during } = await measureAttack(benchmark, job, target, paths);
        const { requests: attacked, failures } = during;
        const growth = during.peak - before.resident;
        const key = `${attack} ${mode}`;
        const outcome = { attack, mode, tally, quiet: [...quiet], attacked, failures, growth };
        outcomes.set(key, merge(outcomes.get(key), outcome));
        benchmark.log(table([rowOf(outcome)], { lastIsText: true }).join("\n"));
      }
    }
    await service?.stop();
  }

  const all = [...outcomes.values()];
  const isMet = all.filter((outcome) => missedAims(outcome).length === 0);
  const aim = (kind: "idle" | Mode) => `× ${aims[kind].median} and × ${aims[kind].p99}`;
  const heads = ["quiet p50", "p50", "", "quiet p99", "p99", "", "starved", "failed", "memory", "missed"];
  return {
    lines: [
      "Normal requests, one every 50 ms, in ms (and as multiples of those while the service was quiet); memory of the service in MiB.",
      "starved: the share of the time of the slowest hundredth in which the service was ready to run but other programs, such as the attacker, had the processors.",
      `Aims for median and p99: ${aim("idle")} if the attackers are idle, else ${aim("one")} from one address and ${aim("many")} from many; no failure; at most ${aims.memory} MiB more.`,
      "",
      ...table([["attack", "from", ...heads, "answers"], ...all.map(rowOf)], { lastIsText: true }),
      "",
      `${isMet.length} of ${all.length} attacks met the aims`,
      "",
      ...options.attack.map((name) => `${name.padEnd(20)}${attacks[name]?.description}`),
    ],
    data: { aims, outcomes: all },
  };
});

/** Brings the list into memory, which happens on demand and takes longer than an attack. Returns the paths of normal requests. */
async function chooseNormalRequests(url: string): Promise<string[]> {
  for (const sort of sorts) await fetch(`${url}/api/tokens?sort=${sort}`);
  const [mint] = (await readTarget(url)).mints;
  const token = `/api/token/${mint}`;
  return ["/api/health", "/api/tokens", token, `${token}/candles?interval=1m`];
}

async function measureAttack(benchmark: Benchmark, job: AttackJob, target: ProbedService, paths: string[]) {
  const worker = startWorker<Tally>(benchmark, new URL("attack-worker.ts", import.meta.url), job);
  let tally = await worker.next();
  const during = await probe(target, paths, async () => {
    await worker.send("begin");
    tally = await worker.next();
  });
  await worker.stop();
  return { tally, during };
}

function timesOf(requests: ProbedRequest[]): number[] {
  return requests.map(({ took }) => took);
}

/** Adds a round's outcome of an attack to that of earlier rounds. */
function merge(before: Outcome | undefined, outcome: Outcome): Outcome {
  if (before === undefined) return outcome;
  const tally = { ...before.tally };
  for (const [answer, times] of Object.entries(outcome.tally)) tally[answer] = (tally[answer] ?? 0) + times;
  return {
    ...outcome,
    tally,
    attacked: [...before.attacked, ...outcome.attacked],
    failures: [...before.failures, ...outcome.failures],
    growth: Math.max(before.growth, outcome.growth),
  };
}

/** Refuses other machines: this tool must not be used to attack them. */
function assertLoopback(url: string): void {
  const { hostname, protocol } = URL.canParse(url) ? new URL(url) : { hostname: "", protocol: "" };
  const isLoopback = hostname === "localhost" || (isIP(hostname) === 4 && hostname.startsWith("127."));
  if (protocol === "http:" && isLoopback) return;
  throw new StartError(`--url must be an http URL of this machine (127.0.0.1), not ${url}`);
}

/** Prepares a database and a chain with the contracts. The returned function starts the service as users run it, with rate limits and clients' SQL. */
async function prepareTarget(
  benchmark: Benchmark,
  size: { tokens: number; trades: number },
): Promise<() => Promise<Service>> {
  const fixture = await openFixture(benchmark, size);
  const { databaseUrl, deployment, sqlUrl = "" } = fixture;
  const { rpcUrl, deployment: deployed, stop } = await startContracts();
  benchmark.onExit(stop);
  if (deployed.launchpad !== deployment.launchpad) {
    throw new Error("the contracts have other addresses than when the database was created: delete it");
  }
  const { pathname } = new URL(databaseUrl);
  const databaseSqlUrl = await prepareAnalysts({
    url: databaseUrl,
    readUrl: undefined,
    sqlUrl: Object.assign(new URL(sqlUrl), { pathname }).href,
    schema: onchainSchema,
    isSqlOn: true,
    log: console.log,
  });
  if (databaseSqlUrl === undefined) throw new Error("the database has no role for clients' SQL");
  return () => startService(benchmark, { ...fixture, rpcUrl, rateLimit: true, databaseSqlUrl });
}

/** Addresses whose rate limits no other attack has used up. On Linux, all of 127.0.0.0/8 is this machine. */
function addressesOf(attack: string, mode: Mode, inFlight: number, round: number): string[] {
  const index = Object.keys(attacks).indexOf(attack) + 1;
  if (mode === "one") return [`127.1.${round}.${index}`];
  return Array.from({ length: inFlight }, (_, slot) => `127.${10 + round}.${index}.${(slot % 250) + 1}`);
}

/** The names of the aims that were missed. */
function missedAims({ attack, mode, quiet, attacked, failures, growth }: Outcome): string[] {
  const aim = aims[attacks[attack]?.isIdle ? "idle" : mode];
  const times = timesOf(attacked);
  const isMissed = {
    p50: median(times) > aim.median * median(quiet),
    p99: quantile(times, 0.99) > aim.p99 * quantile(quiet, 0.99),
    failed: failures.length > 0,
    memory: growth > aims.memory,
  };
  return Object.entries(isMissed).flatMap(([name, missed]) => (missed ? [name] : []));
}

function rowOf(outcome: Outcome): string[] {
  const { attack, mode, tally, quiet, attacked, failures, growth } = outcome;
  const ms = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  const compared = [0.5, 0.99].flatMap((rank) => {
    const [before, during] = [quantile(quiet, rank), quantile(timesOf(attacked), rank)];
    return [ms(before), ms(during), `× ${(during / before).toFixed(1)}`];
  });
  const starved = starvedShare(attacked);
  const memory = Number.isFinite(growth) ? `${growth < 0 ? "" : "+"}${growth.toFixed(0)}` : "";
  const missed = missedAims(outcome).join(" ") || "-";
  const answers = Object.entries(tally).map(([status, times]) => `${times} × ${status}`);
  return [
    ...[attack, mode, ...compared, Number.isFinite(starved) ? `${(100 * starved).toFixed(0)} %` : ""],
    ...[String(failures.length), memory, missed, [...answers, ...new Set(failures)].join(", ")],
  ];
}

/** The share of the time of the slowest hundredth in which the service had no processor. NaN if unknown. */
function starvedShare(requests: ProbedRequest[]): number {
  const slow = quantile(timesOf(requests), 0.99);
  const slowest = requests.filter(({ took }) => took >= slow);
  const sum = (of: "took" | "starved") => slowest.reduce((total, request) => total + request[of], 0);
  return sum("starved") / sum("took");
}
