import type pg from "pg";
import { imageLocks, sweepLock } from "./advisory-locks.ts";
import { inTransaction } from "./connection.ts";

/** A client or a pool. */
export type Queryable = Pick<pg.ClientBase, "query">;

/** One row of offchain.image. `size` in bytes, `width` and `height` in pixels of one frame. */
export type ImageRecord = { cid: string; mimeType: string; size: number; width: number; height: number };

export type PinRecord = { provider: string; reference: string | null; confirmed: boolean };

// Matches CIDs of images in any text, as the SQL function offchain.image_cids does. Base32 ignores case: ipfs://BAFK... is the
// same image as the stored lower-case CID.
const cidPattern = "baf(?:krei|ybei)[a-z2-7]{52}";

/** Returns the image, or undefined if there is none or it was dropped. */
export async function findImage(db: Queryable, cid: string): Promise<ImageRecord | undefined> {
  const { rows } = await db.query<ImageRecord>(
    `select cid, mime_type as "mimeType", size, width, height from offchain.image
     where cid = $1 and dropped_at is null`,
    [cid],
  );
  return rows[0];
}

export async function listPins(db: Queryable, cid: string): Promise<PinRecord[]> {
  const { rows } = await db.query<PinRecord>(
    `select provider, reference, pinned_at is not null as confirmed from offchain.image_pin where cid = $1`,
    [cid],
  );
  return rows;
}

/** Records that a provider is about to be asked to pin an image. */
export async function announcePin(db: Queryable, cid: string, provider: string): Promise<void> {
  await db.query(
    "insert into offchain.image_pin (cid, provider) values ($1, $2) on conflict (cid, provider) do nothing",
    [cid, provider],
  );
}

export async function confirmPin(
  db: Queryable,
  cid: string,
  { provider, reference }: { provider: string; reference: string | null },
): Promise<void> {
  await db.query(
    "update offchain.image_pin set reference = $3, pinned_at = now() where cid = $1 and provider = $2",
    [cid, provider, reference],
  );
}

export async function deletePin(db: Queryable, cid: string, provider: string): Promise<void> {
  await db.query("delete from offchain.image_pin where cid = $1 and provider = $2", [cid, provider]);
}

/** Hides an image from readers; deleteImage follows once every provider has removed it too. */
export async function markDropped(db: Queryable, cid: string): Promise<void> {
  await db.query("update offchain.image set dropped_at = now() where cid = $1", [cid]);
}

export async function deleteImage(db: Queryable, cid: string): Promise<void> {
  await db.query("delete from offchain.image where cid = $1 and dropped_at is not null", [cid]);
}

/** Finds those of these images that were not dropped, by CID: their size in bytes, and whether this provider has confirmed them. */
export async function findKept(
  db: Queryable,
  cids: string[],
  provider: string,
): Promise<Map<string, { size: number; isPinned: boolean }>> {
  const { rows } = await db.query<{ cid: string; size: number; isPinned: boolean }>(
    `select cid, size, exists (
       select from offchain.image_pin p where p.cid = i.cid and provider = $2 and pinned_at is not null) as "isPinned"
     from offchain.image i where cid = any($1) and dropped_at is null`,
    [cids, provider],
  );
  return new Map(rows.map(({ cid, ...image }) => [cid, image]));
}

/** Lists images that a provider has not confirmed, or all if it is null, oldest first. */
export async function listUnpinned(db: Queryable, provider: string | null): Promise<ImageRecord[]> {
  const { rows } = await db.query<ImageRecord>(
    `select cid, mime_type as "mimeType", size, width, height from offchain.image i
     where dropped_at is null and not exists (
       select from offchain.image_pin p where p.cid = i.cid and p.provider = $1 and p.pinned_at is not null)
     order by uploaded_at, cid`,
    [provider],
  );
  return rows;
}

/**
 * Locks the uploaded images that an image URL mentions until the end of the transaction, so that the sweep skips them. Call
 * it in the transaction that writes the registration, before the write. Resolves to the locked CIDs: a mentioned one that
 * is missing was never uploaded here, or has been dropped.
 */
export async function lockMentionedImages(db: Queryable, imageUrl: string): Promise<string[]> {
  const mentioned = imageUrl.toLowerCase().match(new RegExp(cidPattern, "g"));
  if (mentioned === null) return [];
  const { rows } = await db.query<{ cid: string }>(
    "select cid from offchain.image where cid = any($1) and dropped_at is null order by cid for share",
    [mentioned],
  );
  return rows.map(({ cid }) => cid);
}

/**
 * Lists the next images to drop after this CID, in CID order: unmentioned ones older than this many hours, and ones marked as
 * dropped that are not removed yet.
 */
export async function listDroppable(
  db: Queryable,
  { hours, after, limit }: { hours: number; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ cid: string }>(
    `select cid from (
       select cid from offchain.image where dropped_at is not null
       union
       select cid from offchain.image
       where not mentioned and dropped_at is null and uploaded_at < now() - make_interval(hours => $1)
     ) droppable
     where cid > $2 order by cid limit $3`,
    [hours, after, limit],
  );
  return rows.map(({ cid }) => cid);
}

/**
 * Marks images that are no longer mentioned, for cases that the trigger misses: a registration changed while its image was
 * being uploaded.
 */
export async function recheckMentions(db: Queryable): Promise<void> {
  await db.query(
    `update offchain.image i set mentioned = false where mentioned and not exists (
       select from offchain.registration where offchain.image_cids(image_url) @> array[i.cid])
     and not exists (
       select from offchain.hidden_registration where offchain.image_cids(image_url) @> array[i.cid])`,
  );
}

/**
 * Marks an image as dropped. Resolves to false, and leaves it, if a registration mentions it or is about to (see
 * lockMentionedImages), or if it was uploaded again.
 *
 * The row is locked by one statement and the registrations are read by the next, which therefore sees every
 * registration whose transaction had locked the row before.
 */
export async function dropUnused(client: Queryable, cid: string, hours: number): Promise<boolean> {
  return await inTransaction(client, async () => {
    const { rows } = await client.query<{ dropped: boolean }>(
      `select dropped_at is not null as dropped from offchain.image
       where cid = $1 and (dropped_at is not null or uploaded_at < now() - make_interval(hours => $2))
       for update skip locked`,
      [cid, hours],
    );
    const [row] = rows;
    if (row === undefined || row.dropped) return row?.dropped ?? false;
    const { rowCount } = await client.query(
      `update offchain.image set dropped_at = now() where cid = $1 and not exists (
         select from offchain.registration where offchain.image_cids(image_url) @> array[$1::text])
       and not exists (
         select from offchain.hidden_registration where offchain.image_cids(image_url) @> array[$1::text])`,
      [cid],
    );
    return rowCount === 1;
  });
}

/** Runs `work` while no other process stores or drops the same image. */
export async function withImageLock<Result>(
  client: Queryable,
  cid: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query("select pg_advisory_lock($1, hashtext($2))", [imageLocks, cid]);
  try {
    return await work();
  } finally {
    await client.query("select pg_advisory_unlock($1, hashtext($2))", [imageLocks, cid]);
  }
}

/** Runs `work` unless another process is storing or dropping the image; the sweep then has to retry later. */
export async function withFreeImage(
  client: Queryable,
  cid: string,
  work: () => Promise<void>,
): Promise<void> {
  const locks = [imageLocks, cid];
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_lock($1, hashtext($2)) as locked",
    locks,
  );
  if (!rows[0]?.locked) return;
  try {
    await work();
  } finally {
    await client.query("select pg_advisory_unlock($1, hashtext($2))", locks);
  }
}

/** Runs `work` unless another process is sweeping; resolves to undefined then. */
export async function withSweepLock<Result>(
  client: Queryable,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
    sweepLock,
  ]);
  if (!rows[0]?.locked) return undefined;
  try {
    return await work();
  } finally {
    await client.query("select pg_advisory_unlock($1)", [sweepLock]);
  }
}
