import { statSync } from "node:fs";
import { findPackageJSON } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { openJsonCache } from "./json-cache.mjs";

/**
 * In development Ponder has Vite resolve and compile each of our 300 files at every start, which costs more than the rest of the
 * start. So the first process caches the results, and later ones read them.
 */
export async function rememberCompiledFiles(ponder) {
  // Not for a copy of the project in another folder.
  const ours = process.cwd();
  if (!process.env.MODULES_FILE?.startsWith(path.join(ours, "node_modules"))) return;
  const compiled = openJsonCache(`${process.env.MODULES_FILE}.compiled`);
  const viteNode = path.dirname(findPackageJSON("vite-node", pathToFileURL(ponder)) ?? "");
  const load = (name) => import(pathToFileURL(path.join(viteNode, "dist", name)).href);
  const [{ ViteNodeServer }, { toFilePath }] = await Promise.all([load("server.mjs"), load("utils.mjs")]);

  const { fetchModule, resolveId } = ViteNodeServer.prototype;
  ViteNodeServer.prototype.fetchModule = async function (id, mode) {
    const key = `${mode} ${id}`;
    const changed = statSync(toFilePath(id, ours).path, { throwIfNoEntry: false })?.mtimeMs;
    const known = compiled.get(key);
    if (known !== undefined && known.changed === changed) return known.result;
    const result = await fetchModule.call(this, id, mode);
    compiled.add(key, { changed, result });
    return result;
  };
  ViteNodeServer.prototype.resolveId = async function (id, importer, mode) {
    const key = `found ${id} ${path.dirname(importer ?? "")}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const result = await resolveId.call(this, id, importer, mode);
    if (result?.id.includes("/node_modules/")) compiled.add(key, result);
    return result;
  };
}
