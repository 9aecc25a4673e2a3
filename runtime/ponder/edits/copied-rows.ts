import type { Edit } from "./edit.ts";

const file = "indexing-store/cache.js";

/** How rows go to Postgres: by our own code, which makes their text while Postgres takes in what came before. */
export const copiedRows: Edit[] = [
  {
    file,
    from: 'import copy from "pg-copy-streams";',
    to: `import copy from "pg-copy-streams";
import { copyText, writeAll } from ${JSON.stringify(new URL("copy-text.ts", import.meta.url).href)};`,
  },
  {
    file,
    from: "export const getCopyText = (table, rows) => {",
    to: `export const getCopyText = (table, rows) => copyText(Object.entries(getTableColumns(table)), rows);
const allCopyText = (table, rows) => {`,
  },
  {
    file,
    from: `copyStream.write(text);
                copyStream.end();`,
    to: "writeAll(copyStream, text).catch(reject);",
  },
];
