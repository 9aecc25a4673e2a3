import type { OpenDatabase } from "./database.ts";

/** The tables of offchain/images.ts, until a migration makes them. */
export async function createImageTables(database: OpenDatabase): Promise<void> {
  await database.query(`
    create table if not exists offchain.image (
      cid text primary key,
      mime_type text not null,
      size integer not null,
      width integer not null,
      height integer not null,
      uploaded_at timestamptz not null default now(),
      dropped_at timestamptz
    )`);
  await database.query("create index if not exists image_uploaded_at_index on offchain.image (uploaded_at)");
  await database.query(`
    create table if not exists offchain.image_pin (
      cid text not null references offchain.image (cid) on delete cascade,
      provider text not null,
      reference text,
      pinned_at timestamptz,
      primary key (cid, provider)
    )`);
}
