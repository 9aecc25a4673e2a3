import type pg from "pg";
import { z } from "zod";

/*
 * Uploaded images as lines of a backup (JSON Lines): each image's record, and which providers have it. Uploaders, which are
 * hashes of clients' addresses, are omitted.
 */

const record = z.strictObject({
  cid: z.string().regex(/^baf(?:krei|ybei)[a-z2-7]{52}$/),
  mimeType: z.string().max(100),
  size: z.int().positive(),
  width: z.int().positive(),
  height: z.int().positive(),
  uploadedAt: z.iso.datetime({ offset: true }),
  pins: z.array(z.strictObject({ provider: z.string(), reference: z.string().nullable() })),
});

export type ImageBackup = z.infer<typeof record>;

const pageSize = 500;

/** Reads every image that was not dropped, ordered by CID. */
export async function* readImages(client: pg.ClientBase): AsyncGenerator<ImageBackup> {
  for (let last = ""; ; ) {
    const { rows } = await client.query<ImageBackup>(
      `select cid, mime_type as "mimeType", size, width, height,
         to_char(uploaded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "uploadedAt",
         (select coalesce(json_agg(json_build_object('provider', provider, 'reference', reference) order by provider), '[]')
          from offchain.image_pin p where p.cid = i.cid and p.pinned_at is not null) as pins
       from offchain.image i where cid > $1 and dropped_at is null order by cid limit $2`,
      [last, pageSize],
    );
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.cid;
  }
}

/** Parses a line of a backup. Throws a ZodError or a SyntaxError. */
export const parseImage = (line: string): ImageBackup => record.parse(JSON.parse(line));

/** Records images of a backup. A trigger on registrations notes which ones are mentioned. */
export async function insertImages(client: pg.ClientBase, images: ImageBackup[]): Promise<void> {
  const json = JSON.stringify(images);
  await client.query(
    `insert into offchain.image (cid, mime_type, size, width, height, uploaded_at)
     select cid, "mimeType", size, width, height, "uploadedAt" from json_to_recordset($1)
       as (cid text, "mimeType" text, size int, width int, height int, "uploadedAt" timestamptz)`,
    [json],
  );
  await client.query(
    `insert into offchain.image_pin (cid, provider, reference, pinned_at)
     select i.cid, p.provider, p.reference, now() from json_to_recordset($1) as i (cid text, pins json),
       json_to_recordset(i.pins) as p (provider text, reference text)`,
    [json],
  );
}

/** Counts registrations, hidden tokens, images and subscriptions to webhooks in the database, up to 1,000 each. */
export async function countExisting(client: Pick<pg.ClientBase, "query">) {
  type Counts = { registrations: number; hidden: number; images: number; subscriptions: number };
  const { rows } = await client.query<Counts>(
    `select (select count(*)::int from (select 1 from offchain.registration limit 1000) r) as registrations,
       (select count(*)::int from (select 1 from offchain.hidden_token limit 1000) h) as hidden,
       (select count(*)::int from (select 1 from offchain.image limit 1000) i) as images,
       (select count(*)::int from (select 1 from offchain.alert_subscription where status <> 'ended' limit 1000) a) as subscriptions`,
  );
  return rows[0] ?? { registrations: 0, hidden: 0, images: 0, subscriptions: 0 };
}
