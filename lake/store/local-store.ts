import { glob, mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../../runtime/start-error.ts";
import { checksum } from "./checksum.ts";
import type { Store } from "./store.ts";

/** A store in a folder, which must be on the same disk as the unfinished files. */
export function localStore(folder: string): Store {
  const locate = (file: string) => path.join(folder, file);
  return {
    name: folder,
    locate,
    async put(finished, file) {
      const target = locate(file);
      await mkdir(path.dirname(target), { recursive: true });
      await flush(finished);
      await rename(finished, target);
      await flush(path.dirname(target));
    },
    readText: (file) => ifThere(readFile(locate(file), "utf8")),
    check: (file) => ifThere(checksum(locate(file))),
    async list() {
      const found: string[] = [];
      for await (const file of glob("*/chain=*/day=*/*.parquet", { cwd: folder })) found.push(file);
      return found.sort();
    },
  };
}

/** Waits until a file's content, or a folder's entries, are on disk. */
async function flush(place: string): Promise<void> {
  const handle = await open(place, "r");
  await handle.sync().finally(() => handle.close());
}

async function ifThere<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
