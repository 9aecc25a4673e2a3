import { findPackageJSON } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

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
