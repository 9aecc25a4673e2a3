import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { writeDurably } from "./providers/block-file.ts";

export type ResizedFiles = ReturnType<typeof createResizedFiles>;

export type ResizedFilesOptions = {
  /** The folder of the files. Several processes may share it. */
  folder: string;
  /** The folder in which files are written before they are renamed. */
  unfinished: string;
  /** The most bytes of all files together. */
  bytes: number;
};

/** A used file's time is updated if it is older than this, in milliseconds. */
const touchAfterMs = 60_000;

/** As shares of the limit: how much one process may add between two evictions, and how much an eviction leaves. */
const evictionInterval = 1 / 16;
const evictionTarget = 3 / 4;

/**
 * A cache of files with a size limit, which evicts the least recently used. A file is written elsewhere and then renamed, so that it is
 * never there in part. Each process checks the folder by itself, so together they exceed the limit by at most what each adds between
 * two evictions.
 */
export function createResizedFiles({ folder, unfinished, bytes: limit }: ResizedFilesOptions) {
  /** Bytes that this process has added since its last eviction. The first file always triggers one. */
  let added = Number.POSITIVE_INFINITY;
  let evicting: Promise<void> | undefined;

  const pathFor = (name: string) => path.join(folder, name);

  async function removeOldest(): Promise<void> {
    const files = await listFiles(folder);
    let total = files.reduce((sum, { size }) => sum + size, 0);
    if (total <= limit * (1 - evictionInterval)) return;
    for (const { name, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= limit * evictionTarget) return;
      await rm(pathFor(name), { force: true });
      total -= size;
    }
  }

  function evict(): Promise<void> {
    added = 0;
    evicting ??= removeOldest().finally(() => {
      evicting = undefined;
    });
    return evicting;
  }

  return {
    /** Returns undefined if there is no such file. Throws if the disk fails. */
    async read(name: string): Promise<Buffer | undefined> {
      const file = pathFor(name);
      const found = await readFile(file).catch(unlessMissing);
      if (found !== undefined) await touch(file);
      return found;
    },

    /** Throws if the disk fails. */
    async write(name: string, bytes: Uint8Array): Promise<void> {
      const draft = path.join(unfinished, randomUUID());
      await mkdir(folder, { recursive: true });
      await mkdir(unfinished, { recursive: true });
      try {
        await writeDurably(draft, bytes);
        await rename(draft, pathFor(name));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      added += bytes.length;
      if (added > limit * evictionInterval) await evict();
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
  await utimes(file, now, now).catch(ignoreReadOnlyDisk);
}

/** On a read-only disk, the order of use is not recorded. Everything else works. */
const ignoreReadOnlyDisk = () => {};

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  return undefined;
}
