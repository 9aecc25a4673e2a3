import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { onceForTheRun } from "./once-for-the-run.ts";
import { quickestFolder } from "./quickest-folder.ts";
import { seed } from "./seed.ts";
import { runAfterExit } from "./watchman.ts";

/** Creates a folder for the run's temporary files, which is removed afterwards, even after a Ctrl-C, and prints the run's seed. */
export default onceForTheRun("run-folder", async () => {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(path.join(quickestFolder(), "launchpad-test-"));
  // If we are root, Postgres runs as another user, who must be able to reach its folder in there.
  chmodSync(folder, 0o711);
  // The workers and most of the programs that they start inherit it.
  process.env.TMPDIR = folder;
  // Removes it again a moment later, because programs that end with the run may still write.
  const { dismiss } = runAfterExit('rm -rf "$1"; sleep 5; rm -rf "$1"', folder);
  console.log(`Seed: ${seed} (TEST_SEED=… for another)`);
  return async () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    dismiss();
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  };
});
