import { findPackageJSON } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { keptJson } from "./kept-json.mjs";

/**
 * Ponder has Vite compile each of our 300 files when it starts, which costs more than all else that it does then. So the first one
 * writes down what became of each, and those after it read that. The files don't change in a test run.
 */
export async function rememberCompiledFiles(ponder) {
  const compiled = keptJson(`${process.env.MODULES_FILE}.compiled`);
  const viteNode = path.dirname(findPackageJSON("vite-node", pathToFileURL(ponder)) ?? "");
  const { ViteNodeServer } = await import(pathToFileURL(path.join(viteNode, "dist/server.mjs")).href);
  const { fetchModule } = ViteNodeServer.prototype;
  ViteNodeServer.prototype.fetchModule = async function (id, mode) {
    const key = `${this.server.config.root} ${mode} ${id}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const result = await fetchModule.call(this, id, mode);
    compiled.add(key, result);
    return result;
  };
}
