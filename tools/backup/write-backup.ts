import { type EventEmitter, once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { type Pack, pack } from "tar-stream";
import { readLines } from "../../config/lines.ts";
import { type KnownNumbers, readKnownNumbers, readSubscriptions } from "../../offchain/alert-backup.ts";
import { inSnapshot } from "../../offchain/connection.ts";
import { type ImageBackup, readImages } from "../../offchain/image-backup.ts";
import { findImage } from "../../offchain/image-store.ts";
import { exportLines } from "../../offchain/read-registrations.ts";
import { createUnfinished, putInPlace } from "../unfinished-file.ts";
import { createLineFile, format, formatSums, imagesFolder, imagesList, names, sha256 } from "./archive.ts";

export type BackupOptions = {
  pool: pg.Pool;
  /** Resolves to undefined if the bytes are missing or damaged. */
  readImage: (cid: string) => Promise<Buffer | undefined>;
  file: string;
  signal: AbortSignal;
};

/** The contents of the backup, and the images that it lacks because their bytes are missing or damaged (`lost`). */
export type BackupResult = { lines: number; images: number; subscriptions: number; lost: string[] };

/**
 * Writes a backup from one snapshot of the database, without what is registered or uploaded meanwhile. The file is written under
 * a temporary name of its own and replaces an older one once it is complete and on disk. Throws errors of the database and the disk.
 */
export async function writeBackup({ pool, readImage, file, signal }: BackupOptions): Promise<BackupResult> {
  const { part, target } = await createUnfinished(file);
  // A tar archive has each file's size before the file, so lines are written to temporary files first.
  const parts = {
    registrations: `${part}.registrations`,
    subscriptions: `${part}.subscriptions`,
    known: `${part}.known`,
    images: `${part}.images`,
  };
  try {
    const registrations = await createLineFile(parts.registrations);
    const subscriptionLines = await createLineFile(parts.subscriptions);
    const known = await createLineFile(parts.known);
    const numbers = await inSnapshot(pool, async (client) => {
      for await (const line of exportLines(client)) {
        signal.throwIfAborted();
        await registrations.write(line);
      }
      for await (const subscription of readSubscriptions(client))
        await subscriptionLines.write(`${JSON.stringify(subscription)}\n`);
      for await (const image of readImages(client)) await known.write(`${JSON.stringify(image)}\n`);
      return await readKnownNumbers(client);
    });
    const lines = await registrations.end();
    const subscriptions = await subscriptionLines.end();
    await known.end();

    const archive = pack();
    const written = pipeline(archive as AsyncIterable<Buffer>, createWriteStream(part, { mode: 0o600 }), {
      signal,
    });
    const filled = fill(archive, { pool, readImage, parts, numbers, signal }).catch((error) => {
      archive.destroy(error);
      throw error;
    });
    const [result] = await Promise.all([filled, written]);
    await putInPlace({ part, target });
    return { lines, subscriptions, ...result };
  } finally {
    for (const left of [part, ...Object.values(parts)]) await rm(left, { force: true });
  }
}

type FillOptions = Omit<BackupOptions, "file"> & {
  parts: { registrations: string; subscriptions: string; known: string; images: string };
  numbers: KnownNumbers;
};

async function fill(
  archive: Pack,
  { pool, readImage, parts, numbers, signal }: FillOptions,
): Promise<Pick<BackupResult, "images" | "lost">> {
  const sums = new Map<string, string>();
  const addText = async (name: string, text: string) => {
    sums.set(name, sha256().update(text).digest("hex"));
    await addBytes(archive, name, Buffer.from(text));
  };
  const createdAt = new Date().toISOString();
  await addText(names.head, `${JSON.stringify({ format, createdAt, numbers })}\n`);

  const kept = await createLineFile(parts.images);
  const list = sha256();
  const lost: string[] = [];
  for await (const line of readLines(createReadStream(parts.known))) {
    signal.throwIfAborted();
    const { cid }: ImageBackup = JSON.parse(line);
    const bytes = await readImage(cid);
    if (bytes === undefined) {
      // An image that was deleted since the snapshot is not lost.
      if ((await findImage(pool, cid)) !== undefined) lost.push(cid);
      continue;
    }
    await addBytes(archive, `${imagesFolder}${cid}`, bytes);
    await kept.write(`${line}\n`);
    list.update(`${cid}\n`);
  }
  const images = await kept.end();
  sums.set(imagesList, list.digest("hex"));
  sums.set(names.images, await addFile(archive, names.images, parts.images));
  sums.set(names.registrations, await addFile(archive, names.registrations, parts.registrations));
  sums.set(names.subscriptions, await addFile(archive, names.subscriptions, parts.subscriptions));
  await addBytes(archive, names.sums, Buffer.from(formatSums(sums)));
  archive.finalize();
  return { images, lost };
}

async function addBytes(archive: Pack, name: string, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    archive.entry({ name, mode: 0o600 }, bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** Resolves to the file's checksum. */
async function addFile(archive: Pack, name: string, file: string): Promise<string> {
  const sum = sha256();
  const { size } = await stat(file);
  const { promise: added, resolve, reject } = Promise.withResolvers<void>();
  const sink = archive.entry({ name, size, mode: 0o600 }, (error) => (error ? reject(error) : resolve()));
  for await (const bytes of createReadStream(file)) {
    sum.update(bytes);
    if (!sink.write(bytes)) await Promise.race([once(sink as unknown as EventEmitter, "drain"), added]);
  }
  sink.end(null);
  await added;
  return sum.digest("hex");
}
