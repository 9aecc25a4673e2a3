import type { Edit } from "./edit.ts";

const file = "ponder/dist/esm/runtime/multichain.js";
const historical = "ponder/dist/esm/runtime/historical.js";
const ours = (name: string) => JSON.stringify(new URL(`../store/${name}`, import.meta.url).href);

/** Replaces Ponder's store with our own: `runtime/ponder/store/`. */
export const indexingStore: Edit[] = [
  {
    file,
    from: "import { createIndexingCache } from '../indexing-store/cache.js';",
    to: `import { createIndexingCache } from ${ours("indexing-cache.ts")};`,
  },
  {
    file,
    from: "import { createIndexingStore } from '../indexing-store/index.js';",
    to: `import { createIndexingStore } from ${ours("indexing-store.ts")};`,
  },
  {
    file,
    from: "const indexingStore = createIndexingStore({",
    to: "const indexingStore = createIndexingStore({\n        NonRetryableUserError,",
  },
  {
    file: historical,
    from: "import { bufferAsyncGenerator, createCallbackGenerator, mergeAsyncGenerators, } from '../utils/generators.js';",
    to: `import { bufferAsyncGenerator, createCallbackGenerator } from '../utils/generators.js';
import { mergeOnFlush as mergeAsyncGenerators } from ${ours("write-rows.ts")};`,
  },
  // Our store is the only writer: after the backfill, its cache is what the database has.
  {
    file,
    from: "indexingCache.clear();\n    // Note: Invalidating",
    to: "// Note: Invalidating",
  },
];

const openCommits = JSON.stringify(new URL("../store/commits.ts", import.meta.url).href);

/** Makes each transaction of the indexer count once: `runtime/ponder/store/commits.ts`. */
export const commits: Edit[] = [
  {
    file,
    from: "import { createColumnAccessPattern, createIndexing, getEventCount, } from '../indexing/index.js';",
    to: `import { createColumnAccessPattern, createIndexing, getEventCount, } from '../indexing/index.js';\nimport { openCommits } from ${openCommits};`,
  },
  {
    file,
    from: "const indexing = createIndexing({",
    to: `const commits = await openCommits({
        NonRetryableUserError,
        qb: database.userQB,
        schema: namespaceBuild.schema,
        cache: indexingCache,
        logger: common.logger,
    });
    const indexing = createIndexing({`,
  },
  // The first one, those of the history's batches, of live blocks and of reorgs.
  { file, from: "await database.userQB.transaction(", to: "await commits.transaction(", times: 4 },
  { file, from: "await finalizeMultichain(database.userQB, {", to: "await finalizeMultichain(commits, {" },
  // A start returns the tables to what is final. An indexer that is still alive must notice.
  {
    file: "ponder/dist/esm/database/index.js",
    from: "// Note: We don't update the `_ponder_checkpoint` table here, instead we wait for it to be updated",
    to: "await tx.wrap((tx) => tx.update(PONDER_CHECKPOINT).set({ chainId: sql`chain_id` }), context);\n                // Note: We don't move the checkpoints here, instead we wait for them to be updated",
  },
];

/** Speeds up how query results become objects, which all events go through. */
export const resultRows: Edit[] = [
  // For each value of each row, drizzle looks up its decoder and its place, which are the same in all rows.
  {
    file: "drizzle-orm/utils.js",
    from: "function mapResultRow(columns, row, joinsNotNullableMap) {",
    to: `const flatColumns = new WeakMap();
function mapFlatRow(columns, row) {
  const result = {};
  for (let i = 0; i < columns.length; i++) {
    result[columns[i].name] = row[i] === null ? null : columns[i].decoder.mapFromDriverValue(row[i]);
  }
  return result;
}
function flattened(columns) {
  if (columns.some(({ path }) => path.length !== 1)) return null;
  return columns.map(({ path, field }) => ({
    name: path[0],
    decoder: is(field, Column) ? field : is(field, SQL) ? field.decoder : field.sql.decoder
  }));
}
function mapResultRow(columns, row, joinsNotNullableMap) {
  if (!flatColumns.has(columns)) flatColumns.set(columns, flattened(columns));
  const flat = flatColumns.get(columns);
  if (flat !== null) return mapFlatRow(flat, row);`,
  },
];

const transactionFile = "ponder/dist/esm/runtime/events.js";
const eventsModule = JSON.stringify(new URL("../transaction-events.ts", import.meta.url).href);

/** Shows handlers the other events of a transaction, by which a trade's account is found: `src/domain/traders.ts`. */
export const transactionEvents: Edit[] = [
  {
    file: transactionFile,
    from: "import { toLowerCase } from '../utils/lowercase.js';",
    to: `import { toLowerCase } from '../utils/lowercase.js';\nimport { linkTransactions } from ${eventsModule};`,
  },
  { file: transactionFile, from: "    return events;\n};", to: "    return linkTransactions(events);\n};" },
];
