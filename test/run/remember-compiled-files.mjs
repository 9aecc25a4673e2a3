import { statSync } from "node:fs";
import { findPackageJSON } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { keptJson } from "./kept-json.mjs";

/**
 * Ponder has Vite compile each of our 300 files when it starts, which costs more than all else that it does then. So the first one
 * writes down what became of each, and those after it read that.
 */
export async function rememberCompiledFiles(ponder) {
  const compiled = keptJson(`${process.env.MODULES_FILE}.compiled`);
  const viteNode = path.dirname(findPackageJSON("vite-node", pathToFileURL(ponder)) ?? "");
  const load = (name) => import(pathToFileURL(path.join(viteNode, "dist", name)).href);
  const [{ ViteNodeServer }, { toFilePath }] = await Promise.all([load("server.mjs"), load("utils.mjs")]);
  const { fetchModule } = ViteNodeServer.prototype;
  ViteNodeServer.prototype.fetchModule = async function (id, mode) {
    const { root } = this.server.config;
    const key = `${root} ${mode} ${id}`;
    const changed = statSync(toFilePath(id, root).path, { throwIfNoEntry: false })?.mtimeMs;
    const known = compiled.get(key);
    if (known !== undefined && known.changed === changed) return known.result;
    const result = await fetchModule.call(this, id, mode);
    compiled.add(key, { changed, result });
    return result;
  };
}
