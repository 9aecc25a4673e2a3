// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are Ponder's code.

import { rowsVersion } from "../rows-version.ts";
import type { Edit } from "./edit.ts";

const multichain = "ponder/dist/esm/runtime/multichain.js";
const historical = "ponder/dist/esm/runtime/historical.js";
const database = "ponder/dist/esm/database/index.js";

/** Replaces Ponder's store with our own, whose transactions count once: `runtime/ponder/store/`. */
export const store: Edit[] = [
  {
    file: multichain,
    from: `import { createIndexingCache } from '../indexing-store/cache.js';
import { createIndexingStore } from '../indexing-store/index.js';`,
    to: `import { createIndexingCache } from "${new URL("../store/indexing-cache.ts", import.meta.url)}";
import { createIndexingStore } from "${new URL("../store/indexing-store.ts", import.meta.url)}";`,
  },
  // Each of the indexer's transactions goes through it, those of history's batches, of live blocks, reorgs and finalizations.
  {
    file: multichain,
    from: "const indexingStore = createIndexingStore({",
    to: `const userQB = await openCommits({
        NonRetryableUserError,
        qb: database.userQB,
        schema: namespaceBuild.schema,
        cache: indexingCache,
        logger: common.logger,
    });
    database = { ...database, userQB };
    const indexingStore = createIndexingStore({
        NonRetryableUserError,`,
    imports: { names: ["openCommits"], from: new URL("../store/commits.ts", import.meta.url) },
  },
  // Our store is the only writer: after the backfill, its cache is what the database has.
  {
    file: multichain,
    from: "indexingCache.clear();\n    // Note: Invalidating",
    to: "// Note: Invalidating",
  },
  {
    file: historical,
    from: "yield* mergeAsyncGenerators(eventGenerators);",
    to: "yield* mergeOnFlush(eventGenerators);",
    imports: { names: ["mergeOnFlush"], from: new URL("../store/write-rows.ts", import.meta.url) },
  },
];

/** Compacts tables and creates indexes concurrently at the end of a backfill: `runtime/ponder/compact-tables.ts`. */
export const endOfBackfill: Edit[] = [
  {
    file: multichain,
    from: "await createIndexes(database.adminQB, { statements: schemaBuild.statements });",
    to: `await compactTables(database.adminQB, tables, common.logger);
    await createIndexesConcurrently(database.adminQB, schemaBuild.statements.indexes.sql);`,
    imports: {
      names: ["compactTables", "createIndexesConcurrently"],
      from: new URL("../compact-tables.ts", import.meta.url),
    },
  },
];

/** Replaces the triggers of live blocks, and keeps them and all indexes in place: `runtime/ponder/store/reorg-log.ts`. */
export const reorgLog: Edit[] = [
  {
    file: multichain,
    from: `await createTriggers(database.adminQB, { tables });
    await createLiveQueryTriggers(database.adminQB, { namespaceBuild, tables });`,
    to: "await createReorgTriggers(database.adminQB, namespaceBuild.schema, tables);",
    imports: {
      names: ["createReorgTriggers", "noteRevert"],
      from: new URL("../store/reorg-log.ts", import.meta.url),
    },
  },
  {
    file: multichain,
    from: `if (database.userQB.$dialect === "postgres") {
                        await tx.wrap((tx) => tx.execute(\`CREATE TEMP TABLE \${getLiveQueryTempTableName()} (table_name TEXT PRIMARY KEY) ON COMMIT DROP\`), context);
                    }
                    else {
                        await tx.wrap((tx) => tx.execute(\`CREATE TEMP TABLE IF NOT EXISTS \${getLiveQueryTempTableName()} (table_name TEXT PRIMARY KEY)\`), context);
                    }`,
    to: "",
  },
  {
    file: multichain,
    from: "await indexing.processRealtimeEvents({ events });",
    to: `await tx.wrap((tx) => tx.execute(\`SET LOCAL ponder.checkpoint = '\${checkpoint}'\`), context);
                            await indexing.processRealtimeEvents({ events });`,
  },
  {
    file: multichain,
    from: "await Promise.all(tables.map((table) => commitBlock(tx, { table, checkpoint, preBuild }, context)));",
    to: "",
  },
  {
    file: multichain,
    from: `await dropTriggers(tx, { tables }, context);
                    await dropLiveQueryTriggers(tx, { namespaceBuild, tables }, context);`,
    to: "",
  },
  {
    file: multichain,
    from: `await createTriggers(tx, { tables }, context);
                    await createLiveQueryTriggers(tx, { namespaceBuild, tables }, context);`,
    to: "await noteRevert(tx, namespaceBuild.schema);",
  },
  {
    file: database,
    from: `await dropTriggers(tx, { tables });
                    await dropLiveQueryTriggers(tx, { namespaceBuild: namespace, tables }, context);
                }
                // Remove indexes
                for (const indexStatement of schemaBuild.statements.indexes.json) {
                    await tx.wrap((tx) => tx.execute(\`DROP INDEX IF EXISTS "\${namespace.schema}"."\${indexStatement.data.name}"\`), context);
                }`,
    to: `await keepReorgTriggers(tx, namespace.schema, tables);
                }`,
    imports: {
      names: ["keepReorgTriggers", "noteRestart"],
      from: new URL("../store/reorg-log.ts", import.meta.url),
    },
  },
  {
    file: database,
    from: 'return { status: "success", crashRecoveryCheckpoint };\n            });',
    to: `await noteRestart(tx, namespace.schema);
                return { status: "success", crashRecoveryCheckpoint };
            });`,
  },
  {
    file: database,
    from: "is_ready: 0,\n                    heartbeat_at: Date.now(),",
    // At a restart the rows stay, and so does the version that they were written by.
    to: `is_ready: 0,
                    started: crypto.randomUUID(),
                    rows_version: previousApp?.is_dev === 0 ? previousApp.rows_version : ${rowsVersion},
                    heartbeat_at: Date.now(),`,
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

/** Remembers hashes for the check of live blocks: `runtime/ponder/block-bloom.ts`. */
export const bloom: Edit[] = [
  {
    file: "ponder/dist/esm/sync-realtime/bloom.js",
    from: 'import { hexToBytes, hexToNumber, keccak256 } from "viem";',
    to: 'import { hexToNumber } from "viem";',
    imports: { names: ["hexToBytes", "keccak256"], from: new URL("../block-bloom.ts", import.meta.url) },
  },
];

/** Shows handlers the other events of a transaction, by which a trade's account is found: `src/domain/traders.ts`. */
export const transactionEvents: Edit[] = [
  {
    file: "ponder/dist/esm/runtime/events.js",
    from: "    return events;\n};",
    to: "    return linkTransactions(events);\n};",
    imports: { names: ["linkTransactions"], from: new URL("../transaction-events.ts", import.meta.url) },
  },
];

/**
 * Raises the rate at which Ponder asks the gate, which is its only `custom_transport`. The gate keeps to each endpoint's own limit
 * and has most answers in memory. At Ponder's initial 20 requests a second, reading the blocks that are not final yet would take
 * seconds after each start.
 */
export const gateRate: Edit[] = [
  {
    file: "ponder/dist/esm/rpc/index.js",
    from: "rpsLimit: INITIAL_MAX_RPS,",
    to: 'rpsLimit: hostname === "custom_transport" ? MAX_RPS : INITIAL_MAX_RPS,',
  },
];

/**
 * Raises the number of blocks that Ponder asks the gate for at first, and by how much more each time. The gate reads ahead whatever
 * Ponder asks for, so small ranges don't come sooner, and each is a batch whose rows are written before the next one's are changed.
 */
export const firstRanges: Edit[] = [
  {
    file: historical,
    from: "let estimateRange = 25;",
    to: `const isAhead = typeof params.chain.rpc === "function";
    let estimateRange = isAhead ? 2_000 : 25;`,
  },
  { file: historical, from: "maxIncrease: 1.5,", to: "maxIncrease: isAhead ? 4 : 1.5," },
];
