import type pg from "pg";
import { ignore, within } from "../config/async.ts";
import type { Environment } from "../config/env.ts";
import { createSupervisor } from "../runtime/process/supervisor.ts";
import { readSettings } from "../runtime/settings.ts";
import { openDatabase } from "./open-database.ts";

type Tool = {
  settings: Environment;
  /** Aborted as soon as the command is to stop. */
  signal: AbortSignal;
  /** Connects to the database, which is only created if it `mayBeNew`. */
  open(options?: { mayBeNew: boolean }): Promise<pg.Pool>;
};

/** Milliseconds for an interrupted command to remove what it had begun to write. */
const cleanUpMs = 2_000;

/** Runs a command on the database of `npm start`, and exits with the code that it resolves to, or with 1 if it fails or a signal ends it. */
export async function runTool(
  command: (tool: Tool) => Promise<number>,
  log = (line: string) => console.log(line),
): Promise<never> {
  const supervisor = createSupervisor({ log });
  supervisor.mustFinish();
  const exitCode = await supervisor.run(async () => {
    const settings = readSettings(log);
    let pool: pg.Pool | undefined;
    const result = command({
      settings,
      signal: supervisor.signal,
      async open(options) {
        pool = await openDatabase(supervisor, settings, options);
        return pool;
      },
    });
    supervisor.onExit(() => within(cleanUpMs, result.then(ignore, ignore), ignore));
    const code = await result;
    await pool?.end();
    void supervisor.stop(code);
  });
  process.exit(exitCode);
}
