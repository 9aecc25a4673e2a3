import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { readSettings } from "../../runtime/settings.ts";
import { createSupervisor } from "../../runtime/supervisor.ts";
import { type App, bare, ours } from "./apps.ts";
import { cachedChain } from "./chain/cached-chain.ts";
import { hireCrew } from "./crew.ts";
import { assertSame, measure } from "./measure.ts";
import { readOptions } from "./options.ts";
import { formatReport, makeReport } from "./report.ts";
import type { Round } from "./statistics.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const { tokens, trades, rounds, json } = readOptions();
    const { dataDir } = readSettings(log);
    const folder = await mkdtemp(path.join(tmpdir(), "launchpad-bench-"));
    supervisor.onExit(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    // As root, Postgres runs as another user, who has to get to the folder.
    await chmod(folder, 0o711);

    // Before the crew, since it has to outlive the indexers.
    const postgres = await supervisor.adopt("Postgres", (context) =>
      startPostgres({ dataDir: path.join(folder, "postgres"), log, ...context }),
    );
    const crew = await hireCrew(supervisor);
    const { onExit } = supervisor;
    const chain = await cachedChain(crew, { tokens, trades, dataDir, log, onExit });

    const measureNow = async (app: App, round: number) => {
      const name = `${app.name}_${round}`;
      const sample = await measure(crew, app, { chain, serverUrl: postgres.url, name });
      const times = `cold ${seconds(sample.cold)}, warm ${seconds(sample.warm)}, live ${seconds(sample.live)}`;
      log(`round ${round} of ${rounds}, ${app.name}: ${times}`);
      return sample;
    };
    const done: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      // Whoever comes second finds a warmer machine, so they take turns.
      const first = round % 2 === 1 ? await measureNow(bare, round) : undefined;
      const ofOurs = await measureNow(ours, round);
      const ofBare = first ?? (await measureNow(bare, round));
      assertSame("our app and the bare one", ofOurs.backfillEvents, ofBare.backfillEvents);
      assertSame("our app and the bare one, live,", ofOurs.liveEvents, ofBare.liveEvents);
      done.push({ ours: ofOurs, bare: ofBare });
    }

    const report = makeReport(chain, done);
    log(formatReport(report));
    if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
    await supervisor.stop(0);
  }),
);

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
