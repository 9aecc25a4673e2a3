import { expect, test } from "vitest";
import { readIndexMetrics } from "./index-metrics.ts";
import { databaseAway, type Readiness } from "./ready.ts";

const linesOf = async (readiness: Readiness) =>
  (await readIndexMetrics(async () => readiness)).split("\n").filter((line) => !/^(#|$)/.test(line));

test("a process that is ready says how far the index is, chain by chain, and leaves out what isn't known", async () => {
  const at = { chainId: 56, block: 7, headBlock: 9, lagBlocks: 2, lagSeconds: 1, endpointsAnswer: true };
  const starting = { chainId: 97, block: null, headBlock: null, lagBlocks: null, lagSeconds: null };
  const chains = [at, { ...starting, endpointsAnswer: false }];
  expect(await linesOf({ ready: true, writer: "gone", chains })).toEqual([
    "launchpad_ready 1",
    "launchpad_writer_live 0",
    'launchpad_index_block{chain="56"} 7',
    'launchpad_index_lag_blocks{chain="56"} 2',
    'launchpad_index_lag_seconds{chain="56"} 1',
    'launchpad_endpoints_answer{chain="56"} 1',
    'launchpad_endpoints_answer{chain="97"} 0',
  ]);
});

test("without a database a process is not ready, and that is all it knows", async () => {
  expect(await linesOf(databaseAway)).toEqual(["launchpad_ready 0"]);
});
