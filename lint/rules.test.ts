import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../test/service/temporary-folder.ts";

const project = fileURLToPath(new URL("..", import.meta.url));

// Put together, so that Biome doesn't mistake it for a template.
const given = "$" + "{given}";

const refused = [
  "sql.raw(given);",
  `sql.raw(\`order by ${given}\`);`,
  "sql.identifier(given.column);",
  "column.as(given);",
  `query.as(\`a ${given}\`);`,
  "alias(table, given);",
  "aliasedTable(table, given);",
  "pgSchema(given);",
  "new StringChunk(given);",
  `pool.query(\`select * from ${given}\`);`,
  "pool.query('select * from ' + given, []);",
  `pool.query<Row>(\`select * from ${given}\`, []);`,
  `db.execute(\`lock ${given}\`);`,
];
const clients = [
  'import { createPublicClient, http } from "viem";',
  'import { createWalletClient } from "viem";',
  'import { createTestClient } from "viem";',
  'import { createClient } from "viem";',
  "new pg.Pool({ connectionString: given });",
  "new pg.Client(given);",
];
const fine = [
  'import { toHex } from "viem";',
  'sql.raw("created_at");',
  'sql.identifier("token");',
  'alias(table, "other");',
  "pool.query(`select $1`, [given]);",
  `pool.query(statement\`listen ${given}\`);`,
  `db.execute(sql\`select ${given}\`);`,
];

const lines = [...refused, ...clients, ...fine];

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let output: string;

/** Runs Biome with the project's configuration on a query file and a test file that contain all of these lines. */
beforeAll(async () => {
  place = await temporaryFolder();
  const { vcs, ...config } = JSON.parse(await readFile(path.join(project, "biome.json"), "utf8"));
  expect(vcs).toBeDefined();
  await writeFile(path.join(place.folder, "biome.json"), JSON.stringify(config));
  await cp(path.join(project, "lint"), path.join(place.folder, "lint"), { recursive: true });
  const queries = path.join(place.folder, "src/api");
  await mkdir(queries, { recursive: true });
  for (const name of ["offender.ts", "offender.test.ts"]) {
    await writeFile(path.join(queries, name), lines.join("\n"));
  }
  const biome = path.join(project, "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--max-diagnostics=none", "src"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: place.folder, encoding: "utf8" });
  output = stdout + stderr;
});
afterAll(() => place.remove());

const isRefused = (line: string) =>
  new RegExp(`offender\\.ts:${lines.indexOf(line) + 1}:\\d+ plugin`).test(output);

test.each(refused)("SQL that is put together from text is refused: %s", (line) => {
  expect(isRefused(line)).toBe(true);
});

test.each(clients)("a client that is made elsewhere is refused: %s", (line) => {
  expect(isRefused(line)).toBe(true);
});

test.each(fine)("what is allowed is not refused: %s", (line) => {
  expect(isRefused(line)).toBe(false);
});

test("tests are exempt", () => {
  expect(output).not.toMatch(/offender\.test\.ts:\d+:\d+ plugin/);
});
