import { type IndexWatch, type IndexWatchDeps, watchIndex } from "./index-watch.ts";

// In development, Ponder reloads the API in the same process.
const running = globalThis as { LAUNCHPAD_INDEX_WATCH?: IndexWatch };

/** Starts watching the index, and stops the previous watch. */
export function startIndexWatch(deps: IndexWatchDeps): IndexWatch {
  running.LAUNCHPAD_INDEX_WATCH?.stop();
  const watch = watchIndex(deps);
  running.LAUNCHPAD_INDEX_WATCH = watch;
  return watch;
}
