import { type IndexWatch, type IndexWatchDeps, watchIndex } from "./index-watch.ts";

// Ponder runs the API anew when a file of it is edited, in the same process.
const running = globalThis as { LAUNCHPAD_INDEX_WATCH?: IndexWatch };

/** Watches the index, in place of the watch before. */
export function startIndexWatch(deps: IndexWatchDeps): IndexWatch {
  running.LAUNCHPAD_INDEX_WATCH?.stop();
  const watch = watchIndex(deps);
  running.LAUNCHPAD_INDEX_WATCH = watch;
  return watch;
}
