import { writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { StartError } from "../runtime/start-error.ts";
import type { Store } from "./store.ts";

/** By chain, a block and a digest of the last events up to it: all rows are of blocks up to this one. */
const anchors = z.record(z.string(), z.object({ block: z.number(), digest: z.string() }));

/** Identifies an index: files of different indexes must not be mixed. */
export const source = z.object({
  /** DATABASE_SCHEMA. */
  schema: z.string(),
  /** Ponder's build id, which identifies what is indexed, and how. */
  build: z.string(),
  /** Each chain's very first token, as `address transaction`; null before there is one. */
  firstTokens: z.record(z.string(), z.string().nullable()),
  /** Missing in what earlier versions wrote. */
  anchors: anchors.optional(),
});

const entry = z.object({
  /** Null for a day without rows. */
  path: z.string().nullable(),
  table: z.string(),
  chain: z.number(),
  day: z.string(),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string().nullable(),
  /** A snapshot's final block, and its time in seconds since 1970; null for event tables. */
  block: z.number().nullable(),
  timestamp: z.number().nullable(),
  /** For a part of a day, when it ends, exclusive, in seconds since 1970. Missing in a file that ends with its day. */
  until: z.number().optional(),
});

/** How far a chain's files reach. */
const horizon = z.object({
  /** By event table, in seconds since 1970: all rows before it are in the files. */
  events: z.record(z.string(), z.number()),
  /** The block of the last snapshots, and its time in seconds since 1970. */
  snapshot: z.object({ block: z.number(), timestamp: z.number() }).nullable(),
});

/** The version of the files' layout. Files of other versions have other columns, or are sorted differently. */
const layout = 2;

const manifest = z.object({
  version: z.int().max(layout),
  source,
  /** By chain. */
  horizon: z.record(z.string(), horizon).optional(),
  files: z.array(entry),
});

export type Anchors = z.infer<typeof anchors>;
export type Source = z.infer<typeof source>;
export type ManifestEntry = z.infer<typeof entry>;

const fileName = "manifest.json";

/** The list of finished files. A file that isn't in it may come from a run that ended early. */
export type Manifest = {
  files: readonly ManifestEntry[];
  /** Up to where the files' history is known. */
  anchors: Anchors;
  /** The listed files of a table and day: one, or the parts of a day in order. */
  of: (place: Pick<ManifestEntry, "table" | "chain" | "day">) => readonly ManifestEntry[];
  /** Adds all of these files or none. Resolves once that will survive a crash. */
  add: (entries: ManifestEntry[]) => Promise<void>;
};

/** Reads the list, whichever index it is of. Returns undefined if there is none. Throws a StartError if it is unreadable. */
export async function readManifest(store: Store): Promise<z.infer<typeof manifest> | undefined> {
  const text = await store.readText(fileName);
  if (text === undefined) return undefined;
  try {
    return manifest.parse(JSON.parse(text));
  } catch (error) {
    throw new StartError(
      `${store.name}/${fileName} is not a list of this version's: restore it, or export to an empty folder`,
      { cause: error },
    );
  }
}

/** Opens the list to export an index. Throws a StartError if it is another index's, or its files have an older layout. */
export async function openManifest(store: Store, of: Source, workFolder: string): Promise<Manifest> {
  const stored = await readManifest(store);
  if (stored === undefined && (await store.list()).length > 0) {
    throw new StartError(
      `${store.name} has Parquet files but no ${fileName}: name an empty folder, or remove what is in this one`,
    );
  }
  if (stored !== undefined && stored.version !== layout) {
    throw new StartError(
      `${store.name} has files of layout ${stored.version}, without the columns that this version adds (layout ${layout}), and columns of one table must not differ: export to an empty folder. These files stay as they are`,
    );
  }
  if (stored !== undefined) assertSameIndex(store.name, stored.source, of);
  const files = stored?.files ?? [];
  const keyOf = ({ table, chain, day }: Pick<ManifestEntry, "table" | "chain" | "day">) =>
    `${table} ${chain} ${day}`;
  const byKey = Map.groupBy(files, keyOf);
  const firstTokens = { ...stored?.source.firstTokens };
  for (const [chain, first] of Object.entries(of.firstTokens))
    firstTokens[chain] = first ?? firstTokens[chain] ?? null;
  const opened: Manifest = {
    files,
    anchors: stored?.source.anchors ?? {},
    of: (wanted) => byKey.get(keyOf(wanted)) ?? [],
    async add(entries) {
      files.push(...entries);
      const text = JSON.stringify({
        version: layout,
        source: { ...of, firstTokens, anchors: opened.anchors },
        horizon: horizonsOf(files),
        files,
      } satisfies z.infer<typeof manifest>);
      const finished = path.join(workFolder, fileName);
      await writeFile(finished, `${text.replaceAll('{"path"', '\n{"path"')}\n`);
      await store.put(finished, fileName);
      for (const added of entries) byKey.set(keyOf(added), [...(byKey.get(keyOf(added)) ?? []), added]);
    },
  };
  return opened;
}

export const daySeconds = 86_400;

/** When a file's rows end, exclusive, in seconds since 1970. */
export const endOf = ({ day, until }: Pick<ManifestEntry, "day" | "until">) =>
  until ?? Date.parse(day) / 1_000 + daySeconds;

function horizonsOf(files: readonly ManifestEntry[]): Record<string, z.infer<typeof horizon>> {
  const byChain = Map.groupBy(files, ({ chain }) => String(chain));
  return Object.fromEntries([...byChain].map(([chain, entries]) => [chain, horizonOf(entries)]));
}

function horizonOf(entries: ManifestEntry[]): z.infer<typeof horizon> {
  const events: Record<string, number> = {};
  for (const file of entries) {
    if (file.block === null) events[file.table] = Math.max(events[file.table] ?? 0, endOf(file));
  }
  const snapshots = entries.flatMap(({ block, timestamp }) =>
    block === null || timestamp === null ? [] : [{ block, timestamp }],
  );
  return { events, snapshot: snapshots.toSorted((left, right) => right.block - left.block)[0] ?? null };
}

/** Throws a StartError if what a folder or a database `name` has is of another index than `wanted`. */
export function assertSameIndex(name: string, actual: Source, wanted: Source): void {
  const refuse = (why: string) => {
    throw otherIndexError(name, why);
  };
  if (actual.schema !== wanted.schema) refuse(`DATABASE_SCHEMA was ${actual.schema} and is ${wanted.schema}`);
  if (actual.build !== wanted.build)
    refuse(`it was indexed by build ${actual.build}, and this one by build ${wanted.build}`);
  for (const [chain, first] of Object.entries(actual.firstTokens)) {
    if (first === null) continue;
    if (!(chain in wanted.firstTokens)) refuse(`it has chain ${chain}, and this one has not`);
    if (wanted.firstTokens[chain] !== first) refuse(`the first token of chain ${chain} is another one`);
  }
}

/** The error of a folder or a database `name` whose rows come from another index than the one that is read. */
export const otherIndexError = (name: string, why: string): StartError =>
  new StartError(
    `${name} has the rows of another index: ${why}. They may differ, so they don't mix: export to an empty one, or set DATABASE_URL and DATABASE_SCHEMA to the index that it has`,
  );
