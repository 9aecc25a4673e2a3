import { Readable } from "node:stream";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { countExisting, type ImageBackup, insertImages, parseImage } from "../../offchain/image-backup.ts";
import { hideInTransaction } from "../../offchain/moderation-store.ts";
import { nextVersion } from "../../offchain/registry-version.ts";
import { writeRegistrations } from "../../offchain/store.ts";
import type { LocalStore } from "../../src/api/images/providers/local.ts";
import { importLines } from "../registrations/import-lines.ts";
import { type ArchivedFile, BackupError, imagesFolder, names, readArchive } from "./archive.ts";
import { readLines } from "./line-file.ts";
import { readImage, verifyBackup } from "./verify-backup.ts";

export type RestoreOptions = {
  pool: pg.Pool;
  local: Pick<LocalStore, "add">;
  file: string;
  signal: AbortSignal;
};

/** The number of restored lines (registrations and hidden tokens), and of restored images. */
export type RestoreResult = { lines: number; images: number };

/** Image rows per insert. */
const batchSize = 500;

/**
 * Restores a backup into a database without registrations, hidden tokens and images. The whole backup is verified first, then
 * restored in one transaction: after a failure, nothing but image files is left. Throws a BackupError if the backup is invalid or the
 * database is not empty.
 */
export async function restoreBackup({ pool, local, file, signal }: RestoreOptions): Promise<RestoreResult> {
  await assertEmpty(pool);
  await verifyBackup(file, signal);
  const client = await pool.connect();
  try {
    await client.query("begin");
    // From here on, registrations by others wait for this transaction.
    const tx = drizzle(client, { casing: "snake_case" });
    const version = await nextVersion(tx);
    await assertEmpty(client);
    const result: RestoreResult = { lines: 0, images: 0 };
    for await (const entry of readArchive(file)) {
      signal.throwIfAborted();
      if (entry.name.startsWith(imagesFolder)) {
        const { bytes, dag } = await readImage(entry);
        // The local store has no MIME types: they are in the images' rows.
        await local.add({ cid: dag.root.toString(), bytes, dag, mimeType: "" });
      } else if (entry.name === names.images) result.images = await restoreImages(client, entry);
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
        const counts = await importLines(stores, readLines(Readable.from(entry.bytes())), {
          signal,
          onRefused(message) {
            throw new BackupError(`can't be restored: ${names.registrations}, ${message}`);
          },
        });
        result.lines = counts.created;
      }
    }
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(ignoreLostConnection);
    throw error;
  } finally {
    client.release();
  }
}

async function restoreImages(client: pg.ClientBase, entry: ArchivedFile): Promise<number> {
  let count = 0;
  let batch: ImageBackup[] = [];
  const flush = async () => {
    if (batch.length > 0) await insertImages(client, batch);
    count += batch.length;
    batch = [];
  };
  for await (const line of readLines(Readable.from(entry.bytes()))) {
    batch.push(parseImage(line));
    if (batch.length >= batchSize) await flush();
  }
  await flush();
  return count;
}

async function assertEmpty(client: Pick<pg.ClientBase, "query">): Promise<void> {
  const { registrations, hidden, images } = await countExisting(client);
  if (registrations + hidden + images === 0) return;
  const some = (count: number) => (count === 1_000 ? "1000 or more" : String(count));
  throw new BackupError(
    `can only be restored into an empty deployment, and this database has ${some(registrations)} registrations, ${some(hidden)} hidden tokens and ${some(images)} images. To add registrations to them, use npm run registrations:import`,
  );
}

/** If the connection is lost, Postgres rolls back by itself, and the original error is thrown. */
const ignoreLostConnection = () => {};
