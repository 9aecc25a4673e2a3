import { isIP } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { prepareAnalysts } from "../../runtime/prepare-analysts.ts";
import { StartError } from "../../runtime/start-error.ts";
import { sorts } from "../../src/api/tokens/list/order/sorts.ts";
import { fixtureFlags, onchainSchema, openFixture } from "../fixture/fixture.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { startNode } from "../shared/node.ts";
import { maybeWhole, someOf, text, whole } from "../shared/options.ts";
import { startWorker } from "../shared/process.ts";
import { quantile, table } from "../shared/report.ts";
import { startService } from "../shared/service.ts";
import type { AttackJob, AttackMessage, Tally } from "./attack-worker.ts";
import { attacks } from "./attacks.ts";
import { type ProbeResult, readTarget, startProbe } from "./target.ts";

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
const flags = {
  tokens,
  trades,
  url: text,
  pid: maybeWhole,
  attack: someOf(Object.keys(attacks)),
  /** Whether requests come from one address, from one per request in flight, or both in turn. */
  addresses: someOf(["one", "many"]),
  inFlight: whole(100),
  seconds: whole(10),
};

type Mode = "one" | "many";

type Outcome = {
  attack: string;
  mode: Mode;
  tally: Tally;
  /** Milliseconds that normal requests took, and MiB. */
  quiet: { p50: number; p99: number; resident: number };
  attacked: { p50: number; p99: number; failures: string[]; peak: number };
};

await runBenchmark(flags, async (options, benchmark) => {
  if (options.url !== undefined) assertLoopback(options.url);
  const { url, pid } =
    options.url === undefined
      ? await startTarget(benchmark, options)
      : { url: options.url, pid: options.pid };
  // The first request in each order is slow. That must not count for an attack.
  for (const sort of sorts) await fetch(`${url}/api/tokens?sort=${sort}`);
  const [mint] = (await readTarget(url)).mints;
  const paths = [
    "/api/health",
    "/api/tokens",
    `/api/token/${mint}`,
    `/api/token/${mint}/candles?interval=1m`,
  ];
  const probe = () => startProbe(url, pid, paths);

  /** All times while the service was quiet: those before a single attack are too few to know their 99th percentile. */
  const quietTimes: number[] = [];
  const outcomes: Outcome[] = [];
  for (const attack of options.attack) {
    for (const mode of options.addresses) {
      const endQuiet = probe();
      await delay(outcomes.length === 0 ? firstQuietMs : quietMs);
      const quiet = await endQuiet();
      quietTimes.push(...quiet.times);

      const inFlight = attacks[attack]?.inFlight ?? options.inFlight;
      const addresses = addressesOf(attack, mode, inFlight);
      const job = { attack, url, addresses, inFlight, seconds: options.seconds };
      const { tally, attacked } = await runAttack(benchmark, job, probe);
      outcomes.push({
        attack,
        mode,
        tally,
        quiet: { ...summarizeTimes(quietTimes), resident: quiet.resident },
        attacked: { ...summarizeTimes(attacked.times), failures: attacked.failures, peak: attacked.peak },
      });
      benchmark.log(table(outcomes.slice(-1).map(rowOf), { lastIsText: true }).join("\n"));
    }
  }

  const isMet = outcomes.filter((outcome) => missedAims(outcome).length === 0);
  const aim = (kind: "idle" | Mode) => `× ${aims[kind].median} and × ${aims[kind].p99}`;
  const heads = ["quiet p50", "p50", "", "quiet p99", "p99", "", "failed", "memory", "missed"];
  return {
    lines: [
      "Normal requests, one every 50 ms, in ms (and as multiples of those while the service was quiet); memory of the service in MiB.",
      `Aims for median and p99: ${aim("idle")} if the attackers are idle, else ${aim("one")} from one address and ${aim("many")} from many; no failure; at most ${aims.memory} MiB more.`,
      "",
      ...table([["attack", "from", ...heads, "answers"], ...outcomes.map(rowOf)], { lastIsText: true }),
      "",
      `${isMet.length} of ${outcomes.length} attacks met the aims`,
      "",
      ...options.attack.map((name) => `${name.padEnd(20)}${attacks[name]?.description}`),
    ],
    data: { aims, outcomes },
  };
});

/** Refuses other machines: this tool must not be used to attack them. */
function assertLoopback(url: string): void {
  const { hostname, protocol } = URL.canParse(url) ? new URL(url) : { hostname: "", protocol: "" };
  const isLoopback = hostname === "localhost" || (isIP(hostname) === 4 && hostname.startsWith("127."));
  if (protocol === "http:" && isLoopback) return;
  throw new StartError(`--url must be an http URL of this machine (127.0.0.1), not ${url}`);
}

/** Starts the service as users run it, with rate limits and clients' SQL, and a chain with the contracts. */
async function startTarget(benchmark: Benchmark, size: { tokens: number; trades: number }) {
  const fixture = await openFixture(benchmark, size);
  const { databaseUrl, deployment, sqlUrl = "" } = fixture;
  const node = await startNode(benchmark);
  if ((await node.deploy()).launchpad !== deployment.launchpad) {
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
  return await startService(benchmark, fixture, { rpcUrl: node.rpcUrl, rateLimit: true, databaseSqlUrl });
}

/** Runs an attack, and the probe from when it begins. */
async function runAttack(
  benchmark: Benchmark,
  job: AttackJob,
  probe: () => () => Promise<ProbeResult>,
): Promise<{ tally: Tally; attacked: ProbeResult }> {
  let endProbe: (() => Promise<ProbeResult>) | undefined;
  let tally: Tally | undefined;
  const program = new URL("attack-worker.ts", import.meta.url);
  const worker = startWorker<AttackMessage>(benchmark, program, {
    job,
    onMessage(message) {
      if ("tally" in message) tally = message.tally;
      else endProbe = probe();
    },
  });
  await worker.untilDone();
  const attacked = await endProbe?.();
  if (attacked === undefined || tally === undefined) throw new Error(`the attack ${job.attack} never began`);
  return { tally, attacked };
}

function summarizeTimes(times: number[]): { p50: number; p99: number } {
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** Addresses whose rate limits no other attack has used up. On Linux, all of 127.0.0.0/8 is this machine. */
function addressesOf(attack: string, mode: Mode, inFlight: number): string[] {
  const index = Object.keys(attacks).indexOf(attack) + 1;
  if (mode === "one") return [`127.1.0.${index}`];
  return Array.from({ length: inFlight }, (_, slot) => `127.2.${index}.${(slot % 250) + 1}`);
}

/** The names of the aims that were missed. */
function missedAims({ attack, mode, quiet, attacked }: Outcome): string[] {
  const { median, p99 } = aims[attacks[attack]?.isIdle ? "idle" : mode];
  const isMissed = {
    p50: attacked.p50 > median * quiet.p50,
    p99: attacked.p99 > p99 * quiet.p99,
    failed: attacked.failures.length > 0,
    memory: attacked.peak - quiet.resident > aims.memory,
  };
  return Object.entries(isMissed).flatMap(([name, missed]) => (missed ? [name] : []));
}

function rowOf(outcome: Outcome): string[] {
  const { attack, mode, tally, quiet, attacked } = outcome;
  const growth = attacked.peak - quiet.resident;
  const ms = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  const compared = (["p50", "p99"] as const).flatMap((rank) => [
    ms(quiet[rank]),
    ms(attacked[rank]),
    `× ${(attacked[rank] / quiet[rank]).toFixed(1)}`,
  ]);
  const answers = Object.entries(tally).map(([status, times]) => `${times} × ${status}`);
  return [
    attack,
    mode,
    ...compared,
    String(attacked.failures.length),
    Number.isFinite(growth) ? `${growth < 0 ? "" : "+"}${growth.toFixed(0)}` : "",
    missedAims(outcome).join(" ") || "-",
    [...answers, ...new Set(attacked.failures)].join(", "),
  ];
}
