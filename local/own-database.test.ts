import path from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../runtime/checks/host.ts";
import { projectDir } from "../runtime/ponder/ponder.ts";
import { databaseForEachTest } from "../test/service/database.ts";
import { runProgram } from "../test/service/program.ts";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { assertOwnDatabase } from "./own-database.ts";

const database = databaseForEachTest();

const index = (schema: string) =>
  database.query(`create schema ${schema}; create table ${schema}._ponder_checkpoint (chain_id int)`);

test("npm run dev leaves a database alone into which npm start indexes", async () => {
  await index("onchain");
  await database.query(
    "insert into offchain.repair_request (chain_id, from_block, cause, reason) values (97, 7, 'operator', 'a test')",
  );
  const { folder, remove } = await temporaryFolder();
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PORT: String(await freePort()),
    LOCAL_CHAIN_PORT: String(await freePort()),
    LOCAL_MARKET: "off",
  };
  const stack = runProgram(path.join(projectDir, "local/dev.ts"), { env });
  const isRefused = stack.untilOutput("npm start indexes into that of DATABASE_URL (schema onchain)");
  // Otherwise it would serve until it is stopped.
  await isRefused.finally(() => stack.hasExited() || stack.kill("SIGINT"));
  expect(await stack.exited).toBe(1);
  // A local stack takes all requests for its own.
  expect(await database.query("select chain_id, repaired_in from offchain.repair_request")).toEqual([
    { chain_id: 97, repaired_in: null },
  ]);
  await remove();
});

test("npm run dev takes a database without an index, and its own", async () => {
  await assertOwnDatabase(database.url);
  await index("onchain_dev");
  await assertOwnDatabase(database.url);
});
