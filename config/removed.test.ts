import { expect, test } from "vitest";
import { findRemoved } from "./misspelled.ts";

test("variables of earlier versions are named, with what to do", () => {
  expect(
    findRemoved({ RPC_LANES_56: "40", RPC_CACHE_97: "off", RPC_CACHE_56: "", SYNC_56: "ponder" }),
  ).toEqual([
    "RPC_LANES_56 no longer has an effect: requests are paced by what each endpoint allows. Remove it",
    "RPC_CACHE_97 no longer has an effect: what was read from a chain is always stored. Remove it",
  ]);
});
