// npm run restore -- <file>: restores a backup into an empty deployment.
import path from "node:path";
import { codeOf, reasonOf } from "../../config/error-code.ts";
import { parseCommandLine } from "../../runtime/command-line.ts";
import { fileError, isFileError, StartError } from "../../runtime/start-error.ts";
import { chooseProviders } from "../../src/api/images/providers/choose.ts";
import { createLocalStore } from "../../src/api/images/providers/local.ts";
import { runTool } from "../run-tool.ts";
import { BackupError } from "./archive.ts";
import { restoreBackup } from "./restore-backup.ts";

await runTool(async ({ settings, signal, open }) => {
  const { positionals } = parseCommandLine(process.argv.slice(2), { options: {}, names: ["a file"] });
  const [file] = positionals;
  if (file === undefined) throw new StartError("name the file to read: npm run restore -- backup.tar");
  const folder = path.resolve(settings.dataDir, "images");
  const pool = await open({ mayBeNew: true });
  const { lines, images, subscriptions } = await restoreBackup({
    pool,
    local: createLocalStore(folder),
    remote: chooseProviders(settings.images).remote,
    file,
    signal,
  }).catch((error: unknown) => {
    if (error instanceof BackupError) throw new StartError(`${file} ${error.message}`, { cause: error });
    if (!isFileError(error)) throw error;
    const isOfBackup = codeOf(error) === "EISDIR" || (error as NodeJS.ErrnoException).path === file;
    throw isOfBackup
      ? new StartError(`cannot read ${file}: ${reasonOf(error)}`, { cause: error })
      : fileError(error, folder);
  });
  console.log(
    `${lines} registrations and hidden tokens, ${images} images and ${subscriptions} subscriptions to webhooks restored from ${file}`,
  );
  if (subscriptions > 0)
    console.log(
      "the webhooks get what happens from now on, after a notice of the gap; ALERTS_KEY must be the one that they were made with",
    );
  return 0;
});
