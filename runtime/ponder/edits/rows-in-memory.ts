import type { Edit } from "./edit.ts";

const store = "indexing-store/index.js";

/** How rows go in and out of Ponder's store, several times for every event. */
export const rowsInMemory: Edit[] = [
  // A handler gets each row behind a Proxy, which copies it once it is changed. Ours change no row, so they can have the row itself:
  // it is replaced, never changed, once it is kept. In development it is frozen, so that a handler fails which would change it.
  {
    file: store,
    from: "import { copy, copyOnWrite } from",
    to: "import { copy, copyOnWrite as wrap } from",
  },
  {
    file: store,
    from: "const lock = createLock();",
    to: `const areRowsPlain = [...isCopyFast.values()].every(Boolean);
    const plainRow = process.argv.includes("dev") ? Object.freeze : (row) => row;
    const copyOnWrite = areRowsPlain ? plainRow : wrap;
    const lock = createLock();`,
  },
  {
    file: store,
    from: "ponderRowUpdate = copy(ponderRowUpdate, isCopyFast.get(table));",
    to: "const ponderRowBefore = ponderRowUpdate;\n ponderRowUpdate = copy(ponderRowBefore, isCopyFast.get(table));",
    times: 3,
  },
  { file: store, from: "copyOnWrite(ponderRowUpdate)", to: "copyOnWrite(ponderRowBefore)", times: 3 },
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
