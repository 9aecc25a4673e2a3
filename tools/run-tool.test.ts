import { readdir } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { projectDir } from "../runtime/ponder/ponder.ts";
import { createDatabase } from "../test/service/database.ts";
import { runProgram } from "../test/service/program.ts";
import { temporaryFolder } from "../test/service/temporary-folder.ts";

test("a command that a signal interrupts has failed, for whoever looks at its exit code, and leaves no unfinished file", async () => {
  const database = await createDatabase();
  const { folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  onTestFinished(async () => {
    await holder.end();
    await database.drop();
  });
  await holder.query("begin; lock table offchain.registration in access exclusive mode");
  const command = runProgram(path.join(projectDir, "tools/registrations/export.ts"), {
    env: { DATABASE_URL: database.url },
    args: [path.join(folder, "registrations.jsonl")],
  });
  await expect
    .poll(() =>
      database.query(
        `select from pg_locks join pg_database on pg_database.oid = database
         where not granted and relation is not null and datname = current_database()`,
      ),
    )
    .toHaveLength(1);
  command.kill("SIGTERM");
  expect(await command.exited).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});
