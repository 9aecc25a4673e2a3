import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { recordLiveSchema } from "../offchain/live-schema.ts";
import { createDatabase } from "../test/service/database.ts";
import { assertNotReplaced } from "./open-database.ts";

test("a schema that another one has replaced as the live one gets no more blocks, until it is live again", async () => {
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const isReplaced = (schema: string) =>
    assertNotReplaced(pool, schema, { isSchemaSet: false }).then(
      () => false,
      ({ message }: Error) => message,
    );
  expect(await isReplaced("onchain")).toBe(false);
  await recordLiveSchema(pool, "onchain");
  // The next one, which is being indexed.
  expect([await isReplaced("onchain"), await isReplaced("onchain_2")]).toEqual([false, false]);
  await recordLiveSchema(pool, "onchain_2");
  expect(await isReplaced("onchain")).toMatch(/the schema onchain_2 has replaced onchain/);
  expect(await isReplaced("onchain_2")).toBe(false);
  await recordLiveSchema(pool, "onchain");
  expect(await isReplaced("onchain")).toBe(false);

  const reader = new pg.Pool({ connectionString: database.readUrl, max: 1 });
  onTestFinished(() => reader.end());
  await expect(assertNotReplaced(reader, "onchain", { isSchemaSet: false })).resolves.toBeUndefined();
});
