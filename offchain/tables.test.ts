import { getTableColumns } from "drizzle-orm";
import { CasingCache } from "drizzle-orm/casing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { alertFiring, alertSubscription, alertToken, alertWork } from "./alerts.ts";
import { finalBlock, liveSchema, readerLogin, repairRequest } from "./bookkeeping.ts";
import { image, imagePin } from "./images.ts";
import { streamEvent, streamPause, streamState } from "./stream.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

test.each([
  ["alert_subscription", alertSubscription],
  ["alert_firing", alertFiring],
  ["alert_token", alertToken],
  ["alert_work", alertWork],
  ["image", image],
  ["image_pin", imagePin],
  ["reader_login", readerLogin],
  ["stream_event", streamEvent],
  ["stream_state", streamState],
  ["stream_pause", streamPause],
  ["live_schema", liveSchema],
  ["final_block", finalBlock],
  ["repair_request", repairRequest],
] as const)("the table %s matches its description", async (name, table) => {
  const casing = new CasingCache("snake_case");
  const described = Object.values(getTableColumns(table)).map((column) => ({
    name: casing.getColumnCasing(column),
    type: column.getSQLType().replace(/^.*\[\]$/, "ARRAY"),
    nullable: column.notNull ? "NO" : "YES",
  }));
  const made = await database.query(
    `select column_name as name, data_type as type, is_nullable as nullable from information_schema.columns
     where table_schema = 'offchain' and table_name = $1 order by ordinal_position`,
    [name],
  );
  expect(made).toEqual(described);
});
