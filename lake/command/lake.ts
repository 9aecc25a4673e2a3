// npm run lake -- --to <folder>: exports everything final as Parquet files.
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Environment } from "../../config/env.ts";
import { codeOf, isTransientDatabaseError, reasonOf } from "../../config/error-code.ts";
import { log } from "../../runtime/log/log.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { createProgress } from "../../runtime/progress.ts";
import { readSettings } from "../../runtime/settings.ts";
import { adviceOnDatabase, isDiskFull, isFileError, StartError } from "../../runtime/start-error.ts";
import { assertNotReplaced, findSchema, openDatabase, orLocalStack } from "../../tools/open-database.ts";
import { openEngine, prepareObjectStore } from "../engine.ts";
import { type ExportOptions, exportFinal } from "../export/export.ts";
import { NotReadyError } from "../export/final-snapshot.ts";
import { daySeconds } from "../manifest.ts";
import { isObjectStore, openStore } from "../store.ts";
import { verify } from "../verify.ts";
import { readArguments, usage } from "./arguments.ts";

/** Seconds to whose multiples a run exports the current day. Each part of a day is a file, so one that follows makes few. */
const intradaySteps = { once: 1, following: 3_600 };

/** Milliseconds between checks for new final blocks, each of which reads a single row. */
const followMs = 5_000;
/** SQLSTATE. */
const postgresDiskFull = "53100";

const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const options = readArguments(process.argv.slice(2));
    if (options === undefined) {
      log(usage);
      return void supervisor.stop(0);
    }
    if (!options.follow) supervisor.mustFinish();
    const settings = await orLocalStack(readSettings(log));
    // Unfinished files are on the same disk as the finished ones, so that a rename moves them.
    const workFolder = isObjectStore(options.to)
      ? path.resolve(settings.dataDir, "lake", options.to.replaceAll(/[^\w-]+/g, "-"))
      : path.resolve(options.to, ".work");
    const engine = await openEngine(workFolder);
    supervisor.onExit(() => engine.close());
    if (isObjectStore(options.to)) await prepareObjectStore(engine);
    const store = openStore(isObjectStore(options.to) ? options.to : path.resolve(options.to), engine);
    if (options.verify) {
      const { files, rows, problems } = await verify(engine, store);
      for (const problem of problems) log(problem, "error");
      log(
        `${files} files, ${rows} rows: ${problems.length === 0 ? "all as they were written" : `${problems.length} problems`}`,
      );
      return void supervisor.stop(problems.length === 0 ? 0 : 1);
    }
    const pool = await openDatabase(supervisor, settings, {
      onlyReads: true,
      isFollowing: options.follow,
    });
    const run = {
      pool,
      tables: options.tables,
      schema: await findSchema(pool, settings),
      engine,
      store,
      step: options.intraday ? intradaySteps[options.follow ? "following" : "once"] : daySeconds,
      signal: supervisor.signal,
      progress: createProgress(log),
    };
    if (options.follow) await follow(run, settings);
    else await exportOnce(run);
    await pool.end();
    void supervisor.stop(0);
  }),
);

async function exportOnce(run: ExportOptions, isFollowing = false): Promise<void> {
  const startedAt = performance.now();
  try {
    const { files, rows, bytes } = await exportFinal(run);
    if (files === 0 && !isFollowing) log("nothing new: all that is final is exported");
    if (files === 0) return;
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    log(
      `${files} files with ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, exported to ${run.store.name} in ${seconds} s`,
    );
  } catch (error) {
    run.signal.throwIfAborted();
    // That of Postgres may be full as well, which its own errors say in the same words.
    if (codeOf(error) === postgresDiskFull || !isDiskFull(error)) throw error;
    throw new StartError(
      `no space left on the disk of ${run.store.name}: free some and run it again. What is in manifest.json is complete`,
      { code: "disk-full", cause: error },
    );
  }
}

async function follow(run: ExportOptions, settings: Environment): Promise<void> {
  let lastReason = "";
  for (;;) {
    try {
      await assertNotReplaced(run.pool, run.schema, settings);
      await exportOnce(run, true);
      lastReason = "";
    } catch (error) {
      const isAway = isTransientDatabaseError(error) && !isFileError(error);
      if (!(error instanceof NotReadyError) && !isAway) throw error;
      const reason = adviceOnDatabase(error) ?? reasonOf(error);
      if (lastReason !== reason) log(`waiting: ${reason}`, isAway ? "warn" : undefined);
      lastReason = reason;
    }
    await delay(followMs, undefined, { signal: run.signal });
  }
}
