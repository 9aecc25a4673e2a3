import { mkdir, open, rm, stat } from "node:fs/promises";
import path from "node:path";
import { codeOf, fileError, StartError } from "../start-error.ts";

const timeoutMs = 10_000;

/** Creates the folder if it is missing. Throws a StartError if it can't be written to. */
export async function assertDataDir(dataDir: string): Promise<void> {
  const folder = path.resolve(dataDir);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // A disconnected network drive may never answer.
    timer = setTimeout(() => {
      const message = `writing to ${folder} takes more than ${timeoutMs / 1_000} s: check its disk, or set DATA_DIR to a folder on another one`;
      reject(new StartError("not-writable", message));
    }, timeoutMs);
  });
  await Promise.race([timeout, tryToWrite(folder)]).finally(() => clearTimeout(timer));
}

async function tryToWrite(folder: string): Promise<void> {
  const file = path.join(folder, `.write-test-${process.pid}`);
  try {
    await makeFolder(folder);
    const handle = await open(file, "w");
    await handle.writeFile("written").finally(() => handle.close());
    await rm(file);
  } catch (error) {
    await rm(file, { force: true }).catch(() => undefined);
    throw fileError(error, folder);
  }
}

/** Node's own recursive mkdir never returns in folders that can't have subfolders, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      if (codeOf(error) === "ENOENT") return false;
      throw error;
    },
  );
  if (isThere) return;
  const parent = path.dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  await mkdir(folder).catch((error: unknown) => {
    // Another process created it first.
    if (codeOf(error) !== "EEXIST") throw error;
  });
}
