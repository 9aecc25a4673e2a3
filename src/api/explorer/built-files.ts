import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createBuildReader } from "../http/build-reader.ts";
import type { StaticFile } from "../http/static-files.ts";

/** The explorer as built from web/ by `npm ci`. */
export type BuiltFiles = {
  /** The page's HTML, with a comment where tags of the head are inserted. */
  page: string;
  /** The page's files by name; names contain the hash of their content. */
  assets: Map<string, StaticFile>;
};

const folder = fileURLToPath(new URL("../../../web/dist", import.meta.url));

const types: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** The returned function reads the built explorer, again after each build; it resolves to undefined if there is no build. */
export const createBuiltFiles = () => createBuildReader(path.join(folder, "index.html"), readBuilt);

async function readBuilt(index: string): Promise<BuiltFiles> {
  const [page, names] = await Promise.all([readFile(index, "utf8"), readdir(path.join(folder, "assets"))]);
  const assets = names.flatMap((name) => {
    const type = types[path.extname(name)];
    return type === undefined
      ? []
      : [[name, { path: path.join(folder, "assets", name), type, isCompressed: true }] as const];
  });
  return { page, assets: new Map(assets) };
}
