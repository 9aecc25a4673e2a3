import { statfs } from "node:fs/promises";
import type pg from "pg";
import { type IndexedSchema, readIndexedSchemas } from "../ponder/indexed-schemas.ts";
import { StartError } from "../start-error.ts";

const megabyte = 1_000_000;
/** For the write-ahead log, and what is indexed meanwhile. */
const marginBytes = 200 * megabyte;

type Space = {
  /** Free bytes of the disk. */
  free: number;
  /** Bytes of the tables that are indexed again, and of those that an earlier attempt has left. */
  running: number;
  existing: number;
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
  const [schemas, { bavail, bsize }] = await Promise.all([readIndexedSchemas(client), statfs(folder)]);
  const problem = describeShortage({
    free: bavail * bsize,
    running: existingBytes(schemas, schema),
    existing: existingBytes(schemas, to),
  });
  if (problem !== undefined) throw new StartError(problem, { code: "disk-full" });
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
export function describeShortage({ free, running, existing }: Space): string | undefined {
  const needed = Math.max(0, running - existing) + marginBytes;
  if (free >= needed) return undefined;
  const inMegabytes = (bytes: number) => `${Math.ceil(bytes / megabyte)} MB`;
  return `the disk of the embedded Postgres has ${inMegabytes(free)} free, and indexing again needs ${inMegabytes(needed)}: free some, or drop a schema that is not used any more (npm run schemas)`;
}
