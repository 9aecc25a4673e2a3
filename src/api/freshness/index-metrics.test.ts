import { expect, test } from "vitest";
import { readIndexMetrics } from "./index-metrics.ts";
import { databaseUnavailable, type Readiness } from "./ready.ts";

const linesOf = async (readiness: Readiness, maxLagSeconds = 0) =>
  (await readIndexMetrics(async () => readiness, maxLagSeconds))
    .split("\n")
    .filter((line) => !/^(#|$)/.test(line));

test("a ready process reports the index by chain, and leaves out unknown values", async () => {
  const at = { chainId: 56, block: 7, headBlock: 9, lagBlocks: 2, lagSeconds: 1, endpointsAnswer: true };
  const starting = { chainId: 97, block: null, headBlock: null, lagBlocks: null, lagSeconds: null };
  const chains = [at, { ...starting, endpointsAnswer: false }];
  expect(await linesOf({ ready: true, writer: "gone", chains })).toEqual([
    "launchpad_ready 1",
    "launchpad_writer_live 0",
    'launchpad_index_block{chain="56"} 7',
    'launchpad_index_lag_blocks{chain="56"} 2',
    'launchpad_index_lag_seconds{chain="56"} 1',
    "launchpad_index_lag_max_seconds 60",
    'launchpad_endpoints_answer{chain="56"} 1',
    'launchpad_endpoints_answer{chain="97"} 0',
  ]);
});

test("a process that reads from a replica reports its lag, unless the replica is unavailable", async () => {
  const replica = { readsFrom: "replica", state: "following", lagBytes: 4_096, lagSeconds: 2 } as const;
  const away = { readsFrom: "primary", state: "away", lagBytes: null, lagSeconds: null } as const;
  const index = { ready: true, writer: "live", chains: [] } as const;
  const ofReplica = async (readiness: Readiness) =>
    (await linesOf(readiness)).filter((line) => line.startsWith("launchpad_replica"));
  expect(await ofReplica({ ...index, chains: [], replica })).toEqual([
    "launchpad_replica_following 1",
    "launchpad_replica_read 1",
    "launchpad_replica_lag_bytes 4096",
    "launchpad_replica_lag_seconds 2",
  ]);
  expect(await ofReplica({ ...index, chains: [], replica: away })).toEqual([
    "launchpad_replica_following 0",
    "launchpad_replica_read 0",
  ]);
  expect(await ofReplica({ ...index, chains: [] })).toEqual([]);
});

test("without a database, a process only reports that it isn't ready, and its settings", async () => {
  expect(await linesOf(databaseUnavailable, 300)).toEqual([
    "launchpad_ready 0",
    "launchpad_index_lag_max_seconds 300",
  ]);
});
