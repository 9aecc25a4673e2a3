import { writeFile } from "node:fs/promises";
import path from "node:path";
import { readSettings } from "../../runtime/settings.ts";
import { runBenchmark } from "../shared/run-benchmark.ts";
import { type App, bare, ours } from "./apps.ts";
import { cachedChain } from "./chain/cached-chain.ts";
import { assertSame, keepSharedKinds, measure, type Sample } from "./measure.ts";
import { readOptions } from "./options.ts";
import { checkOut } from "./other-commit.ts";
import { formatReport, makeReport } from "./report.ts";
import type { Round } from "./statistics.ts";

await runBenchmark(readOptions, async (options, { processes, serverUrl, folder, log, onExit }) => {
  const { tokens, trades, rounds, against, json } = options;
  const { dataDir } = readSettings(log);
  const other =
    against === undefined
      ? undefined
      : await checkOut(against, { folder: path.join(folder, "then"), log, onExit });
  const chain = await cachedChain(processes, { tokens, trades, dataDir, log, onExit });

  const measureNow = async (app: App, round: number) => {
    const name = `${app.name}_${round}`;
    const sample = await measure(processes, app, { chain, serverUrl, name });
    const times = `cold ${seconds(sample.cold)}, warm ${seconds(sample.warm)}, live ${seconds(sample.live)}`;
    log(`round ${round} of ${rounds}, ${app.name}: ${times}`);
    return sample;
  };
  const apps = [bare, ours, ...(other === undefined ? [] : [other.app])];
  const done: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    // Later runs have a warmer machine, so the apps take turns at going first.
    const first = (round - 1) % apps.length;
    const samples: Partial<Record<App["name"], Sample>> = {};
    for (const app of [...apps.slice(first), ...apps.slice(0, first)]) {
      samples[app.name] = await measureNow(app, round);
    }
    done.push(assertSameEvents(samples));
  }

  const report = makeReport(chain, done, other?.commit);
  log(formatReport(report));
  if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
});

/** Throws unless all apps indexed the same events. Kinds that only one of the two commits knows are left out. */
function assertSameEvents({ ours, bare, then }: Partial<Record<App["name"], Sample>>): Round {
  if (ours === undefined || bare === undefined) throw new Error("an app was not measured");
  assertSame("our app and the bare one", ours.backfillEvents, bare.backfillEvents);
  assertSame("our app and the bare one, live,", ours.liveEvents, bare.liveEvents);
  for (const when of then === undefined ? [] : (["backfillEvents", "liveEvents"] as const)) {
    const [now, before] = [ours[when], then?.[when] ?? {}];
    assertSame(`our app now and then (${when})`, keepSharedKinds(before, now), keepSharedKinds(now, before));
  }
  return { ours, bare, then };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
