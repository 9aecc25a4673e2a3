import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { writeDurably } from "./providers/block-file.ts";

export type ResizedFiles = ReturnType<typeof createResizedFiles>;

export type ResizedFilesOptions = {
  /** Where the files are. Several processes may share it. */
  folder: string;
  /** Where they are written before they have their names. */
  unfinished: string;
  /** Bytes of all files. */
  bytes: number;
};

/** A file's time is set anew when it is used and older than this, in milliseconds. */
const touchAfterMs = 60_000;

/** Of the limit: what may be added by one process between two looks at the folder, and what is left after one that found too much. */
const betweenLooks = 1 / 16;
const leftOver = 3 / 4;

/**
 * Files that can be made again, within a limit: those that were not used for the longest go. A file is written elsewhere and then
 * renamed, so that it is there as a whole or not at all. Each process looks at the folder itself, so together they exceed the limit by
 * no more than what each adds between two looks.
 */
export function createResizedFiles({ folder, unfinished, bytes: limit }: ResizedFilesOptions) {
  /** Bytes that this process added since its last look; the first file brings the first look. */
  let added = Number.POSITIVE_INFINITY;
  let looking: Promise<void> | undefined;

  const placeOf = (name: string) => path.join(folder, name);

  async function removeOldest(): Promise<void> {
    const files = await listFiles(folder);
    let total = files.reduce((sum, { size }) => sum + size, 0);
    if (total <= limit * (1 - betweenLooks)) return;
    for (const { name, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= limit * leftOver) return;
      await rm(placeOf(name), { force: true });
      total -= size;
    }
  }

  function look(): Promise<void> {
    added = 0;
    looking ??= removeOldest().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  return {
    /** Undefined where there is none. Throws when the disk fails. */
    async read(name: string): Promise<Buffer | undefined> {
      const file = placeOf(name);
      const found = await readFile(file).catch(unlessMissing);
      if (found !== undefined) await touch(file);
      return found;
    },

    /** Throws when the disk fails. */
    async write(name: string, bytes: Uint8Array): Promise<void> {
      const draft = path.join(unfinished, randomUUID());
      await mkdir(folder, { recursive: true });
      await mkdir(unfinished, { recursive: true });
      try {
        await writeDurably(draft, bytes);
        await rename(draft, placeOf(name));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      added += bytes.length;
      if (added > limit * betweenLooks) await look();
    },
  };
}

type Found = { name: string; size: number; usedAt: number };

async function listFiles(folder: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const name of await readdir(folder)) {
    // Another process may have removed it.
    const file = await stat(path.join(folder, name)).catch(unlessMissing);
    if (file?.isFile()) found.push({ name, size: file.size, usedAt: file.mtimeMs });
  }
  return found;
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  const found = await stat(file).catch(unlessMissing);
  if (found === undefined || now.getTime() - found.mtimeMs < touchAfterMs) return;
  await utimes(file, now, now).catch(leaveOrder);
}

/** On a disk that can only be read, the order of use is not known; everything else works. */
const leaveOrder = () => {};

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  return undefined;
}
