import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { ignore, shareRun } from "../../../config/async.ts";
import type { ImageRecord } from "../../../offchain/image-store.ts";
import { createFairSemaphore } from "../concurrency/semaphore.ts";
import { coalesce } from "../concurrency/single-flight.ts";
import type { ImageDecoder } from "./decoder/decoder.ts";
import type { Resizing } from "./decoder/messages.ts";
import { logImageFailure, tooBusy } from "./image-error.ts";
import { detectType } from "./image-type.ts";
import { type resizedWidths, resizingQueue } from "./limits.ts";
import { unlessMissing, writeDurably } from "./providers/block-file.ts";

export type ResizedImagesDeps = {
  /** Not shared with uploads, so that neither waits for the other. */
  decoder: ImageDecoder;
  files: ResizedFiles;
  /** Reads the stored image. Throws an ImageError. */
  readStored: (image: ImageRecord, client: string) => Promise<Buffer>;
  queue?: typeof resizingQueue;
};

/**
 * Resizes stored images. A WebP is cached. All resizing goes through one bounded queue, in which clients take turns. A client's
 * concurrent requests for a WebP share one turn, but share none with other clients, which may have many turns before that one: turns
 * after the first find the WebP in the cache. Throws an ImageError 503 `busy` if too many wait.
 */
export function createResizedImages({
  decoder,
  files,
  readStored,
  queue = resizingQueue,
}: ResizedImagesDeps) {
  const limitPerClient = createFairSemaphore({
    ...queue,
    refuse: () => tooBusy("Too many images are being resized: try again in a few seconds."),
  });
  const waiting = new Map<string, Promise<Buffer>>();
  const running = new Map<string, Promise<Buffer>>();

  async function resize(image: ImageRecord, client: string, { width, format }: Resizing): Promise<Buffer> {
    const stored = await readStored(image, client);
    const request = { bytes: stored, type: detectType(stored), resize: { width, format } };
    const { bytes } = await decoder.decode(request);
    const resized = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // The decoder has handled hostile bytes, so its result is not trusted either.
    if (detectType(resized) !== format) throw new Error(`the decoder made no ${format} of ${image.cid}`);
    return resized;
  }

  async function resizeAndKeep(image: ImageRecord, width: ResizedWidth, client: string): Promise<Buffer> {
    const resized = await resize(image, client, { width: Number(width), format: "webp" });
    await files.write(resizedName(image.cid, width), resized).catch(logCacheError);
    return resized;
  }

  return {
    async webp(image: ImageRecord, width: ResizedWidth, client: string): Promise<Buffer> {
      const name = resizedName(image.cid, width);
      const readCached = () => files.read(name).catch(logCacheError);
      const cached = await readCached();
      if (cached !== undefined) return cached;
      return await coalesce(waiting, `${client} ${name}`, () =>
        limitPerClient(client, () =>
          coalesce(running, name, async () => (await readCached()) ?? resizeAndKeep(image, width, client)),
        ),
      );
    },

    /** Makes a still PNG. It is not cached. */
    png: (image: ImageRecord, width: number, client: string): Promise<Buffer> =>
      limitPerClient(client, () => resize(image, client, { width, format: "png" })),
  };
}

/** The image is served all the same, and resized again for the next request. */
function logCacheError(error: unknown): undefined {
  logImageFailure("a resized image can't be kept:", error);
}

export type ResizedFiles = ReturnType<typeof createResizedFiles>;

type ResizedFilesOptions = {
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

  const pathFor = (name: string) => path.join(folder, name);

  const evict = shareRun(async () => {
    added = 0;
    const files = await listFiles(folder);
    let total = files.reduce((sum, { size }) => sum + size, 0);
    if (total <= limit * (1 - evictionInterval)) return;
    for (const { name, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= limit * evictionTarget) return;
      await rm(pathFor(name), { force: true });
      total -= size;
    }
  });

  return {
    /** Returns undefined if there is no such file. Throws if the disk fails. */
    async read(name: string): Promise<Buffer | undefined> {
      const file = pathFor(name);
      const bytes = await readFile(file).catch(unlessMissing);
      if (bytes !== undefined) await touch(file);
      return bytes;
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
  const files: Found[] = [];
  for (const name of await readdir(folder)) {
    // Another process may have removed it.
    const file = await stat(path.join(folder, name)).catch(unlessMissing);
    if (file?.isFile()) files.push({ name, size: file.size, usedAt: file.mtimeMs });
  }
  return files;
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  const stats = await stat(file).catch(unlessMissing);
  if (stats === undefined || now.getTime() - stats.mtimeMs < touchAfterMs) return;
  // On a read-only disk, the order of use is not recorded. Everything else works.
  await utimes(file, now, now).catch(ignore);
}

export type ResizedWidth = (typeof resizedWidths)[number];

/** Returns the file name of a resized image. */
export function resizedName(cid: string, width: ResizedWidth): string {
  return `${cid}-${width}.webp`;
}
