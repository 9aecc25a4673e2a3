import path from "node:path";
import { expectNoArguments } from "../../runtime/command-line.ts";
import { createSupervisor } from "../../runtime/process/supervisor.ts";
import { showProgress } from "../../runtime/progress.ts";
import { readSettings } from "../../runtime/settings.ts";
import { StartError } from "../../runtime/start-error.ts";
import { chooseProviders } from "../../src/api/images/providers/choose.ts";
import { createLocalStore } from "../../src/api/images/providers/local.ts";
import { pushImages } from "../../src/api/images/push-images.ts";
import { openDatabase } from "../open-database.ts";

/* `npm run images:push`: pins every image of this DATA_DIR at the configured provider. */

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });

process.exit(
  await supervisor.run(async () => {
    expectNoArguments();
    const settings = readSettings(log);
    const { provider } = chooseProviders(settings.images);
    if (provider === undefined)
      throw new StartError(
        "failed",
        "there is nowhere to push to: set PINATA_JWT, KUBO_RPC_URL or IMAGES_S3_BUCKET",
      );

    const pool = await openDatabase(supervisor, settings);
    const progress = showProgress(`Pinning images at ${provider.name}`, log);
    const { pushed, failed } = await pushImages({
      pool,
      local: createLocalStore(path.resolve(settings.dataDir, "images")),
      provider,
      onProgress: (done, total) => {
        if (total > 0) progress.update(done, total);
      },
      signal: supervisor.signal,
    }).finally(() => pool.end());
    progress.end();

    for (const { cid, reason } of failed) log(`${cid} was not pinned: ${reason}`);
    log(`${pushed.length} pinned at ${provider.name}, ${failed.length} failed.`);
    await supervisor.stop(failed.length > 0 ? 1 : 0);
  }),
);
