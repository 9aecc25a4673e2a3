import { registerHooks } from "node:module";
import { bloom } from "./bloom.ts";
import { applied, type Edit } from "./edit.ts";
import { gateRequests } from "./gate-requests.ts";
import { indexes } from "./indexes.ts";
import { indexingStore } from "./indexing-store.ts";
import { loopDelay } from "./loop-delay.ts";
import { reloads } from "./reloads.ts";
import { reorgLog } from "./reorg-log.ts";
import { resultRows } from "./result-rows.ts";

/** What cost the most. None changes what is stored: docs/decisions/0003-ponder-pinned.md. */
export const ponderEdits: readonly Edit[] = [
  ...indexingStore,
  ...indexes,
  ...reorgLog,
  ...resultRows,
  ...bloom,
  ...gateRequests,
  ...reloads,
  ...loopDelay,
];

/** Has Node load Ponder's files with {@link ponderEdits} made. */
export function editPonder(): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const edits = ponderEdits.filter(({ file }) => url.endsWith(`/node_modules/${file}`));
      if (edits.length === 0) return loaded;
      return { ...loaded, source: edits.reduce(applied, String(loaded.source)) };
    },
  });
}
