// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are Ponder's code.
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
