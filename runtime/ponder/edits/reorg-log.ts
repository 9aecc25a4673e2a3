// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are Ponder's code.

import { rowsVersion } from "../rows-version.ts";
import type { Edit } from "./edit.ts";

const actions = "ponder/dist/esm/database/actions.js";
const multichain = "ponder/dist/esm/runtime/multichain.js";

const trigger = '"${getReorgTriggerName()}';
const table =
  '"${schema}"."${chainId === undefined ? getTableName(table) : getPartitionName(table, chainId)}"';
const run = 'EXECUTE PROCEDURE "${schema}".${getReorgProcedureName(table)};';
const unknown = "'${MAX_CHECKPOINT_STRING}'";
const checkpoint = "current_setting('ponder.checkpoint')";

/** Copies all rows that a statement changed at once, instead of one at a time. */
const copy = (row: "NEW" | "OLD", rows: string, operation: number): Edit => ({
  file: actions,
  from: `VALUES (\${columnNames.map((name) => \`${row}.\${name}\`).join(",")}, ${operation}, ${unknown});`,
  to: `SELECT \${columnNames.join(",")}, ${operation}, ${checkpoint} FROM ${rows};`,
});

/** Only a trigger for a single kind of statement can refer to the rows that it changed. */
const after = (statement: string, rows: string, suffix: string) => `
  CREATE OR REPLACE TRIGGER ${trigger}${suffix}"
  AFTER ${statement} ON ${table}
  REFERENCING ${rows}
  FOR EACH STATEMENT ${run}`;

/** Speeds up what Postgres does with each live block: it logs previous rows, for a reorg to restore, and notifies listeners. */
export const reorgLog: Edit[] = [
  copy("NEW", "new_rows", 0),
  copy("OLD", "old_rows", 1),
  copy("OLD", "old_rows", 2),
  {
    file: actions,
    from: `
  CREATE OR REPLACE TRIGGER ${trigger}"
  AFTER INSERT OR UPDATE OR DELETE ON ${table}
  FOR EACH ROW ${run}`,
    to: [
      after("INSERT", "NEW TABLE AS new_rows", ""),
      after("UPDATE", "OLD TABLE AS old_rows", "_update"),
      after("DELETE", "OLD TABLE AS old_rows", "_delete"),
    ].join(""),
  },
  // Ponder wrote each copied row twice, the second time with its block, which is known before the first.
  {
    file: multichain,
    from: 'common.logger.trace({\n                                msg: "Processing block events",',
    to: `await tx.wrap((tx) => tx.execute(\`SET LOCAL ponder.checkpoint = '\${checkpoint}'\`), context);
                            common.logger.trace({\n                                msg: "Processing block events",`,
  },
  {
    file: multichain,
    from: "await Promise.all(tables.map((table) => commitBlock(tx, { table, checkpoint, preBuild }, context)));",
    to: "",
  },
  // Ponder created and dropped a table for each block, and searched for it in a view over the whole catalog.
  {
    file: multichain,
    from: "CREATE TEMP TABLE ${getLiveQueryTempTableName()} (table_name TEXT PRIMARY KEY) ON COMMIT DROP",
    to: `CREATE TEMP TABLE IF NOT EXISTS \${getLiveQueryTempTableName()} (table_name TEXT PRIMARY KEY) ON COMMIT DELETE ROWS`,
  },
  {
    file: "ponder/dist/esm/drizzle/onchain.js",
    from: `IF NOT EXISTS (
      SELECT 1
      FROM information_schema.tables
      WHERE table_name = '\${tempTableName}'
      AND table_type = 'LOCAL TEMPORARY'
    ) THEN`,
    to: "IF to_regclass('pg_temp.${tempTableName}') IS NULL THEN",
  },
  // The trigger only records the table's name.
  {
    file: actions,
    from: 'FOR EACH ROW EXECUTE PROCEDURE "${schema}".${procedure};',
    to: 'FOR EACH STATEMENT EXECUTE PROCEDURE "${schema}".${procedure};',
  },
];

const database = "ponder/dist/esm/database/index.js";

/** Only the transaction of a live block has a checkpoint. What a reorg, a restart or a backfill writes is not to be reverted. */
const onlyInBlocks =
  "IF coalesce(current_setting('ponder.checkpoint', true), '') = '' THEN RETURN NULL; END IF;";

/**
 * Notes that rows were reverted, and which transaction had last written each chain's checkpoint: until another one does, the chain's
 * tables lack blocks that its checkpoint includes. `isReorganizing` in `src/api/` reads it.
 */
const noteRevert = (schema: string) => `tx.wrap({ label: "note_revert" }, (tx) => tx.execute(\`
UPDATE "\${${schema}}"."_ponder_meta" SET value = jsonb_set(value, '{reverted}', (
  SELECT coalesce(jsonb_object_agg(chain_id, xmin::text), '{}') FROM "\${${schema}}"."_ponder_checkpoint"))
WHERE key = 'app'\`), context)`;

/**
 * Keeps triggers and indexes in a reorg and at a restart. Ponder drops them, for which it has to wait for each transaction that has
 * read the table, and each new reader waits behind it. Replacing a trigger's function waits for nobody.
 */
export const keepTriggers: Edit[] = [
  {
    file: actions,
    from: "BEGIN\n  IF TG_OP = 'INSERT' THEN",
    to: `BEGIN\n  ${onlyInBlocks}\n  IF TG_OP = 'INSERT' THEN`,
  },
  {
    file: actions,
    from: "BEGIN\n  INSERT INTO ${getLiveQueryTempTableName()}",
    to: `BEGIN\n  ${onlyInBlocks}\n  INSERT INTO \${getLiveQueryTempTableName()}`,
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
    to: `await ${noteRevert("namespaceBuild.schema")};`,
  },
  // A schema that an earlier version filled has triggers whose functions copy rows in any transaction.
  {
    file: actions,
    from: "export const createTriggers = async (qb, { tables, chainId }, context) => {",
    to: "export const createTriggers = async (qb, { tables, chainId, areKept = false }, context) => {",
  },
  {
    file: actions,
    from: 'await tx.wrap({ label: "create_trigger" }, (tx) => tx.execute(`\n  CREATE OR REPLACE TRIGGER',
    to: 'if (!areKept) await tx.wrap({ label: "create_trigger" }, (tx) => tx.execute(`\n  CREATE OR REPLACE TRIGGER',
  },
  {
    file: database,
    from: "import { crashRecovery, createLiveQueryProcedures, dropLiveQueryTriggers, dropTriggers, }",
    to: "import { crashRecovery, createLiveQueryProcedures, createTriggers, dropLiveQueryTriggers, dropTriggers, }",
  },
  {
    file: database,
    from: `await dropTriggers(tx, { tables });
                    await dropLiveQueryTriggers(tx, { namespaceBuild: namespace, tables }, context);`,
    to: `await createTriggers(tx, { tables, areKept: true }, context);
                    await createLiveQueryProcedures(tx, { namespaceBuild: namespace }, context);`,
  },
  {
    file: database,
    from: `for (const indexStatement of schemaBuild.statements.indexes.json) {
                    await tx.wrap((tx) => tx.execute(\`DROP INDEX IF EXISTS "\${namespace.schema}"."\${indexStatement.data.name}"\`), context);
                }`,
    to: "",
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
  {
    file: database,
    from: `await tx.wrap((tx) => tx.update(PONDER_META).set({ value: metadata }), context);
                return { status: "success", crashRecoveryCheckpoint };`,
    to: `await tx.wrap((tx) => tx.update(PONDER_META).set({ value: metadata }), context);
                await ${noteRevert("namespace.schema")};
                return { status: "success", crashRecoveryCheckpoint };`,
  },
];

const file = "ponder/dist/esm/database/actions.js";
const compactTables = JSON.stringify(new URL("../compact-tables.ts", import.meta.url).href);

/** Indexes that are created concurrently at the end of a backfill. */
const maxConcurrent = 3;

/**
 * Compacts tables and creates indexes concurrently at the end of a backfill. Creating one index after the other leaves a processor
 * idle, unless a table is so large that Postgres uses two.
 */
export const indexes: Edit[] = [
  {
    file: multichain,
    from: "import { never } from '../utils/never.js';",
    to: `import { never } from '../utils/never.js';\nimport { compactTables } from ${compactTables};`,
  },
  {
    file: multichain,
    from: "await createIndexes(database.adminQB, {",
    to: "await compactTables(database.adminQB, tables, common.logger);\n    await createIndexes(database.adminQB, {",
  },
  {
    file,
    from: "for (const statement of statements.indexes.sql) {",
    to: `const left = statements.indexes.sql.values();
    await Promise.all(Array.from({ length: ${maxConcurrent} }, async () => { for (const statement of left) {`,
  },
  {
    file,
    from: `tx.execute(statement));
        }, undefined, context);
    }`,
    to: `tx.execute(statement));
        }, undefined, context);
    } }));`,
  },
];
