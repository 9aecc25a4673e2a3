// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are Ponder's code.

import type { Edit } from "./edit.ts";

const multichain = "ponder/dist/esm/runtime/multichain.js";
const historical = "ponder/dist/esm/runtime/historical.js";
const database = "ponder/dist/esm/database/index.js";
const realtime = "ponder/dist/esm/runtime/realtime.js";

/** Edits of how Ponder reads, indexes and writes. */
export const indexingEdits: readonly Edit[] = [
  // Replaces Ponder's store with our own: `runtime/ponder/store/`.
  {
    file: multichain,
    from: `import { createIndexingCache } from '../indexing-store/cache.js';
import { createIndexingStore } from '../indexing-store/index.js';`,
    to: "const createIndexingStore = (given) => createStore({ ...given, NonRetryableUserError });",
    imports: {
      "store/indexing-store.ts": ["createIndexingCache", "createIndexingStore as createStore"],
    },
  },
  {
    file: historical,
    from: "yield* mergeAsyncGenerators(eventGenerators);",
    to: "yield* mergeOnFlush(eventGenerators);",
    imports: { "store/write-rows.ts": ["mergeOnFlush"] },
  },

  // Puts ours around what creates the database's connections and its schema: `runtime/ponder/open-database.ts`.
  {
    file: database,
    from: "export const createDatabase = (",
    to: `export const createDatabase = (options) => openDatabase(createPonderDatabase, options, NonRetryableUserError);
const createPonderDatabase = (`,
    imports: { "open-database.ts": ["openDatabase"] },
  },

  // Replaces the triggers of live blocks, which then stay in place, and how indexes are created at the end of a backfill:
  // `runtime/ponder/store/reorg-log.ts` and `runtime/ponder/compact-tables.ts`.
  {
    file: multichain,
    from: "import { commitBlock, createIndexes, createLiveQueryTriggers, createTriggers, createViews, dropLiveQueryTriggers, dropTriggers, finalizeMultichain, revertMultichain, } from '../database/actions.js';",
    to: `import { createViews, revertMultichain as revertRows } from '../database/actions.js';
const revertMultichain = async (tx, options, context) => {
    const counts = await revertRows(tx, options, context);
    await noteRevert(tx, options.tables);
    return counts;
};`,
    imports: {
      "compact-tables.ts": ["createIndexes"],
      "store/reorg-log.ts": [
        ...["createTriggers", "finalizeMultichain", "noteRevert", "setCheckpoint"],
        ...["commitBlock", "createLiveQueryTriggers", "dropLiveQueryTriggers", "dropTriggers"].map(
          (name) => `notNeeded as ${name}`,
        ),
      ],
    },
  },
  {
    file: database,
    from: 'import { crashRecovery, createLiveQueryProcedures, dropLiveQueryTriggers, dropTriggers, } from "./actions.js";',
    to: 'import { crashRecovery, createLiveQueryProcedures } from "./actions.js";',
    imports: {
      "store/reorg-log.ts": ["keepTriggers as dropTriggers", "notNeeded as dropLiveQueryTriggers"],
    },
  },
  // The temporary table was for queries that this service doesn't have.
  {
    file: multichain,
    from: `if (database.userQB.$dialect === "postgres") {
                        await tx.wrap((tx) => tx.execute(\`CREATE TEMP TABLE \${getLiveQueryTempTableName()} (table_name TEXT PRIMARY KEY) ON COMMIT DROP\`), context);
                    }
                    else {
                        await tx.wrap((tx) => tx.execute(\`CREATE TEMP TABLE IF NOT EXISTS \${getLiveQueryTempTableName()} (table_name TEXT PRIMARY KEY)\`), context);
                    }
                    // Events must be run block-by-block, so that \`database.commitBlock\` can accurately
                    // update the temporary \`checkpoint\` value set in the trigger.
                    for (const { checkpoint, events } of splitEvents(event.events)) {`,
    to: `for (const { checkpoint, events } of splitEvents(event.events)) {
                        await setCheckpoint(tx, checkpoint);`,
  },

  // Replaces how followed blocks are stored as history once they are final: `runtime/ponder/store/followed-blocks.ts`.
  {
    file: realtime,
    from: `await params.database.syncQB.transaction(async (tx) => {
                const syncStore = createSyncStore({ common: params.common, qb: tx });
                await promiseAllSettledWithThrow([
                    syncStore.insertBlocks({
                        blocks: finalizedBlocks
                            .filter(({ hasMatchedFilter }) => hasMatchedFilter)
                            .map(({ block }) => block),
                        chainId: params.chain.id,
                    }),
                    syncStore.insertTransactions({
                        transactions: finalizedBlocks.flatMap(({ transactions }) => transactions),
                        chainId: params.chain.id,
                    }),
                    syncStore.insertTransactionReceipts({
                        transactionReceipts: finalizedBlocks.flatMap(({ transactionReceipts }) => transactionReceipts),
                        chainId: params.chain.id,
                    }),
                    syncStore.insertLogs({
                        logs: finalizedBlocks.flatMap(({ logs }) => logs),
                        chainId: params.chain.id,
                    }),`,
    to: `await oneAfterTheOther(params.chain.id, params.database.syncQB).transaction(async (tx) => {
                const syncStore = createSyncStore({ common: params.common, qb: tx });
                await promiseAllSettledWithThrow([
                    storeFollowed(tx, params.chain.id, finalizedBlocks),`,
    imports: { "store/followed-blocks.ts": ["oneAfterTheOther", "storeFollowed"] },
  },

  // Speeds up how query results become objects, which all events go through.
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

  // Remembers hashes for the check of live blocks: `runtime/ponder/block-bloom.ts`.
  {
    file: "ponder/dist/esm/sync-realtime/bloom.js",
    from: 'import { hexToBytes, hexToNumber, keccak256 } from "viem";',
    to: 'import { hexToNumber } from "viem";',
    imports: { "block-bloom.ts": ["hexToBytes", "keccak256"] },
  },

  // Shows handlers the other events of a transaction, by which a trade's account is found: `src/domain/traders.ts`.
  {
    file: "ponder/dist/esm/runtime/events.js",
    from: "    return events;\n};",
    to: "    return linkTransactions(events);\n};",
    imports: { "transaction-events.ts": ["linkTransactions"] },
  },

  // Raises the rate at which Ponder asks the gate, which is its only `custom_transport`. The gate keeps to each endpoint's own limit
  // and has most answers in memory. At Ponder's initial 20 requests a second, reading the blocks that are not final yet would take
  // seconds after each start.
  {
    file: "ponder/dist/esm/rpc/index.js",
    from: "rpsLimit: INITIAL_MAX_RPS,",
    to: 'rpsLimit: hostname === "custom_transport" ? MAX_RPS : INITIAL_MAX_RPS,',
  },

  // Raises the number of blocks that Ponder asks the gate for at first, and by how much more each time. The gate reads ahead whatever
  // Ponder asks for, so small ranges don't come sooner, and each is a batch whose rows are written before the next one's are changed.
  {
    file: historical,
    from: "let estimateRange = 25;",
    to: `const isAhead = typeof params.chain.rpc === "function";
    let estimateRange = isAhead ? 2_000 : 25;`,
  },
  { file: historical, from: "maxIncrease: 1.5,", to: "maxIncrease: isAhead ? 4 : 1.5," },
];
