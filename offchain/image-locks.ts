import { imageLocks, sweepLock } from "./advisory-locks.ts";
import type { Queryable } from "./image-store.ts";

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
