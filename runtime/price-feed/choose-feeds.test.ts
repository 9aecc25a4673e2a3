import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { ChainSettings } from "../../config/env.ts";
import { type Anvil, startAnvil } from "../../test/chain/anvil.ts";
import { startPriceFeed, type TestFeed } from "../../test/chain/price-feed.ts";
import { type RpcGate, startRpcGate } from "../../test/doubles/rpc-gate.ts";
import { until } from "../../test/service/condition.ts";
import { createDatabase, type TestDatabase } from "../../test/service/database.ts";
import { chooseFeeds } from "./choose-feeds.ts";
import { resolveChainFeeds } from "./resolve-feed.ts";
import { watchFeeds } from "./watch-feeds.ts";

let anvil: Anvil;
let gate: RpcGate;
let feed: TestFeed;
let database: TestDatabase;
let lines: string[];
let stop: AbortController;

beforeAll(async () => {
  anvil = await startAnvil();
  gate = await startRpcGate(anvil.rpcUrl);
});
afterAll(async () => {
  await gate?.stop();
  await anvil?.stop();
});

beforeEach(async () => {
  [feed, database] = await Promise.all([startPriceFeed(anvil), createDatabase()]);
  lines = [];
  stop = new AbortController();
  gate.open();
});
afterEach(async () => {
  stop.abort();
  await database.drop();
});

function chainWith(priceFeeds: string[], rpcUrls = [gate.url]): ChainSettings {
  // Any contract passes for the launchpad here.
  const deployment = { tokenFactory: feed.proxy, launchpad: feed.proxy, startBlock: 0 };
  return { id: 56, rpcUrls, webSocketUrls: [], priceFeeds, ...deployment } as unknown as ChainSettings;
}

function options(chain: ChainSettings, schema = "onchain") {
  const log = (line: string) => void lines.push(line);
  return {
    chains: [chain],
    databaseUrl: database.url,
    schema,
    signal: stop.signal,
    log,
    firstPauseMs: 20,
  };
}

const choose = async (chain: ChainSettings, schema?: string) =>
  (await chooseFeeds(options(chain, schema))).get(56);

/** Creates what Ponder creates when it starts to index into a schema. */
const begin = (schema = "onchain") =>
  database.query(`create schema ${schema}; create table ${schema}._ponder_checkpoint ()`);

test("without a feed there is nothing to choose, and no endpoint is called", async () => {
  gate.close();
  expect(await chooseFeeds(options(chainWith([])))).toEqual(new Map());
  expect(gate.refused()).toBe(0);
});

test("a schema keeps the contracts that it was started with; a new one starts with the current ones", async () => {
  const chain = chainWith([feed.proxy]);
  expect(await choose(chain)).toEqual([feed.aggregator]);
  await begin();
  const second = await feed.nextPhase();
  expect(await choose(chain)).toEqual([feed.aggregator]);
  gate.close();
  expect(await choose(chain)).toEqual([feed.aggregator]);
  gate.open();
  expect(await choose(chain, "onchain_2")).toEqual([feed.aggregator, second].sort());
  expect(lines).toEqual([]);
});

test("a schema that was dropped starts with the current contracts", async () => {
  const chain = chainWith([feed.proxy]);
  await choose(chain);
  await begin();
  const second = await feed.nextPhase();
  await database.query("drop schema onchain cascade");
  expect(await choose(chain)).toEqual([feed.aggregator, second].sort());
  await begin();
  await feed.nextPhase();
  expect(await choose(chain)).toEqual([feed.aggregator, second].sort());
});

test("the order in which feeds are configured makes no difference", async () => {
  const other = await startPriceFeed(anvil);
  const chosen = await choose(chainWith([feed.proxy, other.proxy, other.aggregator]));
  expect(chosen).toEqual([feed.aggregator, other.aggregator].sort());
  await begin();
  await other.nextPhase();
  expect(await choose(chainWith([other.aggregator, other.proxy, feed.proxy]))).toEqual(chosen);
});

test("if an endpoint is down the next one is called, or else it is waited for", async () => {
  gate.close();
  expect(await choose(chainWith([feed.proxy], [gate.url, anvil.rpcUrl]))).toEqual([feed.aggregator]);

  const chosen = choose(chainWith([feed.proxy]), "onchain_2");
  await until("a few requests that fail", async () => gate.refused() > 5);
  expect(lines).toEqual([
    expect.stringMatching(/^no endpoint of PONDER_RPC_URL_56 .+ BNB_USD_FEED_ADDRESS_56: waiting for one/),
  ]);
  gate.open();
  expect(await chosen).toEqual([feed.aggregator]);
});

test("an abort ends the waiting", async () => {
  gate.close();
  const chosen = choose(chainWith([feed.proxy])).catch((error: unknown) => error);
  await until("a request that fails", async () => gate.refused() > 0);
  stop.abort();
  expect(await chosen).toMatchObject({ name: "AbortError" });
});

test("an endpoint of another chain is refused", async () => {
  const other = await startAnvil({ chainId: 97 });
  const foreign = await startPriceFeed(other);
  const chain = chainWith([foreign.proxy], [other.rpcUrl]);
  await expect(chooseFeeds(options(chain))).rejects.toThrow("the endpoint serves chain 97, and 56 is needed");
  await other.stop();
});

test("a new aggregator behind the proxy is reported once, with what to do", async () => {
  const chain = chainWith([feed.proxy]);
  const given = options(chain);
  const chosen = await chooseFeeds(given);
  const watching = watchFeeds({ ...given, chosen, resolve: resolveChainFeeds, pauseMs: 20 });
  const second = await feed.nextPhase();
  await until("a report", async () => lines.length > 0);
  const third = await feed.nextPhase();
  await until("another report", async () => lines.length > 1);
  stop.abort();
  await watching;
  expect(lines).toEqual([
    expect.stringContaining(`new aggregator, ${second}, that the schema onchain was not started with`),
    expect.stringContaining(`new aggregator, ${third}, that`),
  ]);
});

test("watching survives an endpoint that is down, and ends at once if there is no feed", async () => {
  await watchFeeds({ ...options(chainWith([])), chosen: new Map(), resolve: resolveChainFeeds });
  const given = options(chainWith([feed.proxy]));
  const chosen = await chooseFeeds(given);
  gate.close();
  const watching = watchFeeds({ ...given, chosen, resolve: resolveChainFeeds, pauseMs: 20 });
  await until("a few requests that fail", async () => gate.refused() > 3);
  const second = await feed.nextPhase();
  gate.open();
  await until("a report", async () => lines.length > 0);
  expect(lines[0]).toContain(second);
  stop.abort();
  await watching;
});
