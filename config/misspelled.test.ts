import { expect, test } from "vitest";
import { findMisspelled, findRemoved } from "./misspelled.ts";

test.each([
  ["RATE_LIMT", "RATE_LIMIT"],
  ["DATABSE_URL", "DATABASE_URL"],
  ["DATABASE_URL_FIEL", "DATABASE_URL_FILE"],
  ["DATADIR", "DATA_DIR"],
  ["START_BLOK_97", "START_BLOCK_97"],
  ["PONDER_RPC_URL56", "PONDER_RPC_URL_56"],
  ["trust_proxy", "TRUST_PROXY"],
  ["BNB_USD_FEED_ADDRESS", "BNB_USD_FEED_ADDRESS_56"],
  ["history_source", "HISTORY_SOURCE_56"],
  ["POLLING_INTERVALL", "POLLING_INTERVAL_56"],
  ["IMAGES_MIN_FREE_DISC_MB", "IMAGES_MIN_FREE_DISK_MB"],
  ["CLICKHOUSE_PASSWROD", "CLICKHOUSE_PASSWORD"],
])("%s is recognized as %s misspelled", (name, meant) => {
  expect(findMisspelled({ [name]: "1" })).toEqual([
    `${name} is not a setting and has no effect: did you mean ${meant}?`,
  ]);
});

test("our own variables, and those of other programs, are not reported", () => {
  const variables = {
    RATE_LIMIT: "off",
    PORT: "1",
    PATH: "",
    HOME: "",
    HOSTNAME: "",
    SORT: "",
    PGDATABASE: "",
    DEPLOYMENT: "blue",
  };
  expect(findMisspelled(variables)).toEqual([]);
});

test("variables of earlier versions are named, with what to do", () => {
  expect(
    findRemoved({ RPC_LANES_56: "40", RPC_CACHE_97: "off", RPC_CACHE_56: "", SYNC_56: "ponder" }),
  ).toEqual([
    "RPC_LANES_56 no longer has an effect: requests are paced by what each endpoint allows. Remove it",
    "RPC_CACHE_97 no longer has an effect: what was read from a chain is always stored. Remove it",
  ]);
});
