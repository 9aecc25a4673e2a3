import { registerHooks } from "node:module";
import { applyEdit, type Edit } from "./edit.ts";
import { commits, indexingStore, resultRows, transactionEvents } from "./indexing-store.ts";
import { indexes, keepTriggers, reorgLog } from "./reorg-log.ts";
import { bloom, firstRanges, gateRequests } from "./requests.ts";
import { loopDelay, reloads, serveFirstEdits, unusedPackages, waitingPort, withoutVite } from "./start.ts";

/** Edits to the parts of Ponder that cost the most. None changes what is stored: docs/decisions/0003-ponder-pinned.md. */
export const ponderEdits: readonly Edit[] = [
  ...indexingStore,
  ...commits,
  ...indexes,
  ...reorgLog,
  ...keepTriggers,
  ...resultRows,
  ...bloom,
  ...gateRequests,
  ...firstRanges,
  ...reloads,
  ...loopDelay,
  ...waitingPort,
  ...serveFirstEdits,
  ...transactionEvents,
  ...unusedPackages,
];

const packages = "/node_modules/";

/** Makes Node load Ponder's files with {@link ponderEdits} applied, and in production with {@link withoutVite} too. */
export function editPonder({ isDevelopment }: { isDevelopment: boolean }): void {
  const made = isDevelopment ? ponderEdits : [...ponderEdits, ...withoutVite];
  const byFile = Map.groupBy(made, ({ file }) => file);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const start = url.lastIndexOf(packages);
      const edits = start < 0 ? undefined : byFile.get(url.slice(start + packages.length));
      if (edits === undefined) return loaded;
      return { ...loaded, source: edits.reduce(applyEdit, String(loaded.source)) };
    },
  });
}
