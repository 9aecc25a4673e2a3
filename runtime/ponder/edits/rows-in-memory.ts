import type { Edit } from "./edit.ts";

const store = "indexing-store/index.js";

/** How rows go in and out of Ponder's store, several times for every event. */
export const rowsInMemory: Edit[] = [
  // A handler gets each row behind a Proxy, which copies it once it is changed. Copying rows that hold plain values only is faster.
  {
    file: store,
    from: "import { copy, copyOnWrite } from",
    to: "import { copy, copyOnWrite as wrap } from",
  },
  {
    file: store,
    from: "const lock = createLock();",
    to: `const copyOnWrite = [...isCopyFast.values()].every(Boolean) ? (row) => ({ ...row }) : wrap;
    const lock = createLock();`,
  },
  // A change of a row looks up the same key twice: once to read it, once to write it.
  {
    file: "indexing-store/utils.js",
    from: "export const getCacheKey = (table, key, cache) => {\n    const primaryKeys = cache.get(table);",
    to: `const last = { table: undefined, values: [], cacheKey: "" };
export const getCacheKey = (table, key, cache) => {
    const primaryKeys = cache.get(table);
    if (last.table === table && primaryKeys.every(([js], i) => key[js] === last.values[i])) return last.cacheKey;
    last.table = table;
    last.values = primaryKeys.map(([js]) => key[js]);
    last.cacheKey = buildCacheKey(primaryKeys, key);
    return last.cacheKey;
};
const buildCacheKey = (primaryKeys, key) => {`,
  },
  // Object.entries makes an array for each column that changes.
  {
    file: store,
    from: "for (const [key, value] of Object.entries(ponderSet)) {",
    to: "for (const key in ponderSet) {\n const value = ponderSet[key];",
    times: 6,
  },
  {
    file: "indexing-store/utils.js",
    from: "for (const [columnName, value] of Object.entries(row)) {",
    to: "for (const columnName in row) {\n const value = row[columnName];",
  },
  // A row that is created and then changed before rows are written is written once, as it is by then, instead of inserted and updated.
  {
    file: "indexing-store/cache.js",
    from: `if (isUpdate) {
                updateBuffer.get(table).set(ck, { row, metadata: { event } });`,
    to: `if (isUpdate && insertBuffer.get(table).has(ck) === false) {
                updateBuffer.get(table).set(ck, { row, metadata: { event } });`,
  },
];
