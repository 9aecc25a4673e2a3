import { isIP } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { prepareAnalysts } from "../../runtime/prepare-analysts.ts";
import { StartError } from "../../runtime/start-error.ts";
import { sorts } from "../../src/api/tokens/list/order/sorts.ts";
import { fixtureFlags, openFixture, startContracts } from "../fixture/fixture.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { maybeWhole, someOf, text, whole } from "../shared/options.ts";
import { onchainSchema, startService } from "../shared/ponder.ts";
import { startWorker } from "../shared/process.ts";
import { median, quantile, table } from "../shared/report.ts";
import type { AttackJob, Tally } from "./attack-worker.ts";
import { attacks, readTarget } from "./attacks.ts";
import { type ProbeResult, startProbe } from "./probe.ts";

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
};

type Mode = (typeof modes)[number];

type Outcome = {
  attack: string;
  mode: Mode;
  tally: Tally;
  /** What normal clients noticed while the service was quiet, with all times so far: those before a single attack are too few. */
  quiet: ProbeResult;
  attacked: ProbeResult;
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
  const token = `/api/token/${mint}`;
  const paths = ["/api/health", "/api/tokens", token, `${token}/candles?interval=1m`];

  const quietTimes: number[] = [];
  const outcomes: Outcome[] = [];
  for (const attack of options.attack) {
    for (const mode of options.addresses) {
      const endQuiet = startProbe(url, pid, paths);
      await delay(outcomes.length === 0 ? firstQuietMs : quietMs);
      const quiet = await endQuiet();
      quietTimes.push(...quiet.times);

      const inFlight = attacks[attack]?.inFlight ?? options.inFlight;
      const addresses = addressesOf(attack, mode, inFlight);
      const job: AttackJob = { attack, url, addresses, inFlight, seconds: options.seconds };
      const program = new URL("attack-worker.ts", import.meta.url);
      const worker = startWorker<Tally>(benchmark, program, job);
      await worker.next();
      const endAttacked = startProbe(url, pid, paths);
      const tally = await worker.next();
      const attacked = await endAttacked();
      outcomes.push({ attack, mode, tally, quiet: { ...quiet, times: [...quietTimes] }, attacked });
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
  return await startService(benchmark, { ...fixture, rpcUrl, rateLimit: true, databaseSqlUrl });
}

/** Addresses whose rate limits no other attack has used up. On Linux, all of 127.0.0.0/8 is this machine. */
function addressesOf(attack: string, mode: Mode, inFlight: number): string[] {
  const index = Object.keys(attacks).indexOf(attack) + 1;
  if (mode === "one") return [`127.1.0.${index}`];
  return Array.from({ length: inFlight }, (_, slot) => `127.2.${index}.${(slot % 250) + 1}`);
}

/** The names of the aims that were missed. */
function missedAims({ attack, mode, quiet, attacked }: Outcome): string[] {
  const aim = aims[attacks[attack]?.isIdle ? "idle" : mode];
  const isMissed = {
    p50: median(attacked.times) > aim.median * median(quiet.times),
    p99: quantile(attacked.times, 0.99) > aim.p99 * quantile(quiet.times, 0.99),
    failed: attacked.failures.length > 0,
    memory: attacked.peak - quiet.resident > aims.memory,
  };
  return Object.entries(isMissed).flatMap(([name, missed]) => (missed ? [name] : []));
}

function rowOf(outcome: Outcome): string[] {
  const { attack, mode, tally, quiet, attacked } = outcome;
  const growth = attacked.peak - quiet.resident;
  const ms = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  const compared = [0.5, 0.99].flatMap((rank) => {
    const [before, during] = [quantile(quiet.times, rank), quantile(attacked.times, rank)];
    return [ms(before), ms(during), `× ${(during / before).toFixed(1)}`];
  });
  const memory = Number.isFinite(growth) ? `${growth < 0 ? "" : "+"}${growth.toFixed(0)}` : "";
  const missed = missedAims(outcome).join(" ") || "-";
  const answers = Object.entries(tally).map(([status, times]) => `${times} × ${status}`);
  const all = [...answers, ...new Set(attacked.failures)].join(", ");
  return [attack, mode, ...compared, String(attacked.failures.length), memory, missed, all];
}
