import { registerHooks } from "node:module";
import { applyEdit, type Edit } from "./edit.ts";
import {
  bloom,
  endOfBackfill,
  firstRanges,
  gateRate,
  reorgLog,
  resultRows,
  store,
  transactionEvents,
} from "./indexing.ts";
import { loopDelay, reloads, serveFirstEdits, unusedPackages, waitingPort, withoutVite } from "./start.ts";

/** Edits of Ponder, each with its reason and its gain in docs/decisions/0003-ponder-pinned.md. None changes what is stored. */
export const ponderEdits: readonly Edit[] = [
  ...store,
  ...endOfBackfill,
  ...reorgLog,
  ...resultRows,
  ...bloom,
  ...transactionEvents,
  ...gateRate,
  ...firstRanges,
  ...serveFirstEdits,
  ...waitingPort,
  ...unusedPackages,
  ...reloads,
  ...loopDelay,
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
