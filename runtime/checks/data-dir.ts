import { mkdir, open, rm, stat } from "node:fs/promises";
import path from "node:path";
import { codeOf, fileError, StartError } from "../start-error.ts";

const patienceMs = 10_000;

/** Throws a StartError when nothing can be written to the folder, which is made if it is not there. */
export async function assertDataDir(dataDir: string): Promise<void> {
  const folder = path.resolve(dataDir);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    // A network drive that is away may never answer.
    timer = setTimeout(() => {
      const message = `writing to ${folder} takes more than ${patienceMs / 1_000} s: check its disk, or set DATA_DIR to a folder on another one`;
      reject(new StartError("not-writable", message));
    }, patienceMs);
  });
  await Promise.race([tooLate, tryToWrite(folder)]).finally(() => clearTimeout(timer));
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

/** Node's own recursive mkdir never ends where a folder can't have folders, such as /proc. */
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
    // Another process was faster.
    if (codeOf(error) !== "EEXIST") throw error;
  });
}
