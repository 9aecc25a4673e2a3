import { expect, test } from "vitest";
import { readEnvironment } from "../../config/env.ts";
import { gateSettings } from "./start-gate.ts";

test("the gate reads history from the portal that the settings name, and by default from none", () => {
  const bsc = {
    PONDER_RPC_URL_56: "https://rpc.example",
    TOKEN_FACTORY_ADDRESS_56: `0x${"a1".repeat(20)}`,
    LAUNCHPAD_ADDRESS_56: `0x${"b2".repeat(20)}`,
    START_BLOCK_56: "123",
  };
  const database = { databaseUrl: undefined, schema: "onchain", indexedTimeQuery: "select 0 as seconds" };
  const portalOf = (variables: Record<string, string>) =>
    gateSettings(database, readEnvironment({ ...bsc, ...variables }).chains).chains[0]?.portal;
  expect(portalOf({})).toBeUndefined();
  expect(portalOf({ HISTORY_SOURCE_56: "https://portal.example/bsc" })).toEqual({
    url: "https://portal.example/bsc",
  });
});
