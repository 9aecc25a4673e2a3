import path from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { recordLiveSchema } from "../../offchain/live-schema.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { createDatabase } from "../../test/service/database.ts";
import { runProgram } from "../../test/service/program.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";

test("an export that follows ends once another schema has replaced the one that it reads", async () => {
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const { folder: to, remove } = await temporaryFolder();
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
    await remove();
  });
  await recordLiveSchema(pool, "onchain");
  const lake = runProgram(path.join(projectDir, "lake/command/lake.ts"), {
    args: ["--to", to, "--follow"],
    env: { DATABASE_URL: database.url },
  });
  onTestFinished(() => void lake.kill("SIGKILL"));
  await lake.untilOutput("there is no index in schema onchain yet");
  await recordLiveSchema(pool, "onchain_2");
  await lake.untilOutput("the schema onchain_2 has replaced onchain");
  expect(await lake.exited).toBe(1);
});
