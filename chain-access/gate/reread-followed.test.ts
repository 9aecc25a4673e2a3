import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import type { Anvil } from "../../test/chain/anvil.ts";
import { startFork } from "../../test/chain/anvil-fork.ts";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../../test/chain/launchpad-chain.ts";
import { onlyInLongRun } from "../../test/run/long-run.ts";
import { createDatabase } from "../../test/service/database.ts";
import { startFillingGate, storedRows } from "../fixtures/filling-gate.ts";
import { eventTopics } from "../sources/events.ts";

let chain: LaunchpadChain;
/** Equals `chain` up to the end of the history, and has no events from then on. */
let fork: Anvil;
/** The last block of the history, and the last one that Ponder has followed since. */
let historyTo: number;
let followedTo: number;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  await chain.trade(5, { blocks: 20, actionsPerBlock: 4, creations: 0.1 });
  historyTo = Number(await chain.head());
  fork = await startFork(chain);
  await fork.testClient.mine({ blocks: 100 });
  await chain.trade(6, { blocks: 20, actionsPerBlock: 4, creations: 0.1 });
  followedTo = Number(await chain.head());
  await chain.testClient.mine({ blocks: 40 });
});

afterAll(async () => {
  await fork?.stop();
  await chain?.stop();
});

/** A database as Ponder leaves it that has followed the chain from the end of its history. */
async function followedDatabase({ onTestFinished }: TestContext) {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const { query } = database;
  const filling = startFillingGate({ chain, database, rpcUrls: [chain.rpcUrl] });
  await filling.fill(followedTo);
  await filling.stop();
  const { tokenFactory, launchpad } = chain.deployment;
  await query("delete from ponder_sync.stored_windows");
  await query("update offchain.chain_coverage set blocks = int8multirange(int8range(0, $1))", [
    historyTo + 1,
  ]);
  for (const factory of [tokenFactory, launchpad])
    await query("insert into ponder_sync.intervals values ($1, 56, nummultirange(numrange(0, $2, '[]')))", [
      `factory_log_56_${factory.toLowerCase()}_`,
      followedTo + 1,
    ]);

  /** Starts a gate, and what Ponder requests first when it follows the chain. */
  function follow(rpcUrls: string[]) {
    const gate = startFillingGate({ chain, database, rpcUrls, rereadMs: 50 });
    onTestFinished(() => gate.stop());
    return { ...gate, begin: () => gate.request("eth_getBlockByNumber", ["latest", true]) };
  }
  const untilCovered = async (to = followedTo) => {
    const covered = async () =>
      (await query<{ to: number }>("select upper(blocks)::int - 1 as to from offchain.chain_coverage"))[0]
        ?.to;
    await expect.poll(covered).toBe(to);
  };
  /** Deletes the first followed log of an event, and returns its block. */
  const lose = async (topic: string) => {
    const [lost] = await query<{ block: number }>(
      `delete from ponder_sync.logs where (block_number, log_index) = (
         select block_number, log_index from ponder_sync.logs where topic0 = $1 and block_number > $2
         order by block_number, log_index limit 1) returning block_number::int as block`,
      [topic, historyTo],
    );
    return lost?.block ?? Number.NaN;
  };
  /** Starts endpoints that answer this late. */
  const startEndpoints = (...latencies: number[]) =>
    Promise.all(
      latencies.map(async (latencyMs) => {
        const endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl, latencyMs });
        onTestFinished(() => endpoint.stop());
        return endpoint;
      }),
    );
  const requests = () =>
    query<{ cause: string; from_block: number }>(
      "select cause, from_block::int from offchain.repair_request order by id",
    );
  const rows = () => storedRows(database);
  return { ...database, rows, follow, untilCovered, lose, startEndpoints, requests };
}

test("blocks that were followed without a loss are covered after a few requests", async (context) => {
  const { follow, untilCovered, rows, startEndpoints, requests } = await followedDatabase(context);
  const [endpoint] = (await startEndpoints(0)) as [EmulatedEndpoint];
  const before = await rows();
  const { begin, lines, losses } = follow([endpoint.url]);
  await begin();
  await untilCovered();
  expect(await rows()).toEqual(before);
  expect([losses(), lines]).toEqual([0, []]);
  expect(await requests()).toEqual([]);
  const ranges = endpoint.counts.byMethod().eth_getLogs?.elements ?? 0;
  expect(ranges).toBeLessThan(10);
});

test("logs that a single answer lacked are stored, a repair is requested, and Ponder asks again for a token's creation", async (context) => {
  const { query, follow, untilCovered, rows, lose, requests } = await followedDatabase(context);
  const complete = await rows();
  const lost = [await lose(eventTopics.transfer), await lose(eventTopics.tokenCreated)];
  const { begin, lines, losses } = follow([chain.rpcUrl]);
  await begin();
  await untilCovered();
  await expect.poll(losses).toBe(2);
  expect(await rows()).toEqual(complete);
  expect(lines).toEqual([
    expect.stringMatching(
      /^history: blocks \d+ to \d+, which were followed, had 2 missing logs and 0 logs that/,
    ),
  ]);
  expect(await requests()).toEqual([{ cause: "loss", from_block: Math.min(...lost) }]);
  const holes = await query("select 1 from ponder_sync.intervals where not blocks @> $1::numeric", [
    followedTo,
  ]);
  expect(holes).toHaveLength(2);
});

test.for([2, 3])(
  "of %s endpoints, one leaves a log out of every answer, when its block is new and later: the others find it",
  async (count, context) => {
    const { follow, untilCovered, rows, query, startEndpoints } = await followedDatabase(context);
    const complete = await rows();
    const [lost] = await query<{ block: number; index: number }>(
      `delete from ponder_sync.logs where (block_number, log_index) = (
       select block_number, log_index from ponder_sync.logs where topic0 = $1 and block_number > $2 limit 1)
     returning block_number::int as block, log_index as index`,
      [eventTopics.transfer, historyTo],
    );
    // The first one answers soonest.
    const endpoints = await startEndpoints(...[0, 20, 20].slice(0, count));
    endpoints[0]?.set({
      losesLog: ({ blockNumber, logIndex }) =>
        Number(blockNumber) === lost?.block && Number(logIndex) === lost.index,
    });
    const { begin, losses } = follow(endpoints.map(({ url }) => url));
    await begin();
    await untilCovered();
    await expect.poll(losses).toBe(1);
    expect(await rows()).toEqual(complete);
  },
);

test("a log that the chain does not have is deleted, and a repair is requested", async (context) => {
  const { query, follow, untilCovered, rows, requests } = await followedDatabase(context);
  const complete = await rows();
  const moved = await query(
    `update ponder_sync.logs set log_index = log_index + 900
     where topic0 = $1 and block_number = (select max(block_number) from ponder_sync.logs where topic0 = $1)
     returning 1`,
    [eventTopics.trade],
  );
  const { begin, losses } = follow([chain.rpcUrl]);
  await begin();
  await untilCovered();
  await expect.poll(losses).toBe(2 * moved.length);
  expect(await rows()).toEqual(complete);
  expect(await requests()).toMatchObject([{ cause: "loss" }]);
});

test("a stored log that answers about ranges lack stays if its block has it", async (context) => {
  const { follow, untilCovered, rows, startEndpoints, requests } = await followedDatabase(context);
  const complete = await rows();
  const [endpoint] = (await startEndpoints(0)) as [EmulatedEndpoint];
  endpoint.set({
    losesLog: ({ topics, blockNumber }, isOfOneBlock) =>
      !isOfOneBlock && topics[0] === eventTopics.transfer && Number(blockNumber) > historyTo,
  });
  const { begin, losses } = follow([endpoint.url]);
  await begin();
  await untilCovered();
  expect(losses()).toBe(0);
  expect(await rows()).toEqual(complete);
  expect(await requests()).toEqual([]);
});

onlyInLongRun(() => {
  test("while the chain has replaced final blocks, nothing is corrected, and the repair is that of a deep reorg", async (context) => {
    const { follow, rows, startEndpoints, requests } = await followedDatabase(context);
    const before = await rows();
    const [endpoint] = (await startEndpoints(0)) as [EmulatedEndpoint];
    const { begin, request, losses } = follow([endpoint.url]);
    // Before the first reading, the endpoint has been found to be of our chain.
    await request("eth_getBlockByNumber", ["latest", false]);
    endpoint.set({ upstream: fork.rpcUrl });
    begin().catch(() => {});
    await expect.poll(requests, { timeout: 60_000 }).toMatchObject([{ cause: "reorg" }]);
    expect(losses()).toBe(0);
    expect(await rows()).toEqual(before);
  });
});

test("windows of a few followed blocks are counted as one, and each costs both endpoints two requests", async (context) => {
  const { query, follow, untilCovered, startEndpoints } = await followedDatabase(context);
  const setFollowed = (to: number) =>
    query(
      "update ponder_sync.intervals set blocks = nummultirange(numrange(0, $1, '[]')) where chain_id = 56",
      [to + 1],
    );
  const middle = Math.floor((historyTo + followedTo) / 2);
  await setFollowed(middle);
  const endpoints = await startEndpoints(0, 0);
  const { begin } = follow(endpoints.map(({ url }) => url));
  await begin();
  await untilCovered(middle);
  for (const { counts } of endpoints) counts.reset();
  await setFollowed(followedTo);
  await untilCovered();
  // The contracts', and those of tokens and pairs.
  expect(endpoints.map(({ counts }) => counts.byMethod().eth_getLogs?.elements)).toEqual([2, 2]);
  const windows = await query(
    `select first_block::int, last_block::int, logs = (
       select count(*) from ponder_sync.logs where block_number between first_block and last_block) as is_right
     from ponder_sync.stored_windows`,
  );
  expect(windows).toEqual([{ first_block: historyTo + 1, last_block: followedTo, is_right: true }]);
});

test("an endpoint that loses logs when blocks are read again is no reason for a report", async (context) => {
  const { follow, untilCovered, rows, startEndpoints } = await followedDatabase(context);
  const complete = await rows();
  const endpoints = await startEndpoints(0, 0, 0);
  // Plain transfers between traders are missed by nothing else.
  endpoints[0]?.set({
    losesLog: ({ topics, blockNumber }) =>
      topics[0] === eventTopics.transfer && Number(blockNumber) > historyTo,
  });
  const { begin, losses } = follow(endpoints.map(({ url }) => url));
  await begin();
  await untilCovered();
  expect(losses()).toBe(0);
  expect(await rows()).toEqual(complete);
});
