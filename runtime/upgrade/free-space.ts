import { readdir, statfs } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { type IndexedSchema, readIndexedSchemas } from "../ponder/indexed-schemas.ts";
import { StartError } from "../start-error.ts";

const megabyte = 1_000_000;
/** For what is indexed meanwhile. */
const marginBytes = 200 * megabyte;
/** How many bytes of the write-ahead log a byte of the tables makes: 1.2 if each row is written once, and some are written often. */
const walPerByte = 2;

type Space = {
  /** Free bytes of the disk. */
  free: number;
  /** Bytes of the tables that are indexed again, and of those that an earlier attempt has left. */
  running: number;
  existing: number;
  /** Bytes by which the write-ahead log may grow. It has become small while little was written. */
  walGrowth: number;
};

/**
 * Throws a StartError if the disk of the embedded Postgres has too little space to index everything again beside what there is: once it
 * is full, that Postgres stops, and with it the running version.
 *
 * @param to the schema to index into; undefined if it isn't chosen yet
 */
export async function assertSpaceForSchema(
  client: pg.ClientBase,
  { folder, schema, to }: { folder: string; schema: string; to: string | undefined },
): Promise<void> {
  const schemas = await readIndexedSchemas(client);
  const { bavail, bsize } = await statfs(folder);
  const problem = describeShortage({
    free: bavail * bsize,
    running: existingBytes(schemas, schema),
    existing: existingBytes(schemas, to),
    walGrowth: await readWalGrowth(client, folder),
  });
  if (problem !== undefined) throw new StartError(problem, { code: "disk-full" });
}

async function readWalGrowth(client: pg.ClientBase, folder: string): Promise<number> {
  const { rows } = await client.query<{ most: string; segment: string }>(
    "select pg_size_bytes(current_setting('max_wal_size')) as most, pg_size_bytes(current_setting('wal_segment_size')) as segment",
  );
  const files = await readdir(path.join(folder, "cluster", "pg_wal"));
  const segments = files.filter((name) => /^[0-9A-F]{24}$/.test(name));
  return Math.max(0, Number(rows[0]?.most) - segments.length * Number(rows[0]?.segment));
}

/** The bytes that are in a schema; without one, the most that an earlier attempt has left, which is continued if it fits. */
export function existingBytes(
  schemas: readonly Pick<IndexedSchema, "schema" | "liveSince" | "bytes">[],
  name: string | undefined,
): number {
  const found = schemas.filter(({ schema, liveSince }) =>
    name === undefined ? liveSince === undefined : schema === name,
  );
  return Math.max(0, ...found.map(({ bytes }) => bytes));
}

/** What is wrong with this space; undefined if it is enough. */
export function describeShortage({ free, running, existing, walGrowth }: Space): string | undefined {
  const missing = Math.max(0, running - existing);
  const needed = missing + Math.min(walGrowth, walPerByte * missing) + marginBytes;
  if (free >= needed) return undefined;
  const inMegabytes = (bytes: number) => `${Math.ceil(bytes / megabyte)} MB`;
  return `the disk of the embedded Postgres has ${inMegabytes(free)} free, and indexing again needs ${inMegabytes(needed)}: free some, or drop a schema that is not used any more (npm run schemas)`;
}
