// npm run backup -- <file>: writes registrations, hidden tokens and images into one file.
import path from "node:path";
import { noteBackup } from "../../offchain/last-backup.ts";
import { parseCommandLine } from "../../runtime/command-line.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { readSettings } from "../../runtime/settings.ts";
import { fileError, StartError } from "../../runtime/start-error.ts";
import { chooseProviders } from "../../src/api/images/providers/choose.ts";
import { createLocalStore } from "../../src/api/images/providers/local.ts";
import { openDatabase } from "../open-database.ts";
import { writeBackup } from "./write-backup.ts";

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    const { positionals } = parseCommandLine(process.argv.slice(2), { options: {}, names: ["a file"] });
    const [file] = positionals;
    if (file === undefined)
      throw new StartError("failed", "name the file to write: npm run backup -- backup.tar");
    const settings = readSettings(log);
    const pool = await openDatabase(supervisor, settings);
    const local = createLocalStore(path.resolve(settings.dataDir, "images"));
    const { remote } = chooseProviders(settings.images);
    const { lines, images, lost } = await writeBackup({
      pool,
      readImage: async (cid) => (await local.read(cid)) ?? (await remote?.read(cid))?.bytes,
      file,
      signal: supervisor.signal,
    }).catch((error: unknown) => {
      throw isFileError(error) ? fileError(error, file) : error;
    });
    await pool.end();
    for (const cid of lost)
      log(
        `the image ${cid} is missing or broken in ${settings.dataDir}${remote ? " and in S3" : ""}, and not in the backup`,
      );
    log(`${lines} registrations and hidden tokens and ${images} images written to ${file}`);
    if (lost.length === 0) {
      await noteBackup(settings.dataDir, file).catch((error: unknown) =>
        log(`the time of this backup can't be noted in ${settings.dataDir} for the metrics: ${error}`),
      );
    }
    void supervisor.stop(lost.length > 0 ? 1 : 0);
  }),
);

/** Whether the error comes from the file system, not from the database. */
function isFileError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.syscall !== undefined;
}
