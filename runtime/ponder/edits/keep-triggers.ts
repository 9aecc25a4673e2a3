// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are Ponder's code.
import { rowsVersion } from "../rows-version.ts";
import type { Edit } from "./edit.ts";

const actions = "ponder/dist/esm/database/actions.js";
const database = "ponder/dist/esm/database/index.js";
const multichain = "ponder/dist/esm/runtime/multichain.js";

/** Only the transaction of a live block has a checkpoint. What a reorg, a restart or a backfill writes is not to be reverted. */
const onlyInBlocks =
  "IF coalesce(current_setting('ponder.checkpoint', true), '') = '' THEN RETURN NULL; END IF;";

/**
 * Notes that rows were reverted, and which transaction had last written each chain's checkpoint: until another one does, the chain's
 * tables lack blocks that its checkpoint includes. `src/api/stream/` reads it.
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
    to: `is_ready: 0,
                    started: crypto.randomUUID(),
                    rows_version: previousApp === undefined || previousApp.is_dev === 1 ? ${rowsVersion} : previousApp.rows_version,
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
