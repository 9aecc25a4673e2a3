import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const biome = fileURLToPath(new URL("../node_modules/@biomejs/biome/bin/biome", import.meta.url));

/** What `npm run check` says about a file of the API that has this line. */
function check(line: string, file = "src/api/queries/offender.ts"): string {
  const { stdout, stderr } = spawnSync(process.execPath, [biome, "lint", `--stdin-file-path=${file}`], {
    input: `${line}\n`,
    encoding: "utf8",
  });
  return stdout + stderr;
}

const refused = "SQL from text that is put together";

test.each([
  "sql.raw(given);",
  "sql.raw(`order by ${given}`);",
  "sql.identifier(given.column);",
  "column.as(given);",
  "query.as(`a ${given}`);",
  "alias(table, given);",
  "aliasedTable(table, given);",
  "pgSchema(given);",
  "new StringChunk(given);",
  "pool.query(`select * from ${given}`);",
  "pool.query('select * from ' + given, []);",
  "db.execute(`lock ${given}`);",
])("text that is put together is refused: %s", (line) => {
  expect(check(line)).toContain(refused);
});

test.each([
  'sql.raw("created_at");',
  'sql.identifier("token");',
  'alias(table, "other");',
  "pool.query(`select $1`, [given]);",
  "pool.query(statement`listen ${given}`);",
  "db.execute(sql`select ${given}`);",
])("literals and parameters are fine: %s", (line) => {
  expect(check(line)).not.toContain(refused);
});

test("tests may do as they like", () => {
  expect(check("sql.raw(given);", "src/api/queries/offender.test.ts")).not.toContain(refused);
});
