import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { onceForTheRun } from "./once-for-the-run.ts";
import { quickestFolder } from "./quickest-folder.ts";
import { seed } from "./seed.ts";
import { whenWeAreGone } from "./watchman.ts";

/** A folder for all temporary files of the run, gone with it, also after a Ctrl-C; and the seed of the run, printed. */
export default onceForTheRun("run-folder", async () => {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(path.join(quickestFolder(), "launchpad-test-"));
  // As root, Postgres runs as another user, who has to get to its folder in it.
  chmodSync(folder, 0o711);
  // The workers, and most of what they start, inherit it.
  process.env.TMPDIR = folder;
  // Once more a moment later: what ends with the run may still write.
  const { dismiss } = whenWeAreGone('rm -rf "$1"; sleep 5; rm -rf "$1"', folder);
  console.log(`Seed: ${seed} (TEST_SEED=… for another)`);
  return async () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    dismiss();
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  };
});
