import type { Edit } from "./edit.ts";

const file = "ponder/dist/esm/database/actions.js";
const multichain = "ponder/dist/esm/runtime/multichain.js";
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
