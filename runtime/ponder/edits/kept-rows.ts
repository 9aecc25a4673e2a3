import type { Edit } from "./edit.ts";

const file = "indexing-store/cache.js";

/** Rows that are kept of each table once not all of them fit into memory, and while blocks are followed live. */
const keptPerTable = 10_000;

/** How rows come from the database before a batch of events. */
export const keptRows: Edit[] = [
  // Ponder forgets every row that the last batch did not use. It is the only writer, so what it has written is what the
  // database has: keep the rows that were used last.
  {
    file,
    from: `for (const key of tableCache.cache.keys()) {
                    if (tableCache.spillover.has(key) ||
                        prediction.get(table).has(key)) {
                        prediction.get(table).delete(key);
                    }
                    else {
                        tableCache.cache.delete(key);
                    }
                }`,
    to: `const wanted = prediction.get(table);
                const limit = Math.max(${keptPerTable}, wanted.size);
                for (const key of wanted.keys()) {
                    const row = tableCache.cache.get(key);
                    if (row === undefined) continue;
                    tableCache.cache.delete(key);
                    tableCache.cache.set(key, row);
                    wanted.delete(key);
                }
                for (const key of tableCache.cache.keys()) {
                    if (tableCache.cache.size <= limit) break;
                    tableCache.cache.delete(key);
                }`,
  },
  ...["insertBuffer", "updateBuffer"].map((buffer) => ({
    file,
    from: `for (const [key, entry] of ${buffer}.get(table)) {`,
    to: `for (const [key, entry] of ${buffer}.get(table)) {
                        if (shouldRecordBytes === false) tableCache.cache.delete(key);`,
  })),
  {
    file: "runtime/multichain.js",
    from: "indexingCache.clear();\n    // Note: Invalidating",
    to: "// Note: Invalidating",
  },
  // One OR arm for each key takes Postgres long to plan, and drizzle long to write.
  {
    file,
    from: "map(([, prediction]) => getWhereCondition(table, prediction));",
    to: "map(([, prediction]) => prediction);",
  },
  {
    file,
    from: ".where(or(...conditions))",
    to: ".where(hasOneOf(table, conditions, primaryKeyCache.get(table)))",
  },
  {
    file,
    from: "export const createIndexingCache =",
    to: `const hasOneOf = (table, keys, primaryKey) => {
    const columns = sql.join(primaryKey.map(([, column]) => column), sql\`, \`);
    const values = primaryKey.map(([js, column]) => {
        const ofColumn = keys.map((key) => column.mapToDriverValue(key[js]));
        return sql\`\${sql.param(ofColumn)}::\${sql.raw(column.getSQLType())}[]\`;
    });
    return sql\`(\${columns}) in (select * from unnest(\${sql.join(values, sql\`, \`)}))\`;
};
export const createIndexingCache =`,
  },
  // It is asked for with each row that is looked up.
  {
    file: "drizzle/index.js",
    from: "export const getPrimaryKeyColumns = (table) => {",
    to: `const known = new WeakMap();
export const getPrimaryKeyColumns = (table) => {
    if (known.has(table) === false) known.set(table, findPrimaryKeyColumns(table));
    return known.get(table);
};
const findPrimaryKeyColumns = (table) => {`,
  },
];
