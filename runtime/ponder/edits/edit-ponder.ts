import { registerHooks } from "node:module";
import { bloom } from "./bloom.ts";
import { copiedRows } from "./copied-rows.ts";
import { applied, type Edit } from "./edit.ts";
import { foundInMemory } from "./found-in-memory.ts";
import { gateRequests } from "./gate-requests.ts";
import { indexes } from "./indexes.ts";
import { keptRows } from "./kept-rows.ts";
import { loopDelay } from "./loop-delay.ts";
import { reloads } from "./reloads.ts";
import { reorgLog } from "./reorg-log.ts";
import { rowsInMemory } from "./rows-in-memory.ts";
import { sampledLookups } from "./sampled-lookups.ts";

/** What cost the most. None changes what is stored: docs/decisions/0003-ponder-pinned.md. */
export const ponderEdits: readonly Edit[] = [
  ...rowsInMemory,
  ...foundInMemory,
  ...copiedRows,
  ...sampledLookups,
  ...indexes,
  ...keptRows,
  ...reorgLog,
  ...bloom,
  ...gateRequests,
  ...reloads,
  ...loopDelay,
];

const ponderFolder = "/node_modules/ponder/dist/esm/";

/** Has Node load Ponder's files with {@link ponderEdits} made. */
export function editPonder(): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const edits = ponderEdits.filter(({ file }) => url.endsWith(ponderFolder + file));
      if (edits.length === 0) return loaded;
      return { ...loaded, source: edits.reduce(applied, String(loaded.source)) };
    },
  });
}
