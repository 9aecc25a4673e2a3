import { setTimeout as delay } from "node:timers/promises";
import type { Processes } from "../index/processes.ts";
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
  quiet: ProbeResult;
  attacked: ProbeResult;
};

export type MeasureOptions = { inFlight: number; requests: number; seconds: number };

const quietMs = 5_000;

/** Measures normal requests while the service is quiet, and then during an attack. */
export async function measure(
  processes: Processes,
  target: Target,
  { attack, mode, ...options }: MeasureOptions & Pick<Measured, "attack" | "mode">,
): Promise<Measured> {
  const endQuiet = startProbe(target);
  await delay(quietMs);
  const quiet = await endQuiet();

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
      requests: Math.max(options.requests, inFlight),
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
  return { attack, mode, tally, seconds, quiet, attacked };
}

/** Addresses whose rate limits no other attack has used up. On Linux, all of 127.0.0.0/8 is this machine. */
function addressesOf(attack: string, mode: Measured["mode"], inFlight: number): string[] {
  const index = Object.keys(attacks).indexOf(attack) + 1;
  if (mode === "one") return [`127.1.0.${index}`];
  return Array.from({ length: inFlight }, (_, slot) => `127.2.${index}.${(slot % 250) + 1}`);
}
