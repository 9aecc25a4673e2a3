// npm run restore -- <file>: restores a backup into an empty deployment.
import path from "node:path";
import { codeOf } from "../../config/error-code.ts";
import { parseCommandLine } from "../../runtime/command-line.ts";
import { StartError } from "../../runtime/start-error.ts";
import { chooseProviders } from "../../src/api/images/providers/choose.ts";
import { createLocalStore } from "../../src/api/images/providers/local.ts";
import { runTool } from "../run-tool.ts";
import { BackupError } from "./archive.ts";
import { restoreBackup } from "./restore-backup.ts";

await runTool(async ({ settings, signal, open }) => {
  const { positionals } = parseCommandLine(process.argv.slice(2), { options: {}, names: ["a file"] });
  const [file] = positionals;
  if (file === undefined) throw new StartError("name the file to read: npm run restore -- backup.tar");
  const pool = await open({ mayBeNew: true });
  const { lines, images, subscriptions } = await restoreBackup({
    pool,
    local: createLocalStore(path.resolve(settings.dataDir, "images")),
    remote: chooseProviders(settings.images).remote,
    file,
    signal,
  }).catch((error: unknown) => {
    if (error instanceof BackupError) throw new StartError(`${file} ${error.message}`, { cause: error });
    if (["ENOENT", "EISDIR", "EACCES"].includes(codeOf(error)))
      throw new StartError(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
    throw error;
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
