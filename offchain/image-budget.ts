import type pg from "pg";
import { budgetLock } from "./advisory-locks.ts";
import { inTransaction } from "./connection.ts";
import type { ImageRecord } from "./image-store.ts";

/** The budget for images that no registration mentions. */
export type ImageBudget = {
  /** Bytes in total. */
  bytes: number;
  bytesPerUploader: number;
};

/** Identifies the uploader; any string. */
export type Uploader = string;

/**
 * The outcome of an upload: either it is recorded, and others may have been evicted for it; or there is no room for it, in the
 * uploader's share or at all.
 */
export type Admission =
  | { isNew: boolean; evicted: string[]; refused?: undefined }
  | { refused: "share" | "room"; isNew?: undefined; evicted?: undefined };

/** Uploads younger than this many minutes are not evicted, so that a registration can follow. */
export const freshMinutes = 15;

// If all uploads are that recent, those of the largest uploader are evicted after this many minutes: younger ones may still be
// being written.
const unfinishedMinutes = 1;

// Bytes that a file takes on disk besides its content: for its folder, and the unused rest of its last block.
const folderBytes = 8_192;

/**
 * Records an upload, and marks others as dropped to make room for it: first the uploader's own while they exceed its share,
 * then anyone's; oldest first, and no recent ones. If all are recent, those of the uploader with the most bytes are dropped,
 * unless that is this uploader. Images that a registration mentions don't count and are never dropped.
 *
 * The caller must hold the image's lock. Processes take turns, so that the budget holds for all of them together.
 */
export async function admitImage(
  client: pg.ClientBase,
  image: ImageRecord,
  { uploader, budget }: { uploader: Uploader; budget: ImageBudget },
): Promise<Admission> {
  return await withBudgetLock(client, async () => {
    const { rows } = await client.query<{ mentioned: boolean; known: boolean }>(
      `select exists (select from offchain.registration where offchain.image_cids(image_url) @> array[$1::text])
         or exists (select from offchain.hidden_registration where offchain.image_cids(image_url) @> array[$1::text])
         as mentioned,
       exists (select from offchain.image where cid = $1 and dropped_at is null) as known`,
      [image.cid],
    );
    const { mentioned, known } = rows[0] ?? { mentioned: false, known: false };
    const room = mentioned
      ? { evicted: [] }
      : await makeRoom(client, { except: image.cid, need: image.size + folderBytes, uploader, budget });
    if (room.refused !== undefined) throw new Refusal(room.refused);
    const { cid, mimeType, size, width, height } = image;
    await client.query(
      `insert into offchain.image (cid, mime_type, size, width, height, mentioned, uploader)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (cid) do update set uploaded_at = now(), dropped_at = null, mentioned = $6, uploader = $7`,
      [cid, mimeType, size, width, height, mentioned, mentioned ? null : uploader],
    );
    return { isNew: !known, evicted: room.evicted };
  }).catch((error) => {
    if (error instanceof Refusal) return { refused: error.reason };
    throw error;
  });
}

/** Thrown to roll back evictions that did not make enough room. */
class Refusal extends Error {
  readonly reason: "share" | "room";

  constructor(reason: "share" | "room") {
    super(`refused for lack of ${reason}`);
    this.reason = reason;
  }
}

/** Marks the oldest images as dropped until the budget holds or only recent ones are left. Resolves to their CIDs. */
export async function enforceBudget(client: pg.ClientBase, budget: ImageBudget): Promise<string[]> {
  return await withBudgetLock(client, async () => {
    const evicted: string[] = [];
    let { all } = await usage(client, "", null);
    while (all > budget.bytes) {
      const victim = await evictOldest(client, { minutes: freshMinutes, except: "" });
      if (victim === undefined) break;
      all -= victim.bytes;
      if (victim.isDropped) evicted.push(victim.cid);
    }
    return evicted;
  });
}

type RoomRequest = { except: string; need: number; uploader: Uploader; budget: ImageBudget };

async function makeRoom(
  client: pg.ClientBase,
  { except, need, uploader, budget }: RoomRequest,
): Promise<{ evicted: string[]; refused?: "share" | "room" }> {
  const evicted: string[] = [];
  let { all, own } = await usage(client, except, uploader);
  for (;;) {
    const isOverShare = own + need > budget.bytesPerUploader;
    if (!isOverShare && all + need <= budget.bytes) return { evicted };
    const victim = isOverShare
      ? await evictOldest(client, { minutes: freshMinutes, except, uploader })
      : ((await evictOldest(client, { minutes: freshMinutes, except })) ??
        (await evictFromHeaviest(client, { except, moreThan: own + need })));
    if (victim === undefined) return { evicted, refused: isOverShare ? "share" : "room" };
    all -= victim.bytes;
    if (victim.uploader === uploader) own -= victim.bytes;
    if (victim.isDropped) evicted.push(victim.cid);
  }
}

/** Sums the bytes of unmentioned images: of all, and of the uploader. */
async function usage(
  client: pg.ClientBase,
  except: string,
  uploader: Uploader | null,
): Promise<{ all: number; own: number }> {
  const { rows } = await client.query<{ all: number; own: number }>(
    `select coalesce(sum(size + $3::int), 0)::float8 as all,
       coalesce(sum(size + $3::int) filter (where uploader = $2), 0)::float8 as own
     from offchain.image where not mentioned and dropped_at is null and cid <> $1`,
    [except, uploader, folderBytes],
  );
  return rows[0] ?? { all: 0, own: 0 };
}

type Victim = { cid: string; bytes: number; uploader: Uploader | null; isDropped: boolean };
type Choice = { minutes: number; except: string; uploader?: Uploader | null };

/**
 * Marks the oldest image that is older than `minutes`, of everybody or of one uploader, as dropped; or as mentioned, if it
 * turns out to be. Skips images that a registration in progress has locked.
 */
async function evictOldest(
  client: pg.ClientBase,
  { minutes, except, uploader }: Choice,
): Promise<Victim | undefined> {
  const { rows } = await client.query<Omit<Victim, "isDropped">>(
    `select cid, (size + $3::int)::float8 as bytes, uploader from offchain.image
     where not mentioned and dropped_at is null and cid <> $1
       and uploaded_at < now() - make_interval(mins => $2)
       and ($4::bool or uploader is not distinct from $5)
     order by uploaded_at, cid limit 1 for update skip locked`,
    [except, minutes, folderBytes, uploader === undefined, uploader ?? null],
  );
  const victim = rows[0];
  if (victim === undefined) return undefined;
  // A separate statement, so that it sees every registration whose transaction had locked the row before.
  const changed = await client.query<{ mentioned: boolean }>(
    `update offchain.image set
       mentioned = found.mentioned, dropped_at = case when found.mentioned then null else now() end
     from (select exists (
       select from offchain.registration where offchain.image_cids(image_url) @> array[$1::text]) or exists (
       select from offchain.hidden_registration where offchain.image_cids(image_url) @> array[$1::text]) as mentioned) found
     where cid = $1 returning image.mentioned`,
    [victim.cid],
  );
  return { ...victim, isDropped: changed.rows[0]?.mentioned === false };
}

async function evictFromHeaviest(
  client: pg.ClientBase,
  { except, moreThan }: { except: string; moreThan: number },
): Promise<Victim | undefined> {
  const { rows } = await client.query<{ uploader: Uploader | null; bytes: number }>(
    `select uploader, coalesce(sum(size + $2::int), 0)::float8 as bytes from offchain.image
     where not mentioned and dropped_at is null and cid <> $1
     group by uploader order by bytes desc limit 1`,
    [except, folderBytes],
  );
  const heaviest = rows[0];
  if (heaviest === undefined || heaviest.bytes <= moreThan) return undefined;
  return await evictOldest(client, { minutes: unfinishedMinutes, except, uploader: heaviest.uploader });
}

/** Runs `work` in a transaction that holds the budget's lock. */
async function withBudgetLock<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  return await inTransaction(client, async () => {
    // Whatever the server's default: an upload is on disk before it is confirmed with 201, as is its file.
    await client.query("set local synchronous_commit = on");
    await client.query("select pg_advisory_xact_lock($1)", [budgetLock]);
    return await work();
  });
}
