// npm run registrations:import [-- file]: imports registrations from the lines of JSON that an export writes.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createModerationStore } from "../../offchain/moderation-store.ts";
import { createRegistrationStore } from "../../offchain/store.ts";
import { parseCommandLine } from "../../runtime/command-line.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { readSettings } from "../../runtime/settings.ts";
import { StartError } from "../../runtime/start-error.ts";
import { openDatabase } from "../open-database.ts";
import { importLines } from "./import-lines.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const { positionals } = parseCommandLine(process.argv.slice(2), { options: {}, names: ["a file"] });
    const [file] = positionals;
    const pool = await openDatabase(supervisor, readSettings(log), { mayBeNew: true });
    const input = file === undefined ? process.stdin : createReadStream(file);
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    const unreadable = new Promise<never>((_, reject) => {
      input.once("error", (error: Error) => {
        reject(
          new StartError("failed", `cannot read ${file ?? "the input"}: ${error.message}`, { cause: error }),
        );
      });
    });
    const stores = {
      registrations: createRegistrationStore(pool),
      moderation: createModerationStore(pool),
    };
    const { created, replaced, unchanged, refused } = await Promise.race([
      unreadable,
      importLines(stores, lines, { onRefused: log, signal: supervisor.signal }),
    ]);
    await pool.end();
    log(`${created} imported, ${replaced} replaced, ${unchanged} already there, ${refused} refused`);
    void supervisor.stop(refused > 0 ? 1 : 0);
  }),
);
