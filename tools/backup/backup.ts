// npm run backup -- <file>: writes registrations, hidden tokens, images and subscriptions to webhooks into one file.
import path from "node:path";
import { noteBackup } from "../../offchain/last-backup.ts";
import { parseCommandLine } from "../../runtime/command-line.ts";
import { fileError, isFileError, StartError } from "../../runtime/start-error.ts";
import { chooseProviders } from "../../src/api/images/providers/choose.ts";
import { createLocalStore } from "../../src/api/images/providers/local.ts";
import { runTool } from "../run-tool.ts";
import { writeBackup } from "./write-backup.ts";

await runTool(async ({ settings, signal, open }) => {
  const { positionals } = parseCommandLine(process.argv.slice(2), { options: {}, names: ["a file"] });
  const [file] = positionals;
  if (file === undefined) throw new StartError("name the file to write: npm run backup -- backup.tar");
  const pool = await open();
  const local = createLocalStore(path.resolve(settings.dataDir, "images"));
  const { remote } = chooseProviders(settings.images);
  const { lines, images, subscriptions, lost } = await writeBackup({
    pool,
    readImage: async (cid) => (await local.read(cid)) ?? (await remote?.read(cid))?.bytes,
    file,
    signal,
  }).catch((error: unknown) => {
    throw isFileError(error) ? fileError(error, file, "name a file") : error;
  });
  for (const cid of lost)
    console.log(
      `the image ${cid} is missing or broken in ${settings.dataDir}${remote ? " and in S3" : ""}, and not in the backup`,
    );
  console.log(
    `${lines} registrations and hidden tokens, ${images} images and ${subscriptions} subscriptions to webhooks written to ${file}`,
  );
  if (lost.length === 0) {
    await noteBackup(settings.dataDir, file).catch((error: unknown) =>
      console.log(`the time of this backup can't be noted in ${settings.dataDir} for the metrics: ${error}`),
    );
  }
  return lost.length > 0 ? 1 : 0;
});
