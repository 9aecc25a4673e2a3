import path from "node:path";
import { expectNoArguments } from "../../runtime/command-line.ts";
import { showProgress } from "../../runtime/progress.ts";
import { StartError } from "../../runtime/start-error.ts";
import { chooseProviders } from "../../src/api/images/providers/choose.ts";
import { createLocalStore } from "../../src/api/images/providers/local.ts";
import { pushImages } from "../../src/api/images/push-images.ts";
import { runTool } from "../run-tool.ts";

/* `npm run images:push`: pins every image of this DATA_DIR at the configured provider. */

await runTool(async ({ settings, signal, open }) => {
  expectNoArguments();
  const { provider } = chooseProviders(settings.images);
  if (provider === undefined)
    throw new StartError("there is nowhere to push to: set PINATA_JWT, KUBO_RPC_URL or IMAGES_S3_BUCKET");

  const pool = await open();
  const progress = showProgress(`Pinning images at ${provider.name}`);
  const { pushed, failed } = await pushImages({
    pool,
    local: createLocalStore(path.resolve(settings.dataDir, "images")),
    provider,
    onProgress: (done, total) => {
      if (total > 0) progress.update(done, total);
    },
    signal,
  });
  progress.end();

  for (const { cid, reason } of failed) console.log(`${cid} was not pinned: ${reason}`);
  console.log(`${pushed.length} pinned at ${provider.name}, ${failed.length} failed.`);
  return failed.length > 0 ? 1 : 0;
});
