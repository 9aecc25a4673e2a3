import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { readSettings } from "../../runtime/settings.ts";
import { type App, bare, ours } from "./apps.ts";
import { cachedChain } from "./chain/cached-chain.ts";
import { assertSame, keepSharedKinds, measure, type Sample } from "./measure.ts";
import { readOptions } from "./options.ts";
import { checkOut } from "./other-commit.ts";
import { startProcesses } from "./processes.ts";
import { formatReport, makeReport } from "./report.ts";
import type { Round } from "./statistics.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const { tokens, trades, rounds, against, json } = readOptions();
    const { dataDir } = readSettings(log);
    const folder = await mkdtemp(path.join(tmpdir(), "launchpad-bench-"));
    supervisor.onExit(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    // Root's Postgres runs as another user, who has to enter the folder.
    await chmod(folder, 0o711);

    const { onExit } = supervisor;
    const other =
      against === undefined
        ? undefined
        : await checkOut(against, { folder: path.join(folder, "then"), log, onExit });

    // Started before the other processes, since it has to outlive the indexers.
    const postgres = await supervisor.adopt("Postgres", (context) =>
      startPostgres({ dataDir: path.join(folder, "postgres"), log, ...context }),
    );
    const processes = await startProcesses(supervisor);
    const chain = await cachedChain(processes, { tokens, trades, dataDir, log, onExit });

    const measureNow = async (app: App, round: number) => {
      const name = `${app.name}_${round}`;
      const sample = await measure(processes, app, { chain, serverUrl: postgres.adminUrl, name });
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
    await supervisor.stop(0);
  }),
);

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
