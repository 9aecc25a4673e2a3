import { randomBytes } from "node:crypto";
import { readdir, readlink, realpath, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { ignore } from "../config/async.ts";
import { codeOf } from "../config/error-code.ts";
import { flush } from "../config/flush.ts";
import { StartError } from "../runtime/start-error.ts";

/** Milliseconds between the signs of life of a command that writes, and after which one without is dead. */
const beatMs = 60_000;
const abandonedMs = 3_600_000;

/** The unfinished file, and those beside it that have a word more in their names. */
const unfinished = /^(.+\.[0-9a-f]{12}\.part)(\.[a-z]+)?$/;

/**
 * Creates a file under a temporary name (`part`) beside `file`, to be renamed to `target` once it is complete. That is `file`, or where it
 * leads if it is a link, such as one to another disk. Only its owner can read it.
 *
 * Removes those that others were killed over in the same folder. A command that writes changes the time of its file each minute, so one of
 * an hour ago is held by nobody. That also holds for other containers and machines, whose processes nobody sees. One that was only
 * suspended for an hour fails when it renames its file.
 *
 * @throws StartError if `file` is something else, such as a device, which a file would replace
 */
export async function createUnfinished(file: string): Promise<{ part: string; target: string }> {
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isFile() === false) throw new StartError(`${file} is not a file: name one to write`);
  const target = await followLinks(file);
  await removeAbandoned(path.dirname(target));
  const part = `${target}.${randomBytes(6).toString("hex")}.part`;
  await writeFile(part, "", { mode: 0o600 });
  // Fails once the file is renamed or removed.
  const touch = () => utimes(part, new Date(), new Date()).catch(() => clearInterval(timer));
  const timer = setInterval(touch, beatMs).unref();
  return { part, target };
}

/** Puts a complete file in its place. Afterwards it is on disk, and so is its name: no power cut leaves an empty one. */
export async function putInPlace({ part, target }: { part: string; target: string }): Promise<void> {
  await flush(part);
  await rename(part, target);
  await flush(path.dirname(target));
}

/** Returns where a link leads, also to a file that is yet to be written; any other path unchanged. */
async function followLinks(file: string): Promise<string> {
  const link = await readlink(file).catch(() => undefined);
  if (link === undefined) return file;
  return await realpath(file).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
    return followLinks(path.resolve(path.dirname(file), link));
  });
}

async function removeAbandoned(folder: string): Promise<void> {
  const files = new Map<string, string[]>();
  // The folder may not exist, which is reported when the file is created.
  for (const name of await readdir(folder).catch(() => [])) {
    const [, part] = unfinished.exec(name) ?? [];
    if (part !== undefined) files.set(part, [...(files.get(part) ?? []), path.join(folder, name)]);
  }
  for (const names of files.values()) {
    const times = await Promise.all(names.map(modifiedAt));
    if (Math.max(...times) > Date.now() - abandonedMs) continue;
    // Another user's stay.
    for (const name of names) await rm(name, { force: true }).catch(ignore);
  }
}

/** One that is gone is no sign of life. */
const modifiedAt = async (name: string): Promise<number> =>
  await stat(name).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
