import { createRequire } from "node:module";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import pg from "pg";
import { type Address, encodeAbiParameters, encodeEventTopics, formatEther, getAddress } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { priceFeedAbi } from "../../abis/PriceFeed.ts";
import type { ChainSettings } from "../../config/env.ts";
import { createModerationStore } from "../../offchain/moderation-store.ts";
import { createDexAddresses } from "../../src/api/aggregators/shared/dex-addresses.ts";
import { createChainClients } from "../../src/api/chain/chain-client.ts";
import { createPool, openDatabase } from "../../src/api/database/database.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { deployLogEmitter, type LogEmitter } from "../chain/log-emitter.ts";
import {
  expectedHistoricalTrades,
  expectedJoinOrExit,
  expectedSwap,
  expectedTicker,
} from "../reference-market/expected-aggregators.ts";
import { expectedMarket } from "../reference-market/expected-market.ts";
import { type LoggedTrade, tradesInLogs } from "../reference-market/market-logs.ts";
import {
  assetResponse,
  eventsResponse,
  historicalTradesResponse,
  latestBlockResponse,
  pairResponse,
  tickersResponse,
} from "../service/aggregator-schemas.ts";
import { until } from "../service/condition.ts";
import { testSchema } from "../service/indexer.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type Service, startService } from "../service/service.ts";

/** Ponder treats a block as final once 30 to 60 more blocks were mined on top of it. */
const blocksUntilFinal = 61;
const bnbUsd = 612.5;
const adapter = "/api/dexscreener";

const hostileNames: [name: string, symbol: string, shownName: RegExp, shownSymbol: RegExp][] = [
  ["\u0001\u0002", "\u0003", /^0x\w{4}\.\.\.\w{4}$/, /^0x\w{4}\.\.\.\w{4}$/],
  ["\u200b\u202e\u2066", "ZERO", /^ZERO$/, /^ZERO$/],
  ["  Spaced \t out \n", " \u3164 ", /^Spaced out$/, /^Spaced out$/],
  ["\u2800\u2800", "\u202egnp", /^gnp$/, /^gnp$/],
  ["x".repeat(61), "LONG", /^x{61}$/, /^LONG$/],
  ["Right", "TWO WORDS", /^Right$/, /^TWO WORDS$/],
];

let chain: LaunchpadChain;
let feed: LogEmitter;
let service: Service;
let rest: RestClient;
let onCurve: Address;
let onDex: Address;
let untraded: Address;
let untradedOnDex: Address;
const hostile: Address[] = [];

/** Mines until everything now on the chain is final, and waits until the index knows. */
async function finalize(): Promise<number> {
  const head = Number(await chain.head());
  return await until(`block ${head} to be final`, async () => {
    await chain.testClient.mine({ blocks: blocksUntilFinal });
    // Only blocks with an event count, so make sure there is one.
    await chain.transfer(chain.traders[0], untraded, chain.traders[1], 0n);
    await service.indexer.untilIndexed(56, await chain.head());
    const { blockNumber } = (await rest.get(`${adapter}/latest-block`)).body.block;
    return blockNumber >= head && blockNumber;
  });
}

beforeAll(async () => {
  chain = await startLaunchpadChain();
  const [creator, buyer, other] = chain.traders;
  await chain.trade(11, { blocks: 25, actionsPerBlock: 8, creations: 0.02 });
  feed = await deployLogEmitter(chain);
  await feed.emit([
    {
      topics: encodeEventTopics({
        abi: priceFeedAbi,
        eventName: "AnswerUpdated",
        args: { current: BigInt(bnbUsd * 1e8), roundId: 1n },
      }) as `0x${string}`[],
      data: encodeAbiParameters([{ type: "uint256" }], [0n]),
    },
  ]);
  onCurve = await chain.create(creator, "On the curve", "CURVE", 40);
  onDex = await chain.create(creator, "On the DEX", "DEX", 30);
  untraded = await chain.create(creator, "Untraded", "NONE");
  untradedOnDex = await chain.create(creator, "Untraded on the DEX", "QUIET");
  for (const [name, symbol] of hostileNames) hostile.push(await chain.create(creator, name, symbol));
  for (const token of hostile) await chain.buy(buyer, token, 10n ** 15n);
  for (const token of [onDex, untradedOnDex]) await chain.buy(buyer, token, graduatingAmount);
  const pair = await chain.pairOf(onDex);
  // Two days, so that 24-hour windows begin and end amid trades, some of them within minutes of each other.
  for (let step = 1; step <= 30; step++) {
    await chain.testClient.increaseTime({ seconds: step % 5 === 0 ? 37 : 7_411 });
    const amount = BigInt(step) * 10n ** 13n;
    await chain.buy(step % 2 === 0 ? buyer : other, onCurve, amount);
    if (step % 3 === 0) await chain.sell(buyer, onCurve, (await chain.balanceOf(onCurve, buyer)) / 3n);
    if (step % 4 === 0) await chain.buyOnDex(other, onDex, amount);
    if (step % 7 === 0) await chain.sellOnDex(other, onDex, (await chain.balanceOf(onDex, other)) / 2n);
    if (step % 9 === 0) await chain.addLiquidity(buyer, onDex, 10n ** 24n, amount);
    if (step % 10 === 0)
      await chain.removeLiquidity(buyer, onDex, pair, (await chain.balanceOf(pair, buyer)) / 2n);
  }
  await chain.testClient.mine({ blocks: blocksUntilFinal });
  service = await startService([chain], { env: { BNB_USD_FEED_ADDRESS_56: feed.address } });
  await service.indexer.untilReady();
  await service.indexer.untilIndexed(56, await chain.head());
  rest = await createRestClient(service.indexer.url);
});

afterAll(async () => {
  await service?.stop();
  await chain?.stop();
});

const latestBlock = async (): Promise<number> =>
  latestBlockResponse.parse((await rest.get(`${adapter}/latest-block`)).body).block.blockNumber;

async function eventsOf(fromBlock: number, toBlock: number) {
  const { status, body } = await rest.get(`${adapter}/events?fromBlock=${fromBlock}&toBlock=${toBlock}`);
  expect(status).toBe(200);
  return eventsResponse.parse(body).events;
}

const tickerOf = (token: string) => `${token}_${chain.deployment.wbnb}`.toLowerCase();

async function historicalTrades(query: string) {
  const { status, body } = await rest.get(`/api/coingecko/historical_trades?${query}`);
  expect(status).toBe(200);
  return historicalTradesResponse.parse(body);
}

async function tickers(query = "") {
  const { status, body } = await rest.get(`/api/coingecko/tickers?${query}`);
  expect(status).toBe(200);
  return tickersResponse.parse(body);
}

describe("DEX Screener", () => {
  test("the latest block is a final block of the chain", async () => {
    const { block } = latestBlockResponse.parse((await rest.get(`${adapter}/latest-block`)).body);
    const { timestamp } = await chain.publicClient.getBlock({ blockNumber: BigInt(block.blockNumber) });
    expect(block.blockTimestamp).toBe(Number(timestamp));
    expect(block.blockNumber).toBeLessThanOrEqual(Number(await chain.head()) - 30);
    expect(block.blockNumber).toBeGreaterThan(0);
  });

  test("consecutive ranges contain every trade and liquidity change exactly once, as in the chain's logs", async () => {
    const last = await latestBlock();
    const found: unknown[] = [];
    for (let from = 0, size = 1; from <= last; from += size, size = (size * 2) % 37) {
      found.push(...(await eventsOf(from, Math.min(from + size - 1, last))));
    }
    const trades = await tradesInLogs(chain, BigInt(last));
    expect(trades.filter(({ pair, token }) => pair !== token).length).toBeGreaterThan(5);
    expect(trades.length).toBeGreaterThan(100);
    const { liquidity } = await expectedMarket(chain);
    const changes = liquidity.filter(({ event }) => event.block <= BigInt(last)).map(expectedJoinOrExit);
    expect(changes.map(({ eventType }) => eventType)).toEqual(expect.arrayContaining(["join", "exit"]));
    const expected = [...trades.map(expectedSwap), ...changes].sort(
      (left, right) => left.block.blockNumber - right.block.blockNumber || left.eventIndex - right.eventIndex,
    );
    expect(found).toEqual(expected);
    expect(await eventsOf(0, last)).toEqual(found);
  });

  test("every pair named in events, and each of its assets, exists and has a name", async () => {
    const events = await eventsOf(0, await latestBlock());
    const joined = events.filter(({ eventType }) => eventType === "join").map((event) => event.pairId);
    expect(joined).toContain(getAddress(await chain.pairOf(onDex)));
    const { launchpad, dexFactory, wbnb } = chain.deployment;
    for (const pairId of new Set(events.map((event) => event.pairId))) {
      const { pair } = pairResponse.parse((await rest.get(`${adapter}/pair?id=${pairId}`)).body);
      const isCurve = pair.asset0Id === pairId;
      expect(pair).toMatchObject({
        id: pairId,
        dexKey: getAddress(isCurve ? launchpad : dexFactory),
        asset1Id: getAddress(wbnb),
      });
      expect(pair.feeBps).toBe(isCurve ? 0 : undefined);
      expect(pair.metadata?.name).toMatch(/^.+\/WBNB$/);
      for (const id of [pair.asset0Id, pair.asset1Id]) {
        const { asset } = assetResponse.parse((await rest.get(`${adapter}/asset?id=${id}`)).body);
        expect(asset.id).toBe(id);
      }
      const receipt = await chain.publicClient.getTransactionReceipt({
        hash: pair.createdAtTxnId as `0x${string}`,
      });
      expect(Number(receipt.blockNumber)).toBe(pair.createdAtBlockNumber);
      const first = events.find((event) => event.pairId === pairId);
      expect(first?.block.blockNumber).toBeGreaterThanOrEqual(pair.createdAtBlockNumber ?? 0);
    }
  });

  test.each(hostileNames.map(([name, symbol, ...shown], index) => ({ name, symbol, shown, index })))(
    "a token named $name ($symbol) has a name to show",
    async ({ shown, index }) => {
      const { asset } = assetResponse.parse((await rest.get(`${adapter}/asset?id=${hostile[index]}`)).body);
      expect(asset.name).toMatch(shown[0] as RegExp);
      expect(asset.symbol).toMatch(shown[1] as RegExp);
    },
  );

  test("ids are found in upper and lower case; unknown ones are not", async () => {
    const { wbnb } = chain.deployment;
    for (const id of [onDex.toLowerCase(), getAddress(onDex)]) {
      expect((await rest.get(`${adapter}/asset?id=${id}`)).body.asset.id).toBe(getAddress(onDex));
    }
    expect((await rest.get(`${adapter}/asset?id=${wbnb.toLowerCase()}`)).body.asset).toEqual({
      id: getAddress(wbnb),
      name: "Wrapped BNB",
      symbol: "WBNB",
    });
    const unknown = `0x${"12".repeat(20)}`;
    for (const [path, code] of [
      [`asset?id=${unknown}`, "token_not_found"],
      [`pair?id=${unknown}`, "pair_not_found"],
      [`pair?id=${wbnb}`, "pair_not_found"],
    ]) {
      const { status, body } = await rest.get(`${adapter}/${path}`);
      expect([status, body.code]).toEqual([404, code]);
    }
  });

  test("a range beyond the last final block is refused with an error that names that block", async () => {
    const last = await latestBlock();
    const { status, body } = await rest.get(`${adapter}/events?fromBlock=${last}&toBlock=${last + 1}`);
    expect([status, body.code]).toEqual([409, "block_not_final"]);
    expect(body.detail).toContain(String(last));
  });

  test.each([
    ["fromBlock=5&toBlock=4", "fromBlock"],
    ["fromBlock=0&toBlock=10000", "toBlock"],
    ["fromBlock=0", "toBlock"],
    ["toBlock=4", "fromBlock"],
    ["fromBlock=-1&toBlock=4", "fromBlock"],
    ["fromBlock=0x1&toBlock=4", "fromBlock"],
    ["fromBlock=1&toBlock=4&toBlock=5", "toBlock"],
  ])("events?%s: 400", async (query, path) => {
    const { status, body } = await rest.get(`${adapter}/events?${query}`);
    expect([status, body.code, body.errors[0].path]).toEqual([400, "invalid_request", path]);
    expect(body.detail).not.toContain("Invalid input");
  });

  test("more events than one batch holds come in one answer", async () => {
    const count = 2_345;
    // Ponder's triggers would record each row for a reorg.
    await service.database.query(`
        begin; set local session_replication_role = replica;
        with sample as (select * from onchain.trade where token = '${onCurve.toLowerCase()}' limit 1)
        insert into onchain.trade (chain_id, id, token, trader, venue, side, bnb_amount_wei, token_amount_raw, price_bnb_x36, block,
            timestamp, tx, tx_index, log_index, bnb_reserves_wei, token_reserves_raw, buys_to_date, sells_to_date,
            volume_to_date_wei, volume_to_date_usd_x18, launchpad_buys_to_date, launchpad_sells_to_date,
            launchpad_volume_to_date_wei, launchpad_volume_to_date_usd_x18)
          select chain_id, '000000000000-' || lpad(n::text, 6, '0'), token, trader, venue,
            (case when n % 2 = 0 then 'buy' else 'sell' end)::onchain.trade_side,
            case when n = 7 then 0 else 1 end, case when n = 8 then 0 else n + 1 end, 1, 0, 1000000000, tx, 0, n, 1, 1,
            n / 2 + 1, (n + 1) / 2, 0, 0, 0, 0, 0, 0
          from sample, generate_series(0, ${count - 1}) n;
        commit`);
    const events = await eventsOf(0, 0);
    expect(events.map(({ eventIndex }) => eventIndex)).toEqual(
      Array.from({ length: count }, (_, index) => index).filter((index) => index !== 7 && index !== 8),
    );
    const trades = await historicalTrades(`ticker_id=${tickerOf(onCurve)}&limit=0&end_time=1000000000`);
    expect(trades.buy.map(({ trade_id }) => trade_id)).toEqual(
      events.flatMap(({ eventIndex }) => (eventIndex % 2 === 0 ? [eventIndex] : [])).reverse(),
    );
    expect([...trades.buy, ...trades.sell]).toHaveLength(count - 2);
    await service.database.query(`
      begin; set local session_replication_role = replica; delete from onchain.trade where block = 0; commit`);
    expect(await eventsOf(0, 0)).toEqual([]);
  });

  test("trades and liquidity changes that exceed one batch come in the chain's order", async () => {
    const [trades, changes] = [1_100, 2_300];
    await service.database.query(`
        begin; set local session_replication_role = replica;
        create temp table sample on commit drop as
          select * from onchain.trade where token = '${onDex.toLowerCase()}' and venue = 'dex' limit 1;
        create temp table change on commit drop as
          select * from onchain.liquidity_change where token = '${onDex.toLowerCase()}' limit 1;
        update sample set block = 0; update change set block = 0;
        insert into onchain.trade select (jsonb_populate_record(sample, jsonb_build_object(
            'log_index', 3 * n, 'id', '000000000000-' || lpad((3 * n)::text, 6, '0')))).*
          from sample, generate_series(0, ${trades - 1}) n;
        insert into onchain.liquidity_change select (jsonb_populate_record(change, jsonb_build_object(
            'log_index', 3 * n + 1, 'id', '000000000000-' || lpad((3 * n + 1)::text, 6, '0')))).*
          from change, generate_series(0, ${changes - 1}) n;
        commit`);
    const events = await eventsOf(0, 0);
    expect(events.map(({ eventIndex, eventType }) => [eventIndex, eventType])).toEqual(
      Array.from({ length: changes }, (_, n) => [
        ...(n < trades ? [[3 * n, "swap"]] : []),
        [3 * n + 1, "join"],
      ]).flat(),
    );
    for (const table of ["trade", "liquidity_change"]) {
      await service.database.query(`
        begin; set local session_replication_role = replica; delete from onchain.${table} where block = 0; commit`);
    }
    expect(await eventsOf(0, 0)).toEqual([]);
  });
});

describe("CoinGecko", () => {
  test("tickers cover the tokens traded in the last 24 hours, as in the chain's logs", async () => {
    const found = await tickers();
    const trades = await tradesInLogs(chain, BigInt(await latestBlock()));
    const { timestamp } = await chain.publicClient.getBlock();
    const now = Number(timestamp);
    const recent = trades.filter((trade) => trade.timestamp > now - 24 * 60 * 60);
    expect(new Set(found.map((ticker) => ticker.base_currency))).toEqual(
      new Set(recent.map(({ token }) => token.toLowerCase())),
    );
    for (const [token, burnPercent] of [
      [onCurve, 40n],
      [onDex, 30n],
    ] as const) {
      const own = trades.filter((trade) => trade.token === getAddress(token));
      expect(own.length).toBeGreaterThan(own.filter((trade) => recent.includes(trade)).length);
      expect(found.find((ticker) => ticker.ticker_id === tickerOf(token))).toMatchObject({
        base_currency: token.toLowerCase(),
        target_currency: chain.deployment.wbnb.toLowerCase(),
        ...expectedTicker(own, now, burnPercent),
      });
    }
  });

  test("liquidity is what can be traded against, valued in USD", async () => {
    // The last that happened to the one pair is removed liquidity, to the other the graduation.
    for (const token of [onDex, untradedOnDex]) {
      const pair = await chain.pairOf(token);
      const bnb = Number(formatEther(await chain.balanceOf(chain.deployment.wbnb, pair)));
      const [dex] = await tickers(`ticker_id=${tickerOf(token)}`);
      expect(dex?.pool_id).toBe(pair.toLowerCase());
      expect(Number(dex?.liquidity_in_usd)).toBeCloseTo(2 * bnb * bnbUsd, 6);
    }
    // 60 % of the supply: 0.1 BNB and 9/5 of it are the reserves that the curve begins with, 3/5 are for sale.
    const trades = await tradesInLogs(chain, BigInt(await latestBlock()));
    const last = trades.findLast((trade) => trade.token === getAddress(onCurve));
    const { bnbReserves, tokenReserves } = last as LoggedTrade;
    const paidIn = Number(formatEther(bnbReserves)) - 0.1;
    const left = Number(formatEther(tokenReserves)) - 1e9 * 0.6 * (9 / 5 - 3 / 5);
    const price = Number(formatEther(bnbReserves)) / Number(formatEther(tokenReserves));
    const [curve] = await tickers(`ticker_id=${tickerOf(onCurve)}`);
    expect(Number(curve?.liquidity_in_usd)).toBeCloseTo((paidIn + left * price) * bnbUsd, 6);
  });

  test("tickers come in pages, and a ticker not traded for 24 hours is still found by its id", async () => {
    const all = await tickers();
    expect(await tickers("limit=1")).toEqual(all.slice(0, 1));
    expect(await tickers("limit=1&page=2")).toEqual(all.slice(1, 2));
    expect(await tickers(`limit=1&page=${all.length + 1}`)).toEqual([]);
    // Whoever reads up to an empty page gets there, whatever the limit.
    for (const page of [101, 100_000]) expect(await tickers(`limit=1&page=${page}`)).toEqual([]);
    const [token] = hostile as [Address];
    expect(all.map(({ ticker_id }) => ticker_id)).not.toContain(tickerOf(token));
    const [quiet] = await tickers(`ticker_id=${tickerOf(token)}`);
    expect([quiet?.base_volume, quiet?.target_volume]).toEqual(["0", "0"]);
    expect([quiet?.high, quiet?.low]).toEqual([quiet?.last_price, quiet?.last_price]);
    expect(await tickers(`ticker_id=${tickerOf(token)}&page=2`)).toEqual([]);
    expect(await tickers(`ticker_id=${tickerOf(untraded)}`)).toEqual([]);
  });

  test("a ticker's trades match the chain's logs", async () => {
    const trades = (await tradesInLogs(chain, BigInt(await latestBlock()))).reverse();
    for (const token of [onCurve, onDex]) {
      const own = trades.filter((trade) => trade.token === getAddress(token));
      const id = `ticker_id=${tickerOf(token)}`;
      const all = expectedHistoricalTrades(own);
      expect(await historicalTrades(id)).toEqual(all);
      expect(await historicalTrades(`${id}&limit=0`)).toEqual(all);
      expect(await historicalTrades(`${id}&limit=5`)).toEqual(expectedHistoricalTrades(own.slice(0, 5)));
      expect(await historicalTrades(`${id}&type=sell&limit=0`)).toEqual({ ...all, buy: [] });
      expect(await historicalTrades(`${id}&type=buy`)).toEqual({ ...all, sell: [] });
      const [end, start] = [own[2], own[6]].map((trade) => trade?.timestamp ?? 0) as [number, number];
      const between = expectedHistoricalTrades(
        own.filter(({ timestamp }) => timestamp >= start && timestamp <= end),
      );
      expect(await historicalTrades(`${id}&start_time=${start}&end_time=${end}`)).toEqual(between);
      expect(await historicalTrades(`${id}&start_time=${start}000&end_time=${end}000`)).toEqual(between);
    }
  });

  test("the same data is served under /api", async () => {
    for (const path of ["/tickers", `/historical_trades?ticker_id=${tickerOf(onCurve)}`]) {
      const [one, other] = [await rest.get(`/api${path}`), await rest.get(`/api/coingecko${path}`)];
      expect([one.status, one.text]).toEqual([200, other.text]);
    }
    expect(Object.keys(rest.document.paths)).toEqual(
      expect.arrayContaining(
        ["/api/coingecko", "/api"].flatMap((base) => [`${base}/tickers`, `${base}/historical_trades`]),
      ),
    );
  });

  test.each([
    ["tickers?ticker_id=DEX_WBNB", 400],
    ["tickers?limit=0", 400],
    ["tickers?limit=1001", 400],
    ["tickers?page=100001", 400],
    ["historical_trades", 400],
    ["historical_trades?ticker_id=TICKER&type=swap", 400],
    ["historical_trades?ticker_id=TICKER&limit=5001", 400],
    ["historical_trades?ticker_id=TICKER&start_time=yesterday", 400],
    ["historical_trades?ticker_id=TICKER&start_time=1000000001&end_time=1000000000", 400],
    ["historical_trades?ticker_id=TICKER&start_time=1000000000500&end_time=1000000000", 400],
    [`historical_trades?ticker_id=0x${"12".repeat(20)}_WBNB`, 404],
    [`tickers?ticker_id=0x${"12".repeat(20)}_0x${"12".repeat(20)}`, 404],
  ])("%s: %i", async (path, status) => {
    const asked = path.replace("TICKER", tickerOf(onDex)).replace("WBNB", chain.deployment.wbnb);
    expect((await rest.get(`/api/coingecko/${asked}`)).status).toBe(path.includes("DEX_WBNB") ? 400 : status);
  });
});

test("a token in no final block is said to be in none, not to be missing from the index", async () => {
  const token = `0x${"12".repeat(20)}`;
  for (const path of [
    `coingecko/historical_trades?ticker_id=${token}_${chain.deployment.wbnb}`,
    `dexscreener/asset?id=${token}`,
  ]) {
    const { status, body } = await rest.get(`/api/${path}`);
    expect([path, status, body.detail]).toEqual([
      path,
      404,
      `No final block of chain 56 has a token ${token}. A new one is here as soon as its block is final.`,
    ]);
  }
});

describe("token list", () => {
  const ajv = new Ajv({ allErrors: true });
  addFormats.default(ajv);
  const schema = createRequire(import.meta.url)("@uniswap/token-lists/src/tokenlist.schema.json");
  const isTokenList = ajv.compile(schema);

  async function tokenList() {
    const { status, body, headers } = await rest.get("/api/tokenlist.json");
    expect(status).toBe(200);
    isTokenList(body);
    expect(isTokenList.errors).toBeNull();
    return { ...body, etag: headers.get("etag") ?? "" };
  }

  async function register(token: Address, changes: object): Promise<void> {
    const { status, text } = await rest.post("/api/tokens", registrationOf(token, chain.traders[0], changes));
    expect(text).toContain('"mint"');
    expect(status).toBe(201);
  }

  test("does not exist while there is no token to list", async () => {
    const { status, body } = await rest.get("/api/tokenlist.json");
    expect([status, body.code]).toEqual([404, "token_list_empty"]);
  });

  test("contains the registered tokens that its schema allows, graduated ones first", async () => {
    await register(onCurve, {
      name: "On the curve",
      symbol: "CURVE",
      burnPercent: 40,
      imageUrl: "ipfs://bafkreiabc/logo.png",
    });
    const first = await tokenList();
    expect(first.version).toEqual({ major: 1, minor: 1, patch: expect.any(Number) });
    for (const [index, [name, symbol]] of hostileNames.entries()) {
      await register(hostile[index] as Address, { name, symbol });
    }
    await register(onDex, {
      name: "On the DEX",
      symbol: "DEX",
      burnPercent: 30,
      imageUrl: "https://images.example/ein bild.png".replace(" ", "ü"),
    });
    const list = await tokenList();
    const token = (address: Address, name: string, symbol: string, more: object = {}) => ({
      chainId: 56,
      address: getAddress(address),
      decimals: 18,
      name,
      symbol,
      ...more,
      extensions: { registration: expect.any(Number) },
    });
    expect(list.tokens).toEqual([
      token(onDex, "On the DEX", "DEX", { tags: ["graduated"] }),
      token(onCurve, "On the curve", "CURVE", { logoURI: "ipfs://bafkreiabc/logo.png" }),
      ...hostileNames.flatMap(([name, symbol], index) =>
        name.length <= 60 && !/[\t\n]/.test(name) && !symbol.includes(" ")
          ? [token(hostile[index] as Address, name, symbol)]
          : [],
      ),
    ]);
    expect(list.tokens).toHaveLength(5);
    expect(list.version).toMatchObject({ major: 1, minor: 5 });
    expect(list.version.patch).toBeGreaterThan(first.version.patch);
    expect(Date.parse(list.timestamp)).toBeGreaterThanOrEqual(Date.parse(first.timestamp));
  });

  test("stays identical, on every replica, while none of its content changes", async () => {
    const before = await tokenList();
    await chain.testClient.mine({ blocks: 3 });
    expect(await tokenList()).toEqual(before);
    const { status } = await rest.get("/api/tokenlist.json", { "if-none-match": before.etag });
    expect(status).toBe(304);
    // Another process, which did not see the list evolve, derives the same list from the tables.
    Object.assign(globalThis, { PONDER_NAMESPACE_BUILD: { schema: testSchema } });
    const { createTokenList } = await import("../../src/api/wallet-list/wallet-list.ts");
    const pool = createPool({
      url: service.database.url,
      name: "other",
      connections: 1,
      statementSeconds: 10,
    });
    const other = await createTokenList(openDatabase(pool))();
    await pool.end();
    // Weak in the answer, because the test accepts compressed ones.
    expect(`W/${other?.etag}`).toBe(before.etag);
  });
});

describe("TradingView's charts", () => {
  const udf = async (pathAndQuery: string) => {
    const { status, body } = await rest.get(`/api/udf/${pathAndQuery}`);
    return { status, body };
  };
  const later = 9_999_999_999;

  test("the bars of each resolution are the token's candles, in BNB and in USD", async () => {
    const { body: config } = await udf("config");
    expect(config.supported_resolutions).toEqual(["1", "5", "15", "30", "60", "240", "1D", "1W"]);
    const intervals = ["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w"];
    for (const [index, resolution] of config.supported_resolutions.entries()) {
      const path = `/api/token/${onDex}/candles?interval=${intervals[index]}&limit=50`;
      const candles = (await rest.get(path)).body.candles as Record<string, string>[];
      for (const currency of ["Bnb", "Usd"]) {
        const column = (field: string) => candles.map((candle) => Number(candle[`${field}${currency}`]));
        const symbol = `56:${onDex}/${currency.toUpperCase()}`;
        expect(
          await udf(`history?symbol=${symbol}&resolution=${resolution}&to=${later}&countback=50`),
        ).toEqual({
          status: 200,
          body: {
            s: "ok",
            t: candles.map(({ time }) => Number(time)),
            o: column("open"),
            h: column("high"),
            l: column("low"),
            c: column("close"),
            v: column("volume"),
          },
        });
      }
    }
  });

  test("bars begin at or after `from` and before `to`; `countback` counts those before `to`", async () => {
    const history = `history?symbol=${onDex}&resolution=60`;
    const { t } = (await udf(`${history}&from=0&to=${later}`)).body as { t: number[] };
    expect(t.length).toBeGreaterThan(20);
    const [first, third, sixth] = [t[0], t[2], t[5]];
    expect((await udf(`${history}&from=${third}&to=${sixth}`)).body.t).toEqual(t.slice(2, 5));
    expect((await udf(`${history}&from=${Number(third) + 1}&to=${Number(sixth) + 1}`)).body.t).toEqual(
      t.slice(3, 6),
    );
    expect((await udf(`${history}&from=${later}&to=${sixth}&countback=2`)).body.t).toEqual(t.slice(3, 5));
    expect((await udf(`${history}&from=0&to=${first}`)).body).toEqual({ s: "no_data" });
    expect((await udf(`${history}&from=0&to=0`)).body).toEqual({ s: "no_data" });
    // Charts scroll to before 1970.
    expect((await udf(`${history}&from=-86400&to=${sixth}&countback=2`)).body.t).toEqual(t.slice(3, 5));
    expect((await udf(`${history}&from=-86400&to=${sixth}`)).body.t).toEqual(t.slice(0, 5));
    expect((await udf(`${history}&from=-86400&to=-3600&countback=2`)).body).toEqual({ s: "no_data" });
  });

  test("a token is found by name and resolves to a symbol that shows its price", async () => {
    // Registered by the tests of the token list.
    const [inBnb, inUsd] = (await udf("search?query=curve&type=crypto&exchange=56&limit=30")).body;
    expect(inBnb).toMatchObject({ symbol: "CURVE/BNB", description: "On the curve", exchange: "56" });
    expect(await udf("search?query=curve&exchange=1")).toEqual({ status: 200, body: [] });
    for (const found of [inBnb, inUsd]) {
      const { body: symbol } = await udf(`symbols?symbol=${found.ticker}`);
      expect(symbol).toMatchObject({ name: found.symbol, ticker: found.ticker, session: "24x7" });
      // As charts send what was typed.
      expect((await udf(`symbols?symbol=${found.ticker.toUpperCase()}`)).body).toEqual(symbol);
      const { c } = (await udf(`history?symbol=${found.ticker}&resolution=1D&to=${later}&countback=1`)).body;
      expect(c[0] * symbol.pricescale).toBeGreaterThanOrEqual(100_000);
      expect(c[0] * symbol.pricescale).toBeLessThan(1_000_000);
    }
  });

  test("what doesn't exist is an error in the feed's own form, too, and wrong parameters are named", async () => {
    const missing = `0x${"12".repeat(20)}`;
    for (const symbol of [missing, `97:${onDex}`, "PEPE", `${onDex}/EUR`]) {
      for (const path of ["symbols?", `history?resolution=1&to=${later}&countback=1&`]) {
        const { status, body } = await udf(`${path}symbol=${symbol}`);
        expect(status).toBe(symbol.includes("0x") && !symbol.endsWith("EUR") ? 404 : 400);
        expect([body.s, body.errmsg]).toEqual(["error", body.detail]);
      }
    }
    const { status, body } = await udf(`history?symbol=${onDex}&resolution=7&to=${later}`);
    expect([status, body.errors]).toMatchObject([400, [{ path: "resolution" }]]);
    const time = await fetch(`${service.indexer.url}/api/udf/time`);
    expect(Math.abs(Number(await time.text()) - Date.now() / 1_000)).toBeLessThan(60);
  });
});

test("a hidden token is left out of every adapter and of the token list, while its chain's events continue", async () => {
  const pool = new pg.Pool({ connectionString: service.database.url, max: 1 });
  const moderation = createModerationStore(pool);
  const last = await latestBlock();
  const findAppearances = async () => {
    const assets = await Promise.all([onCurve, onDex].map((id) => rest.get(`${adapter}/asset?id=${id}`)));
    const pair = await rest.get(`${adapter}/pair?id=${await chain.pairOf(onDex)}`);
    const trades = await rest.get(`/api/coingecko/historical_trades?ticker_id=${tickerOf(onDex)}`);
    const all = (await tickers("limit=1000")).map(({ base_currency }) => base_currency.toLowerCase());
    const { tokens, version } = (await rest.get("/api/tokenlist.json")).body;
    return {
      statuses: [...assets, pair, trades].map(({ status }) => status),
      tickers: all.includes(onDex.toLowerCase()),
      listed: tokens.some(({ address }: { address: string }) => address === getAddress(onDex)),
      version,
    };
  };
  const events = await eventsOf(Math.max(0, last - 999), last);
  const before = await findAppearances();
  expect(before).toMatchObject({ statuses: [200, 200, 200, 200], tickers: true, listed: true });

  await moderation.hide({ chainId: 56, mint: onDex.toLowerCase() }, { reason: "a test" });
  const hidden = await findAppearances();
  expect(hidden).toMatchObject({ statuses: [200, 404, 404, 404], tickers: false, listed: false });
  expect(hidden.version.major).toBeGreaterThan(before.version.major);
  const pairs = [onDex.toLowerCase(), (await chain.pairOf(onDex)).toLowerCase()];
  const others = events.filter(({ pairId }) => !pairs.includes(pairId.toLowerCase()));
  expect(others.length).toBeLessThan(events.length);
  expect(await eventsOf(Math.max(0, last - 999), last)).toEqual(others);

  await moderation.unhide({ chainId: 56, mint: onDex.toLowerCase() });
  await pool.end();
  const shown = await findAppearances();
  expect(shown).toMatchObject({ statuses: [200, 200, 200, 200], tickers: true, listed: true });
  expect(shown.version.major).toBeGreaterThan(hidden.version.major);
});

/** Runs last, since it changes the chain. */
describe("data that is not final", () => {
  test("is shown nowhere, and never after a reorg", async () => {
    const [creator, buyer, other] = chain.traders;
    const last = await latestBlock();
    const supply = async () => (await rest.get(`${adapter}/asset?id=${onCurve}`)).body.asset.totalSupply;
    const ask = async () => ({
      latest: await latestBlock(),
      supply: await supply(),
      tickers: (await tickers()).map(({ last_price, target_volume }) => [last_price, target_volume]),
      trades: await historicalTrades(`ticker_id=${tickerOf(onCurve)}`),
      list: (await rest.get("/api/tokenlist.json")).body.tokens,
    });
    const before = await ask();
    const snapshot = await chain.testClient.snapshot();
    const lost = await chain.create(creator, "Lost", "LOST");
    const { transactionHash } = await chain.buy(buyer, onCurve, 10n ** 15n);
    await chain.buy(buyer, lost, graduatingAmount);
    await chain.burn(buyer, onCurve, 10n ** 18n);
    await service.indexer.untilIndexed(56, await chain.head());
    expect(
      await service.database.query("select 1 from onchain.trade where tx = $1", [transactionHash]),
    ).toHaveLength(1);
    expect(
      (await rest.post("/api/tokens", registrationOf(lost, creator, { name: "Lost", symbol: "LOST" })))
        .status,
    ).toBe(201);
    expect(await ask()).toEqual(before);
    expect((await rest.get(`${adapter}/events?fromBlock=${last}&toBlock=${last + 3}`)).status).toBe(409);
    const [{ pair }] = (await service.database.query("select pair from onchain.curve where token = $1", [
      lost.toLowerCase(),
    ])) as [{ pair: string }];
    for (const path of [`asset?id=${lost}`, `pair?id=${lost}`, `pair?id=${pair}`]) {
      expect((await rest.get(`${adapter}/${path}`)).status).toBe(404);
    }
    expect((await rest.get(`/api/tickers?ticker_id=${tickerOf(lost)}`)).status).toBe(404);

    await chain.testClient.revert({ id: snapshot });
    await chain.buy(other, onCurve, 2n * 10n ** 15n);
    await chain.burn(buyer, onCurve, 3n * 10n ** 18n);
    const final = await finalize();
    const after = await eventsOf(last + 1, final);
    expect(after).toEqual(
      (await tradesInLogs(chain, BigInt(final))).filter(({ block }) => block > last).map(expectedSwap),
    );
    expect(after).toHaveLength(1);
    expect(JSON.stringify(after)).not.toContain(transactionHash);
    expect(Number(await supply())).toBe(Number(before.supply) - 3);
    expect((await rest.get(`${adapter}/pair?id=${lost}`)).status).toBe(404);
    expect((await rest.get("/api/tokenlist.json")).body.tokens).toEqual(before.list);
  });

  test("a token that trades between two pages of tickers is on the second one all the same", async () => {
    const idsOf = async (query: string) => (await tickers(query)).map(({ ticker_id }) => ticker_id);
    const dex = tickerOf(onDex);
    expect((await idsOf("")).indexOf(dex)).toBe(1);
    const [first] = await idsOf("limit=1");
    await chain.buyOnDex(chain.traders[2], onDex, 10n ** 13n);
    await finalize();
    expect(await idsOf("limit=1&page=2")).toEqual([dex]);
    expect(await idsOf("limit=1")).toEqual([dex]);
    expect(await idsOf("limit=1&page=2")).toEqual([first]);
  });
});

describe("the exchange that tokens graduate to", () => {
  const settings = (changes: Partial<ChainSettings>): ChainSettings => ({
    id: 56,
    rpcUrls: [chain.rpcUrl],
    sync: "built-in" as const,
    webSocketUrls: [],
    pollingInterval: 100,
    tokenFactory: chain.deployment.tokenFactory,
    launchpad: chain.deployment.launchpad,
    priceFeeds: [],
    startBlock: 0,
    ...changes,
  });
  const ask = (changes: Partial<ChainSettings>) =>
    createDexAddresses(createChainClients())(settings(changes));

  test("is the one that the launchpad reports", async () => {
    const { wbnb, dexFactory } = chain.deployment;
    expect(await ask({})).toEqual({ wbnb: getAddress(wbnb), factory: getAddress(dexFactory) });
  });

  test("is PancakeSwap where the launchpad has no such functions", async () => {
    expect((await ask({ launchpad: feed.address })).wbnb).toBe("0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c");
    expect((await ask({ launchpad: feed.address, id: 97 })).wbnb).toBe(
      "0xae13d989daC2f0dEbFf460aC112a837C89BAa7cd",
    );
  });

  test("is unknown while the chain does not answer or has no launchpad yet, and is asked for again", async () => {
    const problem = { problem: expect.objectContaining({ status: 503, code: "chain_unavailable" }) };
    await expect(ask({ rpcUrls: ["http://127.0.0.1:9"] })).rejects.toMatchObject(problem);
    await expect(ask({ launchpad: `0x${"ab".repeat(20)}` })).rejects.toMatchObject(problem);
    const getDexAddresses = createDexAddresses(createChainClients());
    await expect(getDexAddresses(settings({ launchpad: `0x${"ab".repeat(20)}` }))).rejects.toMatchObject(
      problem,
    );
    expect((await getDexAddresses(settings({}))).wbnb).toBe(getAddress(chain.deployment.wbnb));
  });
});
