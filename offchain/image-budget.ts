import type pg from "pg";
import type { ImageRecord } from "./image-store.ts";

/** How much room there is for images that no registration mentions. */
export type ImageBudget = {
  /** Bytes of all of them. */
  bytes: number;
  /** Bytes of those of one uploader. */
  bytesPerUploader: number;
};

/** Who uploads, in any words. */
export type Uploader = string;

/**
 * What became of an upload: it has a row now, for which others had to go; or there is no room for it, in the uploader's
 * share or at all.
 */
export type Admission =
  | { isNew: boolean; evicted: string[]; refused?: undefined }
  | { refused: "share" | "room"; isNew?: undefined; evicted?: undefined };

/** Minutes for which an upload is left alone, so that a registration can follow. */
export const freshMinutes = 15;

// Under a flood of fresh uploads those of the heaviest uploader go, but for what may still be being written.
const unfinishedMinutes = 1;

// What a file takes on the disk besides its bytes: its folder, and the rest of its last block.
const folderBytes = 8_192;

// Any constant serves, as long as nothing else in the database locks the same one.
const budgetLock = 5_609_700_003;

/**
 * Notes an upload, and marks as dropped what has to make room for it: of the same uploader while that is beyond its share,
 * then of anyone; the oldest first, and nothing that is fresh. When all that is there is fresh, the uploader who has the
 * most has to make room, unless it is this one. What a registration mentions takes no room and is never dropped.
 *
 * Whoever calls it holds the image's lock. Every process takes its turn, so that the budget holds for all together.
 */
export async function admitImage(
  client: pg.ClientBase,
  image: ImageRecord,
  { uploader, budget }: { uploader: Uploader; budget: ImageBudget },
): Promise<Admission> {
  return await inTurn(client, async () => {
    const { rows } = await client.query<{ mentioned: boolean; known: boolean }>(
      `select exists (select from offchain.registration where offchain.image_cids(image_url) @> array[$1::text])
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

/** Takes back what was evicted in vain. */
class Refusal extends Error {
  readonly reason: "share" | "room";

  constructor(reason: "share" | "room") {
    super(`refused for want of ${reason}`);
    this.reason = reason;
  }
}

/** Marks the oldest as dropped until the budget holds, or only fresh ones are left. Resolves to their CIDs. */
export async function enforceBudget(client: pg.ClientBase, budget: ImageBudget): Promise<string[]> {
  return await inTurn(client, async () => {
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

type Wanted = { except: string; need: number; uploader: Uploader; budget: ImageBudget };

async function makeRoom(
  client: pg.ClientBase,
  { except, need, uploader, budget }: Wanted,
): Promise<{ evicted: string[]; refused?: "share" | "room" }> {
  const evicted: string[] = [];
  let { all, own } = await usage(client, except, uploader);
  for (;;) {
    const isOverShare = own + need > budget.bytesPerUploader;
    if (!isOverShare && all + need <= budget.bytes) return { evicted };
    const victim = isOverShare
      ? await evictOldest(client, { minutes: freshMinutes, except, uploader })
      : ((await evictOldest(client, { minutes: freshMinutes, except })) ??
        (await evictOfHeaviest(client, { except, moreThan: own + need })));
    if (victim === undefined) return { evicted, refused: isOverShare ? "share" : "room" };
    all -= victim.bytes;
    if (victim.uploader === uploader) own -= victim.bytes;
    if (victim.isDropped) evicted.push(victim.cid);
  }
}

/** Bytes that unmentioned images take, all and those of the uploader. */
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
 * Marks the oldest as dropped that is older than so many minutes, of everybody or of one uploader; or as mentioned, where
 * it turns out to be that. Images that a registration under way holds are passed over.
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
  // A statement of its own: it sees every registration whose transaction held the row before.
  const changed = await client.query<{ mentioned: boolean }>(
    `update offchain.image set
       mentioned = found.mentioned, dropped_at = case when found.mentioned then null else now() end
     from (select exists (
       select from offchain.registration where offchain.image_cids(image_url) @> array[$1::text]) as mentioned) found
     where cid = $1 returning image.mentioned`,
    [victim.cid],
  );
  return { ...victim, isDropped: changed.rows[0]?.mentioned === false };
}

async function evictOfHeaviest(
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

/** Runs `work` in a transaction, while no other process changes what takes room. */
async function inTurn<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query("begin isolation level read committed");
  try {
    await client.query("select pg_advisory_xact_lock($1)", [budgetLock]);
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}
