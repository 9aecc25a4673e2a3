// npm run restore -- <file>: restores a backup into an empty deployment.
import path from "node:path";
import { parseCommandLine } from "../../runtime/command-line.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { readSettings } from "../../runtime/settings.ts";
import { codeOf, StartError } from "../../runtime/start-error.ts";
import { chooseProviders } from "../../src/api/images/providers/choose.ts";
import { createLocalStore } from "../../src/api/images/providers/local.ts";
import { openDatabase } from "../open-database.ts";
import { BackupError } from "./archive.ts";
import { restoreBackup } from "./restore-backup.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const { positionals } = parseCommandLine(process.argv.slice(2), { options: {}, names: ["a file"] });
    const [file] = positionals;
    if (file === undefined)
      throw new StartError("failed", "name the file to read: npm run restore -- backup.tar");
    const settings = readSettings(log);
    const pool = await openDatabase(supervisor, settings, { mayBeNew: true });
    const { lines, images } = await restoreBackup({
      pool,
      local: createLocalStore(path.resolve(settings.dataDir, "images")),
      remote: chooseProviders(settings.images).remote,
      file,
      signal: supervisor.signal,
    }).catch((error: unknown) => {
      if (error instanceof BackupError)
        throw new StartError("failed", `${file} ${error.message}`, { cause: error });
      if (["ENOENT", "EISDIR", "EACCES"].includes(codeOf(error)))
        throw new StartError("failed", `cannot read ${file}: ${(error as Error).message}`, { cause: error });
      throw error;
    });
    await pool.end();
    log(`${lines} registrations and hidden tokens and ${images} images restored from ${file}`);
    void supervisor.stop(0);
  }),
);
