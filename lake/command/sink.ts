// npm run sink -- --to clickhouse://…: follows final blocks into ClickHouse.
import { setTimeout as delay } from "node:timers/promises";
import type { Environment } from "../../config/env.ts";
import { isTransientDatabaseError } from "../../config/error-code.ts";
import { log } from "../../runtime/log/log.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { createProgress } from "../../runtime/progress.ts";
import { readSettings } from "../../runtime/settings.ts";
import { StartError } from "../../runtime/start-error.ts";
import { assertNotReplaced, findSchema, openDatabase, orLocalStack } from "../../tools/open-database.ts";
import { NotReadyError } from "../export/final-snapshot.ts";
import { ClickHouseError, openClickHouse, parseAddress } from "../sink/clickhouse.ts";
import { createLiveWriter, type LiveWriter } from "../sink/live.ts";
import { openSink, type SinkOptions, writeFinal } from "../sink/sink.ts";
import type { Sink } from "../sink/write.ts";
import { readSinkArguments, sinkUsage } from "./arguments.ts";

/** Milliseconds between checks for new final blocks. */
const followMs = 5_000;
/** Milliseconds between checks with `--live`, where each block counts. */
const liveMs = 1_000;
/** A range makes an insert per table, of which ClickHouse prefers few. */
const rangeSeconds = 10;
const rowsPerInsert = 50_000;
/** Attempts after errors that may pass, with `--once`; without it there is no end. */
const attemptsOnce = 5;
const longestPauseMs = 60_000;

const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const options = readSinkArguments(process.argv.slice(2));
    if (options === undefined) {
      log(sinkUsage);
      return void supervisor.stop(0);
    }
    if (options.once) supervisor.mustFinish();
    const ownSettings = readSettings(log);
    const address = parseAddress(options.to, ownSettings.clickHousePassword);
    const clickHouse = await openClickHouse(address, supervisor.signal);
    const settings = await orLocalStack(ownSettings);
    const pool = await openDatabase(supervisor, settings, { onlyReads: true, isFollowing: !options.once });
    const schema = await findSchema(pool, settings);
    await keepWriting(
      {
        pool,
        schema,
        clickHouse,
        signal: supervisor.signal,
        rangeSeconds: options.once ? 1 : rangeSeconds,
        snapshotSeconds: options.snapshotHours * 3_600,
        followMs: options.live ? liveMs : followMs,
        rowsPerInsert,
        progress: createProgress(log),
        live: options.live,
      },
      { once: options.once, settings },
    );
    await pool.end();
    void supervisor.stop(0);
  }),
);

/** Writes what is final: once, or again and again. Errors that may pass delay it. */
async function keepWriting(
  options: SinkOptions,
  { once, settings }: { once: boolean; settings: Environment },
): Promise<void> {
  let sink: Sink | undefined;
  let live: LiveWriter | undefined;
  let failures = 0;
  let lastReason = "";
  for (;;) {
    try {
      await assertNotReplaced(options.pool, options.schema, settings);
      sink ??= await openSink(options);
      if (options.live) live ??= createLiveWriter(sink);
      const rows = await writeFinal(sink, live);
      failures = 0;
      lastReason = "";
      if (once) {
        const { name } = options.clickHouse;
        return log(
          rows === 0 ? `nothing new: all that is final is in ${name}` : `${rows} rows written to ${name}`,
        );
      }
    } catch (error) {
      options.signal.throwIfAborted();
      const isWaiting = error instanceof NotReadyError;
      const mayPass = error instanceof ClickHouseError ? error.isTemporary : isTransientDatabaseError(error);
      if (once && isWaiting) throw error;
      if (!isWaiting && !mayPass) throw fatal(error);
      failures = isWaiting ? 0 : failures + 1;
      if (once && failures === attemptsOnce) throw fatal(error);
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== lastReason)
        log(isWaiting ? `waiting: ${reason}` : `trying again: ${reason}`, isWaiting ? undefined : "warn");
      lastReason = reason;
    }
    const backoffMs =
      failures === 0
        ? options.live
          ? liveMs
          : followMs
        : Math.min(1_000 * 2 ** (failures - 1), longestPauseMs);
    await delay(backoffMs, undefined, { signal: options.signal });
  }
}

function fatal(error: unknown): unknown {
  return error instanceof ClickHouseError ? new StartError(error.message, { cause: error }) : error;
}
