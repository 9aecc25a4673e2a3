import { setTimeout as delay } from "node:timers/promises";
import type { Processes } from "../index/processes.ts";
import { quantile } from "../shared/quantile.ts";
import type { Tally } from "./attacker/job.ts";
import { runAttack } from "./attacker/run-attack.ts";
import { attacks } from "./attacks/index.ts";
import { type ProbeResult, startProbe, type Target } from "./probe.ts";

export type Measured = {
  attack: string;
  /** Whether all requests came from one address, or each request in flight from its own. */
  mode: "one" | "many";
  tally: Tally;
  seconds: number;
  quiet: Times & { resident: number };
  attacked: Times & { failures: string[]; peak: number };
};

/** Milliseconds that normal requests took. */
type Times = { p50: number; p99: number };

export type MeasureOptions = { inFlight: number; seconds: number };

const firstQuietMs = 30_000;
const quietMs = 5_000;
/** All times while the service was quiet: those before a single attack are too few to know their 99th percentile. */
const quietTimes: number[] = [];

/** Measures normal requests while the service is quiet, and then during an attack. Compares with all quiet times of the run so far. */
export async function measure(
  processes: Processes,
  target: Target,
  { attack, mode, ...options }: MeasureOptions & Pick<Measured, "attack" | "mode">,
): Promise<Measured> {
  const endQuiet = startProbe(target);
  await delay(quietTimes.length === 0 ? firstQuietMs : quietMs);
  const quiet = await endQuiet();
  quietTimes.push(...quiet.times);

  let endAttacked: (() => Promise<ProbeResult>) | undefined;
  let begunAt = 0;
  const inFlight = attacks[attack]?.inFlight ?? options.inFlight;
  const tally = await runAttack(
    processes,
    {
      attack,
      url: target.url,
      addresses: addressesOf(attack, mode, inFlight),
      inFlight,
      seconds: options.seconds,
    },
    () => {
      begunAt = performance.now();
      endAttacked = startProbe(target);
    },
  );
  const seconds = (performance.now() - begunAt) / 1_000;
  const attacked = await endAttacked?.();
  if (attacked === undefined) throw new Error(`the attack ${attack} never began`);
  return {
    attack,
    mode,
    tally,
    seconds,
    quiet: { ...summarize(quietTimes), resident: quiet.resident },
    attacked: { ...summarize(attacked.times), failures: attacked.failures, peak: attacked.peak },
  };
}

const summarize = (times: number[]): Times => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) });

/** Addresses whose rate limits no other attack has used up. On Linux, all of 127.0.0.0/8 is this machine. */
function addressesOf(attack: string, mode: Measured["mode"], inFlight: number): string[] {
  const index = Object.keys(attacks).indexOf(attack) + 1;
  if (mode === "one") return [`127.1.0.${index}`];
  return Array.from({ length: inFlight }, (_, slot) => `127.2.${index}.${(slot % 250) + 1}`);
}
