import path from "node:path";
import { inSnapshot } from "../../offchain/connection.ts";
import { readImages } from "../../offchain/image-backup.ts";
import { findImage } from "../../offchain/image-store.ts";
import { expectNoArguments } from "../../runtime/command-line.ts";
import { chooseProviders } from "../../src/api/images/providers/choose.ts";
import { createLocalStore } from "../../src/api/images/providers/local.ts";
import { runTool } from "../run-tool.ts";

/*
 * `npm run images:verify`: reads every image of this DATA_DIR, or of S3 if that is configured, and names those whose bytes are missing or
 * damaged there.
 */

await runTool(async ({ settings, signal, open }) => {
  expectNoArguments();
  const pool = await open();
  const folder = path.resolve(settings.dataDir, "images");
  const local = createLocalStore(folder);
  const { remote } = chooseProviders(settings.images);
  const place = remote === undefined ? folder : "S3";
  const isComplete = async (cid: string) =>
    remote === undefined ? await local.isComplete(cid) : (await remote.read(cid)) !== undefined;
  let images = 0;
  let lost = 0;
  await inSnapshot(pool, async (client) => {
    for await (const { cid, pins } of readImages(client)) {
      signal.throwIfAborted();
      images++;
      // One that was deleted since the snapshot is not lost.
      if ((await isComplete(cid)) || (await findImage(pool, cid)) === undefined) continue;
      lost++;
      const elsewhere = pins
        .filter(({ provider }) => provider !== "local" && provider !== remote?.name)
        .map(({ provider }) => `pinned at ${provider}`);
      if (remote !== undefined && (await local.isComplete(cid))) elsewhere.push("whole in this DATA_DIR");
      console.log(`${cid} is missing or damaged${elsewhere.map((place) => `, and ${place}`).join("")}`);
    }
  });
  console.log(`${images} images in ${place}, ${lost} of them missing or damaged.`);
  return lost > 0 ? 1 : 0;
});
