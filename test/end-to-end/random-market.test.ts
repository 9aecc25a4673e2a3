import fc from "fast-check";
import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startPriceFeed, type TestFeed } from "../chain/price-feed.ts";
import { openRandomMarket, type RandomMarket, type Trading } from "../chain/random-market.ts";
import { candleIntervals, expectedCandles } from "../reference-market/expected-candles.ts";
import { expectedMarket } from "../reference-market/expected-market.ts";
import { differences } from "../reference-market/reconcile.ts";
import { restDifferences } from "../reference-market/rest-differences.ts";
import { sized } from "../run/long-run.ts";
import { seed } from "../run/seed.ts";
import { openAnswers } from "../service/ponder-answers.ts";
import { allColumns, lists, randomQuery, rowByKey, type Samples } from "../service/random-queries.ts";
import { type Service, startService } from "../service/service.ts";
import { updateViewsOnce } from "../service/views.ts";
import { testActivity } from "./random-market/activity.ts";
import { testGroups } from "./random-market/groups.ts";
import { testHolders } from "./random-market/holders.ts";

const minute = 60;
const hour = 60 * minute;

/** Parameters and minimum totals of the market. */
const size = sized({
  usual: {
    blocks: 40,
    actions: 24,
    brisk: 22,
    transactions: 1_000,
    revertedTrades: 50,
    tokens: 30,
    trades: 700,
    dexTrades: 40,
    graduated: 1,
    soldOut: 0,
    earlyBuyers: 25,
    answers: 5,
    liquidityAdded: 5,
    liquidityRemoved: 1,
    mixed: 20,
  },
  long: {
    blocks: 220,
    actions: 42,
    brisk: 30,
    transactions: 10_000,
    revertedTrades: 500,
    tokens: 100,
    trades: 8_000,
    dexTrades: 1_000,
    graduated: 10,
    soldOut: 1,
    earlyBuyers: 100,
    answers: 20,
    liquidityAdded: 60,
    liquidityRemoved: 20,
    mixed: 100,
  },
});

let chain: LaunchpadChain;
let feed: TestFeed;
let market: RandomMarket;
let service: Service;

/** Seconds from one block to the next: mostly a few, now and then minutes, rarely hours. */
function unevenPause(): number {
  const { random } = market;
  if (random.chance(0.8)) return random.integer(1, 30);
  return random.chance(0.8) ? random.integer(minute, 20 * minute) : random.integer(hour, 8 * hour);
}

const trading: Trading = { blocks: 1, actions: size.actions, creations: 0.012, pause: unevenPause };
const briskTrading: Trading = { ...trading, actions: size.brisk, pause: () => market.random.integer(1, 10) };

beforeAll(async () => {
  chain = await startLaunchpadChain({ hours: 7 * 24 });
  feed = await startPriceFeed(chain);
  await chain.testClient.setAutomine(false);
  market = await openRandomMarket(chain, seed, feed.aggregator);
  await market.trade({ ...trading, blocks: size.blocks });
  // The last blocks before the head are not final yet, so the backfill doesn't include them.
  await chain.testClient.mine({ blocks: 32 });
  service = await startService([chain], { env: { BNB_USD_FEED_ADDRESS_56: feed.aggregator } });
  await service.indexer.untilReady();
});

afterAll(async () => {
  await service?.stop();
  await chain?.stop();
});

/** The expected tables according to the chain's logs, as of now. */
const expectedNow = () => expectedMarket({ ...chain, priceFeeds: [feed.aggregator] });

/** Ids of indexed rows, with the transactions or blocks that made them. */
async function indexedRows() {
  const ids = async (query: string) => {
    const rows = await service.database.query<{ id: string }>(`select ${query}`);
    return rows.map(({ id }) => id);
  };
  return {
    trades: await ids("id || tx as id from onchain.trade"),
    tokens: await ids("address || created_tx as id from onchain.token"),
    graduations: await ids("token || graduated_at as id from onchain.curve where graduated"),
  };
}

type Indexed = Awaited<ReturnType<typeof indexedRows>>;

/** Counts of indexed rows that reorgs have removed so far. */
const revertedCounts = { trades: 0, tokens: 0, graduations: 0 };

function countReverted(before: Indexed, after: Indexed): void {
  for (const kind of ["trades", "tokens", "graduations"] as const) {
    const still = new Set(after[kind]);
    revertedCounts[kind] += before[kind].filter((id) => !still.has(id)).length;
  }
}

type Reorg = {
  what: string;
  /** Number of lost blocks, and of their replacements. */
  lost: number;
  instead: number;
  /** The share of the lost transactions that is sent again, 0 to 1. */
  kept: number;
  /** Whether the node itself replaces its blocks. */
  byNode?: boolean;
  /** Seconds of inactivity before the reorg. */
  rest: number;
};

const allReorgs: Reorg[] = [
  { what: "of one block", lost: 1, instead: 2, kept: 0.6, rest: 20 * hour },
  { what: "of four blocks", lost: 4, instead: 5, kept: 0.8, rest: 9 * hour },
  { what: "of nine blocks", lost: 9, instead: 10, kept: 0.8, rest: 4 * hour },
  { what: "to a shorter chain", lost: 5, instead: 3, kept: 0.5, rest: 2 * hour },
  { what: "of six blocks by the node", lost: 6, instead: 7, kept: 0.7, byNode: true, rest: 30 * minute },
  { what: "by the node to empty blocks", lost: 3, instead: 4, kept: 0, byNode: true, rest: 2 * minute },
];

const reorgs = sized({
  usual: allReorgs.filter(({ what }) => !/four|empty/.test(what)),
  long: allReorgs,
});

test("the index equals the chain after the backfill", async () => {
  await service.expectIndexEqualsChain();
});

for (const { what, lost, instead, kept, byNode, rest } of reorgs) {
  test(`the index equals the chain after a reorg ${what}`, async () => {
    await market.trade({ ...trading, pause: () => rest });
    await market.trade({ ...briskTrading, blocks: 3 });
    const snapshot = await chain.testClient.snapshot();
    const sent = await market.trade({ ...briskTrading, blocks: lost, creations: 0.03 });
    await service.indexer.untilIndexed(chain.chainId, await chain.head());
    const before = await indexedRows();

    if (byNode) {
      await market.replaceLast(
        lost,
        sent.filter(() => market.random.chance(kept)),
      );
      await market.trade({ ...briskTrading, blocks: instead - lost });
    } else {
      await chain.testClient.revert({ id: snapshot });
      await market.reloadState();
      await market.tradeAgain(sent, { ...briskTrading, blocks: instead, actions: 12, share: kept });
    }
    await service.expectIndexEqualsChain();
    const sofar = revertedCounts.trades;
    countReverted(before, await indexedRows());
    expect(revertedCounts.trades).toBeGreaterThan(sofar);
  });
}

test(`the market had ${size.transactions} transactions over days, and reorgs that removed indexed rows`, async () => {
  expect(await chain.transactionCount()).toBeGreaterThanOrEqual(size.transactions);
  expect(revertedCounts.trades).toBeGreaterThan(size.revertedTrades);
  expect(revertedCounts.tokens).toBeGreaterThan(0);
  expect(revertedCounts.graduations).toBeGreaterThan(0);
  const [made] = await service.database.query(
    `select (select count(*)::int from onchain.token) as tokens,
            (select count(*)::int from onchain.trade) as trades,
            (select count(*)::int from onchain.trade where venue = 'dex') as dex_trades,
            (select count(*)::int from onchain.curve where graduated) as graduated,
            (select count(*)::int from onchain.liquidity_change where kind = 'add') as liquidity_added,
            (select count(*)::int from onchain.liquidity_change where kind = 'remove') as liquidity_removed,
            (select count(*)::int from (
               select from onchain.trade group by tx, token having count(*) > 1) mixed) as mixed,
            (select count(*)::int from onchain.account where tokens_sold_out > 0) as sold_out,
            (select count(*)::int from onchain.early_buyer) as early_buyers`,
  );
  expect(made?.tokens).toBeGreaterThanOrEqual(size.tokens);
  expect(made?.trades).toBeGreaterThanOrEqual(size.trades);
  expect(made?.dex_trades).toBeGreaterThan(size.dexTrades);
  expect(made?.graduated).toBeGreaterThan(size.graduated);
  expect(made?.liquidity_added).toBeGreaterThan(Number(made?.graduated) + size.liquidityAdded);
  expect(made?.liquidity_removed).toBeGreaterThan(size.liquidityRemoved);
  expect(made?.mixed).toBeGreaterThan(size.mixed);
  expect(made?.sold_out).toBeGreaterThanOrEqual(size.soldOut);
  expect(made?.early_buyers).toBeGreaterThan(size.earlyBuyers);

  const { windows, market: observed } = await expectedNow();
  expect(observed.answers.length).toBeGreaterThan(size.answers);
  expect(observed.trades.filter(({ rate }) => rate === null).length).toBeGreaterThan(0);
  const inWindow = (name: string) =>
    windows.filter(({ window }) => window === name).reduce((sum, { buys, sells }) => sum + buys + sells, 0);
  const trades = [0, ...["5m", "1h", "6h", "24h"].map(inWindow), Number(made?.trades)];
  expect(new Set(trades).size).toBe(trades.length);
  // Everything may fall into one week, and two intervals may happen to have equally many candles.
  const candles = candleIntervals.map((interval) => expectedCandles(observed.trades, [interval]).length);
  expect(candles).toEqual(candles.toSorted((left, right) => right - left));
  expect(new Set(candles).size).toBeGreaterThanOrEqual(candleIntervals.length - 2);
});

test("changes of balances add up to every balance, now and at an earlier block", async () => {
  await updateViewsOnce(service.database.url);
  const unequal = await service.database.query(
    `select h.token, h.account, h.balance_raw, b.sum from onchain.holder h
     full join (select chain_id, mint, account, sum(change_raw) from launchpad.balance_change group by 1, 2, 3) b
       on b.chain_id = h.chain_id and b.mint = h.token and b.account = h.account
     where coalesce(b.sum, 0) is distinct from h.balance_raw`,
  );
  expect(unequal).toEqual([]);
  const reasons = await service.database.query<{ reason: string; count: number }>(
    "select reason, count(*)::int from launchpad.balance_change group by reason",
  );
  const counted = Object.fromEntries(reasons.map(({ reason, count }) => [reason, count]));
  for (const reason of ["trade", "liquidity", "graduation", "creation", "transfer", "burn"]) {
    expect(counted[reason], reason).toBeGreaterThan(0);
  }

  const blockNumber = BigInt(
    market.random.integer(Number(await chain.head()) >> 1, Number(await chain.head())),
  );
  const earlier = await service.database.query<{ mint: Address; account: Address; sum: string }>(
    `select mint, account, sum(change_raw)::text from launchpad.balance_change where block <= $1
     group by mint, account order by md5(mint || account) limit 200`,
    [String(blockNumber)],
  );
  expect(earlier.length).toBeGreaterThan(50);
  for (const { mint, account, sum } of earlier) {
    const balance = await chain.publicClient.readContract({
      address: mint,
      abi: launchTokenAbi,
      functionName: "balanceOf",
      args: [account],
      blockNumber,
    });
    expect(String(balance), `${account} in ${mint} at ${blockNumber}`).toBe(sum);
  }
});

test("every account's open tokens are its balance, and no wei of their cost is lost or invented", async () => {
  const unequal = await service.database.query(
    `select token, account, open_tokens_raw, balance_raw from onchain.holder h
     left join onchain.position p using (chain_id, token, account)
     where kind = 'account' and coalesce(open_tokens_raw, 0) <> balance_raw`,
  );
  expect(unequal).toEqual([]);
  const [totals] = await service.database.query<Record<string, string>>(
    `select count(*) filter (where bnb_spent_wei + received_cost_wei - sent_cost_wei - open_cost_wei
         <> bnb_received_wei - realised_wei)::int as wrong,
       count(*) filter (where first_trade_at is null)::int as untraded,
       sum(received_cost_wei) > 0 as received, sum(sent_cost_wei) >= sum(received_cost_wei) as sent,
       sum(bnb_spent_wei - open_cost_wei - (bnb_received_wei - realised_wei)) = sum(sent_cost_wei - received_cost_wei) as balanced
     from onchain.position`,
  );
  expect(totals).toEqual({
    wrong: 0,
    untraded: expect.any(Number),
    received: true,
    sent: true,
    balanced: true,
  });
  expect(Number(totals?.untraded)).toBeGreaterThan(0);
});

test("REST answers match the chain's logs", async () => {
  const compared = { url: service.indexer.url, chainId: chain.chainId, expected: await expectedNow() };
  expect(await restDifferences(compared)).toEqual([]);
});

test("later trades are indexed live, on the curve and on the DEX", async () => {
  await chain.testClient.setAutomine(true);
  const [creator, buyer, friend] = chain.traders;
  const token = await chain.create(creator);
  await chain.buy(buyer, token, 10n ** 16n);
  await chain.transfer(buyer, token, friend, (await chain.balanceOf(token, buyer)) / 3n);
  await chain.sell(friend, token, await chain.balanceOf(token, friend));
  await chain.burn(buyer, token, 12_345n);
  await chain.buy(creator, token, 10n ** 17n);
  await chain.buyOnDex(friend, token, 10n ** 15n);
  await chain.sellOnDex(buyer, token, (await chain.balanceOf(token, buyer)) / 2n);
  await service.expectIndexEqualsChain();

  const { token: indexed } = await service.indexer.graphql<{
    token: { curve: { graduated: boolean; progress: number }; trades: { items: object[] } };
  }>(
    `query ($token: String!) {
      token(chainId: 56, address: $token) {
        curve { graduated progress }
        trades(orderBy: "timestamp", orderDirection: "desc") { items { venue side trader } }
      }
    }`,
    { token },
  );
  const [first, second] = [creator, buyer].map((address) => address.toLowerCase());
  expect(indexed.curve).toEqual({ graduated: true, progress: 100 });
  expect(indexed.trades.items).toEqual([
    { venue: "dex", side: "sell", trader: second },
    { venue: "dex", side: "buy", trader: friend.toLowerCase() },
    { venue: "curve", side: "buy", trader: first },
    { venue: "curve", side: "sell", trader: friend.toLowerCase() },
    { venue: "curve", side: "buy", trader: second },
  ]);
});

describe("activity", () => testActivity(() => ({ chain, service })));
// After the activity, because it lets days pass.
describe("holders", () => testHolders(() => ({ chain, service })));
describe("sums by group", () => testGroups(() => ({ service, expectedNow })));

test("a single wrong value in any of the tables is detected", async () => {
  const values = {
    trade: "launchpad_volume_to_date_usd_x18",
    candle: "low_usd_x36",
    curve: "close_price_bnb_x36",
    position: "realised_usd_x18",
    early_buyer: "block",
    holder: "balance_raw",
    past_balance: "balance_raw",
    account: "realised_wei",
    launchpad: "sellers",
    token: "holder_count",
    token_symbol: "tokens",
    dex_pair: "bnb_reserves_wei",
    bnb_usd_answer: "answer_usd_x8",
    liquidity_change: "bnb_reserves_wei",
    transfer: "amount_raw",
  };
  for (const [table, column] of Object.entries(values)) {
    const row = `ctid = (select max(ctid) from onchain.${table} where ${column} is not null)`;
    // Without Ponder's triggers, which expect Ponder's own connection.
    await service.database.query(
      `set session_replication_role = replica;
       update onchain.${table} set ${column} = ${column} + 1 where ${row};
       reset session_replication_role`,
    );
  }
  const found = await differences({ ...chain, database: service.database, priceFeeds: [feed.aggregator] });
  const { dex_pair: _, ...byLogs } = values;
  for (const [table, column] of Object.entries(byLogs)) {
    const isFound = found.some((line) => line.startsWith(`${table} `) && line.includes(`${column} is `));
    expect({ table, isFound }).toEqual({ table, isFound: true });
  }
  expect(found).toContainEqual(expect.stringMatching(/: bnbReserves of 0x\w+ is \d+ in the index/));
});

describe("GraphQL", () => {
  let answers: Awaited<ReturnType<typeof openAnswers>>;
  beforeAll(async () => {
    answers = await openAnswers(service.database.url);
  });
  afterAll(() => answers.close());

  /** Ponder's ids lack the chain. */
  const withoutChain = (text: string) => text.replaceAll(/"56-(\d{12}-\d{6})"/g, '"$1"');

  async function equalAnswer(query: string) {
    const answer = await answers.ours(query);
    expect(JSON.parse(withoutChain(JSON.stringify(answer)))).toEqual(
      await answers.theirs(withoutChain(query)),
    );
    return answer as Record<string, { items: Row[]; pageInfo: Record<string, unknown> }>;
  }
  type Row = Record<string, unknown>;

  test("any query gets the same answer as from Ponder's own resolvers", async () => {
    const samples: Samples = new Map();
    for (const { field, table } of lists) {
      const found = await equalAnswer(`{ ${field}(limit: 20) { items { ${allColumns(table)} } } }`);
      const rows = found[field]?.items ?? [];
      samples.set(table.name, rows);
      const [one] = rows;
      if (one !== undefined) await equalAnswer(`{ ${rowByKey(table, one)} }`);
    }
    await fc.assert(
      fc.asyncProperty(randomQuery(samples), async (query) => void (await equalAnswer(query))),
      { seed, numRuns: sized({ usual: 60, long: 5_000 }) },
    );
  });

  test.each(["asc", "desc"])(
    "following a list's cursors forwards and backwards returns the same pages as Ponder: %s",
    async (direction) => {
      const page = async (more: string) => {
        const { holders } = await equalAnswer(
          `{ holders(where: { chainId: 56, kind: account }, orderBy: "balanceRaw", orderDirection: "${direction}", limit: 7${more}) {
          items { token account } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
        );
        if (holders === undefined) throw new Error("no holders");
        return holders;
      };
      const forth = [await page("")];
      while (forth.length < 10) forth.push(await page(`, after: "${forth.at(-1)?.pageInfo.endCursor}"`));
      const back = [await page(`, before: "${forth.at(-1)?.pageInfo.startCursor}"`)];
      while (back.length < 9) back.unshift(await page(`, before: "${back[0]?.pageInfo.startCursor}"`));
      const itemsOf = (pages: typeof forth) => pages.flatMap(({ items }) => items);
      expect(itemsOf(back)).toEqual(itemsOf(forth.slice(0, -1)));
      expect(new Set(itemsOf(forth).map((item) => JSON.stringify(item))).size).toBe(70);
    },
  );
});
