import { buffer } from "node:stream/consumers";
import { drizzle } from "drizzle-orm/node-postgres";
import { CID } from "multiformats/cid";
import type pg from "pg";
import { readLines } from "../../config/lines.ts";
import {
  insertSubscriptions,
  type KnownNumbers,
  parseSubscription,
  skipNumbers,
} from "../../offchain/alert-backup.ts";
import { inTransaction, onPooledConnection } from "../../offchain/connection.ts";
import { countExisting, type ImageBackup, insertImages, parseImage } from "../../offchain/image-backup.ts";
import { hideInTransaction } from "../../offchain/moderation-store.ts";
import { nextVersion, writeRegistrations } from "../../offchain/store.ts";
import { buildDag, type Dag, parseImageCid } from "../../src/api/images/dag.ts";
import { detectType, mimeTypes } from "../../src/api/images/image-type.ts";
import { imageLimits } from "../../src/api/images/limits.ts";
import type { LocalStore } from "../../src/api/images/providers/local.ts";
import type { RemoteStore } from "../../src/api/images/providers/provider.ts";
import { importLines } from "../registrations/import-lines.ts";
import {
  type ArchivedFile,
  BackupError,
  imagesFolder,
  imagesList,
  names,
  parseHead,
  parseSums,
  readArchive,
  readText,
  sha256,
} from "./archive.ts";

export type RestoreOptions = {
  pool: pg.Pool;
  local: Pick<LocalStore, "add" | "isComplete">;
  /** Gets every image too. */
  remote?: Pick<RemoteStore, "add" | "name"> | undefined;
  file: string;
  signal: AbortSignal;
};

/** The number of restored lines (registrations and hidden tokens), of restored images, and of subscriptions to webhooks. */
export type RestoreResult = { lines: number; images: number; subscriptions: number };

/** Rows per insert. */
const batchSize = 500;

/**
 * Restores a backup into a database without registrations, hidden tokens, images and subscriptions. The whole backup is verified first, then
 * restored in one transaction: after a failure, nothing but image files is left. Throws a BackupError if the backup is invalid or the
 * database is not empty.
 */
export async function restoreBackup({
  pool,
  local,
  remote,
  file,
  signal,
}: RestoreOptions): Promise<RestoreResult> {
  await assertEmpty(pool);
  const numbers = await verifyBackup(file, signal);
  return await onPooledConnection(pool, (client) =>
    inTransaction(client, async () => {
      // From here on, registrations by others wait for this transaction.
      const tx = drizzle(client, { casing: "snake_case" });
      if (numbers !== undefined) await skipNumbers(client, numbers);
      const version = await nextVersion(tx);
      await assertEmpty(client);
      const result: RestoreResult = { lines: 0, images: 0, subscriptions: 0 };
      for await (const entry of readArchive(file)) {
        signal.throwIfAborted();
        if (entry.name.startsWith(imagesFolder)) {
          const { bytes, dag } = await readImage(entry);
          const image = { cid: dag.root.toString(), bytes, dag, mimeType: mimeTypes[detectType(bytes)] };
          // What is there may be served meanwhile, and be another user's.
          if (!(await local.isComplete(image.cid))) await local.add(image);
          await remote?.add(image);
        } else if (entry.name === names.images)
          result.images = await restoreImages(client, entry, remote?.name);
        else if (entry.name === names.subscriptions)
          result.subscriptions = await inBatches(entry, parseSubscription, (batch) =>
            insertSubscriptions(client, batch),
          );
        else if (entry.name === names.registrations) {
          const stores = {
            registrations: {
              writeAll: (writes: Parameters<typeof writeRegistrations>[2]) =>
                writeRegistrations(client, version, writes),
            },
            moderation: {
              hide: (
                token: Parameters<typeof hideInTransaction>[1],
                hiding: { reason: string; hiddenAt?: Date },
              ) => hideInTransaction(tx, token, { ...hiding, version }),
            },
          };
          const counts = await importLines(stores, readLines(entry.bytes()), {
            signal,
            onRefused(message) {
              throw new BackupError(`can't be restored: ${names.registrations}, ${message}`);
            },
          });
          result.lines = counts.created;
        }
      }
      return result;
    }),
  );
}

/** A backup's pins in S3 may be those of another bucket: only the bucket that images are restored to counts. */
async function restoreImages(
  client: pg.ClientBase,
  entry: ArchivedFile,
  remote: string | undefined,
): Promise<number> {
  const parse = (line: string): ImageBackup => {
    const image = parseImage(line);
    const pins = image.pins.filter(({ provider }) => provider !== "s3");
    if (remote !== undefined) pins.push({ provider: remote, reference: null });
    return { ...image, pins };
  };
  return await inBatches(entry, parse, async (batch) => {
    await insertImages(client, batch);
    return batch.length;
  });
}

/** Writes the rows of a file in batches, each of which resolves to how many were written. Resolves to their sum. */
async function inBatches<Row>(
  entry: ArchivedFile,
  parse: (line: string) => Row,
  write: (batch: Row[]) => Promise<number>,
): Promise<number> {
  let count = 0;
  let batch: Row[] = [];
  const flush = async () => {
    if (batch.length > 0) count += await write(batch);
    batch = [];
  };
  for await (const line of readLines(entry.bytes())) {
    batch.push(parse(line));
    if (batch.length >= batchSize) await flush();
  }
  await flush();
  return count;
}

async function assertEmpty(client: Pick<pg.ClientBase, "query">): Promise<void> {
  const { registrations, hidden, images, subscriptions } = await countExisting(client);
  if (registrations + hidden + images + subscriptions === 0) return;
  const some = (count: number) => (count === 1_000 ? "1000 or more" : String(count));
  throw new BackupError(
    `can only be restored into an empty deployment, and this database has ${some(registrations)} registrations, ${some(hidden)} hidden tokens, ${some(images)} images and ${some(subscriptions)} subscriptions to webhooks. To add registrations to them, use npm run registrations:import`,
  );
}

/**
 * Verifies a whole backup. Resolves to the numbers in its head, which those of earlier versions lack. Throws a BackupError if something
 * is missing or a checksum doesn't match.
 */
async function verifyBackup(file: string, signal: AbortSignal): Promise<KnownNumbers | undefined> {
  const checksums = new Map<string, string>();
  const list = sha256();
  let sums: Map<string, string> | undefined;
  let numbers: KnownNumbers | undefined;
  for await (const entry of readArchive(file)) {
    signal.throwIfAborted();
    const { name } = entry;
    if (sums !== undefined) throw new BackupError(`has ${name} after its end`);
    if (checksums.size === 0 && name !== names.head) throw new BackupError("is not a backup of this service");
    if (name === names.sums) sums = parseSums(await readText(entry));
    else if (name.startsWith(imagesFolder)) list.update(`${(await readImage(entry)).dag.root}\n`);
    else if (name === names.head) {
      const text = await readText(entry);
      numbers = parseHead(text).numbers;
      checksums.set(name, sha256().update(text).digest("hex"));
    } else checksums.set(name, await computeSum(entry));
  }
  if (sums === undefined) throw new BackupError("is truncated: SHA256SUMS, its last file, is missing");
  checksums.set(imagesList, list.digest("hex"));
  for (const [name, sum] of sums) {
    if (checksums.get(name) === undefined) throw new BackupError(`lacks ${name}`);
    if (checksums.get(name) !== sum)
      throw new BackupError(`is damaged: the checksum of ${name} does not match`);
  }
  for (const name of [names.head, names.images, names.registrations, imagesList])
    if (!sums.has(name)) throw new BackupError(`has no checksum of ${name}`);
  for (const name of checksums.keys())
    if (!sums.has(name)) throw new BackupError(`has ${name}, which this version does not know`);
  return numbers;
}

async function computeSum(entry: ArchivedFile): Promise<string> {
  const sum = sha256();
  for await (const bytes of entry.bytes()) sum.update(bytes);
  return sum.digest("hex");
}

/** Reads an image of a backup. Throws a BackupError if its bytes don't match its CID. */
async function readImage({ name, size, bytes }: ArchivedFile): Promise<{ bytes: Buffer; dag: Dag }> {
  const cid = parseImageCid(name.slice(imagesFolder.length));
  if (cid === undefined || size > imageLimits.bytes)
    throw new BackupError(`has ${name}, which is not an image`);
  const all = await buffer(bytes());
  const dag = await buildDag(all);
  if (!dag.root.equals(CID.parse(cid)))
    throw new BackupError(`is damaged: the bytes of ${name} are not those of its CID`);
  return { bytes: all, dag };
}
