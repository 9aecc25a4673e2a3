import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inSnapshot } from "../../offchain/connection.ts";
import { createModerationStore } from "../../offchain/moderation-store.ts";
import { exportLines } from "../../offchain/read-registrations.ts";
import { createRegistrationStore } from "../../offchain/store.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { importLines } from "../../tools/registrations/import-lines.ts";
import { onlyInLongRun, sized } from "../run/long-run.ts";
import { createDatabase, type TestDatabase } from "../service/database.ts";
import { runProgram } from "../service/program.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* `npm run registrations:export` and `:import`, for backups and for moving to another database. */

const script = (name: string) => path.join(projectDir, "tools", name);

let place: Awaited<ReturnType<typeof temporaryFolder>>;
const databases: TestDatabase[] = [];

beforeEach(async () => {
  place = await temporaryFolder();
});
afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.drop()));
  await place.remove();
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  databases.push(database);
  return database;
}

async function databaseWith(registrations: number): Promise<TestDatabase> {
  const database = await emptyDatabase();
  await database.query(
    `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent, description, verified,
       registered_at, registered_by, signature, issued_at)
     select 56, '0x' || lpad(to_hex(n), 40, '0'), 'Name ' || n, 'S', '0x' || repeat('c', 40), 30 + n % 41,
       case when n % 3 = 0 then null else 'Zeile "' || n || '" 🚀' || chr(8232) || 'zwei' end, n % 2 = 0, '2026-01-02T03:04:05Z',
       case when n % 2 = 0 then '0x' || repeat('c', 40) end, case when n % 2 = 0 then '0xabcd' end,
       case when n % 2 = 0 then 1000 + n end
     from generate_series(1, $1) n`,
    [registrations],
  );
  return database;
}

async function run(name: string, database: TestDatabase, args: string[]) {
  const program = runProgram(script(name), { env: { DATABASE_URL: database.url }, args });
  return { code: await program.exited, output: program.output() };
}

/** Does the work of a command in this process, which is quicker than starting another. */
async function withPool<Result>({ url }: TestDatabase, work: (pool: pg.Pool) => Promise<Result>) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  return await work(pool).finally(() => pool.end());
}

const exportHere = (database: TestDatabase) =>
  withPool(database, (pool) =>
    inSnapshot(pool, async (client) => {
      const lines: string[] = [];
      for await (const line of exportLines(client)) lines.push(line.trimEnd());
      return lines;
    }),
  );

const importHere = (database: TestDatabase, lines: string[]) =>
  withPool(database, (pool) =>
    importLines(
      { registrations: createRegistrationStore(pool), moderation: createModerationStore(pool) },
      (async function* () {
        yield* lines;
      })(),
      { onRefused() {} },
    ),
  );

const content = (database: TestDatabase) =>
  database.query(
    `select chain_id, mint, name, symbol, creator, burn_percent, description, verified, registered_at, registered_by,
       signature, issued_at from offchain.registration order by mint`,
  );

test("an import restores everything that was exported, searchable; hidden tokens come with their registrations and stay hidden", async () => {
  const file = path.join(place.folder, "backup.jsonl");
  // Beside those, one whose token a reorg has removed, and a token that is hidden without one. The long run has several batches of them.
  const registrations = sized({ usual: 234, long: 1_234 });
  const records = registrations + 2;
  const [from, to] = await Promise.all([databaseWith(registrations), emptyDatabase()]);
  const token = (n: number) => ({ chainId: 56, mint: `0x${n.toString(16).padStart(40, "0")}` });
  const hidden = (database: TestDatabase) =>
    database.query("select chain_id, mint, reason, hidden_at from offchain.hidden_token order by mint");
  await from.query(
    `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent)
     values (56, $1, 'After a reorg', 'S', '0x' || repeat('d', 40), 50)`,
    [token(7).mint],
  );
  // Both of a shown and of a hidden token.
  await from.query(
    `insert into offchain.registration_history (registration_id, replaced_at, description, website_url, verified)
     select id, '2026-01-02T03:04:05.678Z', 'Before', 'https://before.example', true from offchain.registration
     where mint = any($1)`,
    [[token(8).mint, token(9).mint]],
  );
  await withPool(from, async (pool) => {
    for (const n of [7, 9, 0xffff])
      await createModerationStore(pool).hide(token(n), { reason: `Reason ${n}` });
  });

  expect(await run("registrations/export.ts", from, [file])).toMatchObject({
    code: 0,
    output: expect.stringContaining(`${records} registrations exported`),
  });
  expect((await readFile(file, "utf8")).trim().split("\n")).toHaveLength(records);
  const imported = await run("registrations/import.ts", to, [file]);
  expect(imported).toMatchObject({
    code: 0,
    output: expect.stringContaining(`${records} imported, 0 replaced`),
  });
  expect(await content(to)).toEqual(await content(from));
  expect(await hidden(to)).toEqual(await hidden(from));
  const history = (database: TestDatabase) =>
    database.query(
      `select mint, h.description, h.image_url, h.website_url, h.verified, replaced_at from offchain.registration_history h
       join (select id, mint from offchain.registration union all select id, mint from offchain.hidden_registration) r
       on r.id = registration_id order by mint`,
    );
  expect(await history(to)).toEqual(await history(from));
  expect(await history(to)).toHaveLength(2);
  const found = await to.query(
    "select 1 from offchain.registration where offchain.trigrams(search) @> '{zei}'",
  );
  expect(found.length).toBeGreaterThan(0.65 * registrations);
  const aside = "select mint, name, description from offchain.hidden_registration order by id";
  expect(await to.query(aside)).toEqual(await from.query(aside));
  expect(await to.query(aside)).toHaveLength(3);
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  // A registration that is there already gets what it said before.
  await to.query("delete from offchain.registration_history");
  expect(await importHere(to, lines)).toEqual({ created: 0, replaced: 0, unchanged: records, refused: 0 });
  expect(await history(to)).toEqual(await history(from));

  // A token hidden here stays hidden although the file shows it.
  const shown = lines.flatMap((line) => {
    const { hidden, ...record } = JSON.parse(line);
    return hidden === undefined || record.name === undefined
      ? []
      : [JSON.stringify({ ...record, description: "x" })];
  });
  expect(await importHere(to, shown)).toEqual({ created: 0, replaced: 0, unchanged: 0, refused: 3 });
});

test("what is registered in both keeps the earlier time, so that no version ends before the first one begins", async () => {
  const [from, to] = await Promise.all([databaseWith(4), databaseWith(4)]);
  const mint = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;
  const setTime = (database: TestDatabase, at: string, ...numbers: number[]) =>
    database.query("update offchain.registration set registered_at = $1 where mint = any($2)", [
      at,
      numbers.map(mint),
    ]);
  const [earlier, replacedAt, later] = ["2026-01-01", "2026-02-01", "2026-03-01"].map(
    (day) => `${day}T00:00:00.000Z`,
  ) as [string, string, string];
  await setTime(from, earlier, 1, 2, 3);
  await setTime(to, later, 1, 2, 3);
  // The other way round, and signed anew.
  await setTime(from, later, 4);
  await setTime(to, earlier, 4);
  await from.query(
    `insert into offchain.registration_history (registration_id, replaced_at, description, verified)
     select id, $1, 'Before', true from offchain.registration`,
    [replacedAt],
  );
  await withPool(to, (pool) =>
    createModerationStore(pool).hide({ chainId: 56, mint: mint(3) }, { reason: "Reason" }),
  );
  const lines = (await exportHere(from)).map((line) => {
    const record = JSON.parse(line);
    if (record.mint === mint(2)) return JSON.stringify({ ...record, description: "x", issuedAt: 1 });
    return record.mint === mint(4)
      ? JSON.stringify({ ...record, description: "signed later", issuedAt: 9_000 })
      : line;
  });
  const { refused } = await importHere(to, lines);
  expect(refused).toBe(1);
  const times = await to.query<{ mint: string; at: Date }>(
    `select mint, registered_at as at from offchain.registration
     union all select mint, registered_at from offchain.hidden_registration order by mint`,
  );
  expect(times.map(({ at }) => at.toISOString())).toEqual([earlier, later, earlier, earlier]);
  const versions = await to.query<{ version: string }>(
    "select version from offchain.registration where mint = $1",
    [mint(1)],
  );
  expect(Number(versions[0]?.version)).toBeGreaterThan(0);
});

test("a line that can't be imported is named with its reason, and the others are imported", async () => {
  const file = path.join(place.folder, "backup.jsonl");
  const [from, to] = await Promise.all([databaseWith(3), emptyDatabase()]);
  const [first = "", second = "", third = ""] = await exportHere(from);
  const changed = (line: string, fields: object) => JSON.stringify({ ...JSON.parse(line), ...fields });
  await writeFile(
    file,
    [
      // As some editors and shells begin a file.
      `\ufeff${first}`,
      "{",
      changed(second, { mint: "0xAB" }),
      changed(second, { verified: false }),
      changed(third, { surprise: 1 }),
      "",
      changed(first, { description: "other words" }),
      second,
      changed(second, { description: "signed later", issuedAt: 2_000 }),
      changed(second, { description: "signed earlier", issuedAt: 1_500 }),
    ].join("\n"),
  );
  const { code, output } = await run("registrations/import.ts", to, [file]);
  expect(code).toBe(1);
  const lines = output.trim().split("\n").sort();
  expect(lines).toEqual([
    "2 imported, 1 replaced, 0 already there, 6 refused",
    expect.stringMatching(
      /^line 10: 0x0+2 on chain 56 is registered already, .+ signed at the same time or later$/,
    ),
    expect.stringMatching(/^line 2: is not JSON$/),
    expect.stringMatching(/^line 3: mint: must be a lower-case address/),
    expect.stringMatching(/^line 4: verified must be true exactly if signature/),
    expect.stringMatching(/^line 5: .*surprise/),
    expect.stringMatching(/^line 7: 0x0+1 on chain 56 is registered already, with other content$/),
  ]);
  expect(
    await to.query("select mint, description, issued_at from offchain.registration order by mint"),
  ).toEqual([
    { mint: `0x${"1".padStart(40, "0")}`, description: 'Zeile "1" 🚀\u2028zwei', issued_at: null },
    { mint: `0x${"2".padStart(40, "0")}`, description: "signed later", issued_at: "2000" },
  ]);
});

onlyInLongRun(() => {
  test("a missing file is reported in one clear line", async () => {
    const none = path.join(place.folder, "none.jsonl");
    const { code, output } = await run("registrations/import.ts", await emptyDatabase(), [none]);
    expect(code).toBe(1);
    expect(output).toContain("cannot read");
  });
});

test("an empty export does not overwrite a backup", async () => {
  const file = path.join(place.folder, "backup.jsonl");
  await writeFile(file, "an export");
  const { code, output } = await run("registrations/export.ts", await emptyDatabase(), [file]);
  expect([code, await readFile(file, "utf8")]).toEqual([1, "an export"]);
  expect(output).toContain("this database has no registrations");
  expect((await readdir(place.folder)).sort()).toEqual(["backup.jsonl"]);
});

test("an export whose database goes away says so, and leaves the file as it was", async () => {
  const file = path.join(place.folder, "backup.jsonl");
  await writeFile(file, "an export");
  const database = await databaseWith(3);
  await withPool(database, async (pool) => {
    const client = await pool.connect();
    await client.query("begin");
    await client.query("lock table offchain.registration");
    const exporting = run("registrations/export.ts", database, [file]);
    await expect
      .poll(
        async () => {
          const ended = await database.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock' and query ~ 'registration'`,
          );
          return ended.length;
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    const { code, output } = await exporting;
    client.release();
    expect(code).toBe(1);
    expect(output).toMatch(/^the database doesn't answer any more \(.+\): start again once Postgres runs\n$/);
  });
  expect(await readFile(file, "utf8")).toBe("an export");
  expect(await readdir(place.folder)).toEqual(["backup.jsonl"]);
});

onlyInLongRun(() => {
  test("an export to a folder that is missing names the file", async () => {
    const file = path.join(place.folder, "missing", "backup.jsonl");
    const { code, output } = await run("registrations/export.ts", await databaseWith(1), [file]);
    expect([code, output]).toEqual([1, expect.stringContaining(`cannot use ${file}: ENOENT`)]);
  });

  test("an export does not create a missing database", async () => {
    const program = runProgram(script("registrations/export.ts"), { env: { DATA_DIR: place.folder } });
    expect(await program.exited).toBe(1);
    expect(program.output()).toContain("there is no database in");
    expect(await readdir(place.folder)).toEqual([]);
  });
});
