import { findPackageJSON, registerHooks } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { applyEdit, type Edit } from "./edit.ts";
import { indexingEdits } from "./indexing.ts";
import { startEdits, withoutVite } from "./start.ts";

/** Edits of Ponder, each with its reason and its gain in docs/decisions/0003-ponder-pinned.md. None changes what is stored. */
export const ponderEdits: readonly Edit[] = [...indexingEdits, ...startEdits];

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

type ViteNodeServer = {
  /** Pending fetches, by file. */
  fetchPromiseMap: { ssr: Map<string, unknown> };
  fetchModule(...args: unknown[]): Promise<{ code?: string }>;
};

/** Imports a file of a package in the version that Ponder uses. */
export async function importFromPonder(name: string, file: string) {
  const ponder = findPackageJSON("ponder", import.meta.url) ?? "";
  const folder = path.dirname(findPackageJSON(name, pathToFileURL(ponder)) ?? "");
  return await import(pathToFileURL(path.join(folder, file)).href);
}

/**
 * Makes vite-node compile a file again if it was edited while it was being compiled. In development it would otherwise give the
 * old code to a reload at that moment, which keeps it until the next edit. Vite itself, which it asks, does notice the edit.
 */
export async function recompileEditedFiles(): Promise<void> {
  const { ViteNodeServer } = await importFromPonder("vite-node", "dist/server.mjs");
  const server: ViteNodeServer = ViteNodeServer.prototype;
  const { fetchModule } = server;
  server.fetchModule = function (...args) {
    this.fetchPromiseMap.ssr.clear();
    return fetchModule.apply(this, args);
  };
}
