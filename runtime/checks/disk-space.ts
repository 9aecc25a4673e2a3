import { statfs } from "node:fs/promises";
import { StartError } from "../start-error.ts";

const MEGABYTE = 1_000_000;

/** Enough for a new database (39 MB), its write-ahead log and some growth. */
export const NEW_DATABASE_BYTES = 200 * MEGABYTE;
/** What an existing database needs to start: recovery and a few write-ahead log segments of 16 MiB. */
export const EXISTING_DATABASE_BYTES = 64 * MEGABYTE;

/** Throws a StartError if this user has less than `bytes` free on the disk of `folder`. */
export async function assertFreeSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new StartError(
    "disk-full",
    `the disk of ${folder} has ${Math.floor(free / MEGABYTE)} MB free and Postgres needs ${Math.ceil(bytes / MEGABYTE)} MB: free some, or set DATA_DIR to a folder on another disk`,
  );
}
