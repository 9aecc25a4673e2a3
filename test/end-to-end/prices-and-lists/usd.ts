import { type Address, formatUnits, parseUnits } from "viem";
import { beforeAll, expect, test } from "vitest";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import type { TestFeed } from "../../chain/price-feed.ts";
import type { Service } from "../../service/service.ts";
import { usd } from "./priced-market.ts";
import type { PricesAndListsServed } from "./served.ts";

export function testUsd(served: () => PricesAndListsServed): void {
  let priced: LaunchpadChain;
  let feed: TestFeed;
  let secondAggregator: Address;
  let service: Service;
  let token: Address;
  /** A midnight. Seconds. */
  let midnight: bigint;

  beforeAll(async () => {
    ({ service } = served());
    ({ chain: priced, token, feed, second: secondAggregator, midnight } = served().priced);
    await service.expectIndexEqualsChain();
  });

  type TradeRow = {
    timestamp: string;
    venue: string;
    bnb_amount_wei: string;
    bnb_reserves_wei: string;
    token_reserves_raw: string;
    bnb_usd_x8: string | null;
    volume_to_date_usd_x18: string;
    launchpad_volume_to_date_usd_x18: string;
  };

  const trades = () =>
    service.database.query<TradeRow>("select * from onchain.trade where chain_id = 97 order by id");

  /** Converts to USD, keeping the scale of the amount. */
  const inUsd = (bnb: bigint, rate: number) => (bnb * usd(rate)) / 10n ** 8n;
  const closeBnbX36 = (trade: TradeRow) =>
    (BigInt(trade.bnb_reserves_wei) * 10n ** 36n) / BigInt(trade.token_reserves_raw);

  test("a trade has the rate of its time: none before the feed's first answer, and a failed feed changes nothing", async () => {
    const rows = await trades();
    expect(rows.map((trade) => [Number(BigInt(trade.timestamp) - midnight), trade.bnb_usd_x8])).toEqual([
      [5, null],
      [20, String(usd(600))],
      [40, String(usd(600))],
      [80, String(usd(650.5))],
      [210, String(usd(500))],
      [220, String(usd(500))],
    ]);
    expect(rows.at(-1)?.venue).toBe("dex");
    const answers = await service.database.query(
      "select chain_id, feed, round_id, answer_usd_x8, timestamp::int - $1::int as second from onchain.bnb_usd_answer order by id",
      [midnight],
    );
    expect(answers).toEqual([
      { chain_id: 97, feed: feed.aggregator, round_id: "1", answer_usd_x8: String(usd(600)), second: 10 },
      { chain_id: 97, feed: secondAggregator, round_id: "1", answer_usd_x8: String(usd(650.5)), second: 70 },
      { chain_id: 97, feed: feed.aggregator, round_id: "4", answer_usd_x8: String(usd(500)), second: 200 },
    ]);
  });

  test("volumes in USD add up trade by trade, each at its own rate", async () => {
    let total = 0n;
    const rows = await trades();
    for (const {
      bnb_amount_wei,
      bnb_usd_x8,
      volume_to_date_usd_x18,
      launchpad_volume_to_date_usd_x18,
    } of rows) {
      total += (BigInt(bnb_amount_wei) * BigInt(bnb_usd_x8 ?? 0)) / 10n ** 8n;
      expect([volume_to_date_usd_x18, launchpad_volume_to_date_usd_x18]).toEqual([
        String(total),
        String(total),
      ]);
    }
    const totals = await service.database.query(
      "select volume_to_date_usd_x18, bnb_usd_x8, bnb_usd_at from onchain.launchpad where chain_id = 97",
    );
    expect(totals).toEqual([
      {
        volume_to_date_usd_x18: String(total),
        bnb_usd_x8: String(usd(500)),
        bnb_usd_at: String(midnight + 200n),
      },
    ]);
  });

  test("candles in USD use the rate of each trade, and have no USD values before the first rate", async () => {
    const [unknown, first, after, risen, graduating, onDex] = (await trades()) as [
      TradeRow,
      TradeRow,
      TradeRow,
      TradeRow,
      TradeRow,
      TradeRow,
    ];
    type Candle = Record<"open" | "high" | "low" | "close", bigint> & { second: number; volume: bigint };
    const candles = async (interval: string): Promise<Candle[]> => {
      const rows = await service.database.query<Record<string, string>>(
        "select * from onchain.candle where chain_id = 97 and interval = $1 order by open_time",
        [interval],
      );
      return rows.map((row) => ({
        second: Number(BigInt(row.open_time ?? 0) - midnight),
        open: BigInt(row.open_usd_x36 ?? -1),
        high: BigInt(row.high_usd_x36 ?? -1),
        low: BigInt(row.low_usd_x36 ?? -1),
        close: BigInt(row.close_usd_x36 ?? -1),
        volume: BigInt(row.volume_usd_x18 ?? -1),
      }));
    };
    const volume = (trade: TradeRow, rate: number) => inUsd(BigInt(trade.bnb_amount_wei), rate);

    const opened = inUsd(closeBnbX36(unknown), 600);
    const [a, b, c] = [
      inUsd(closeBnbX36(after), 600),
      inUsd(closeBnbX36(risen), 650.5),
      inUsd(closeBnbX36(onDex), 500),
    ];
    const peak = inUsd(closeBnbX36(graduating), 500);
    const [low, , high] = [b, peak, c].toSorted((left, right) => (left < right ? -1 : 1));
    expect(await candles("1m")).toEqual([
      {
        second: 0,
        open: opened,
        high: a,
        low: opened,
        close: a,
        volume: volume(first, 600) + volume(after, 600),
      },
      { second: 60, open: a, high: b, low: a, close: b, volume: volume(risen, 650.5) },
      {
        second: 180,
        open: b,
        high,
        low,
        close: c,
        volume: volume(graduating, 500) + volume(onDex, 500),
      },
    ]);
    const answered = await fetch(`${service.indexer.url}/api/token/${token}/candles?chainId=97&interval=1d`);
    const { candles: days } = (await answered.json()) as { candles: Record<string, unknown>[] };
    const price = (priceX36: bigint | undefined) => formatUnits(priceX36 ?? 0n, 36);
    // The token was created the day before.
    expect(days.map(({ trades }) => trades)).toEqual([0, 6]);
    expect(days[1]).toMatchObject({
      time: Number(midnight),
      openUsd: price(opened),
      highUsd: price(high),
      lowUsd: price(opened),
      closeUsd: price(c),
    });
  });

  test("results in USD use the rate of each trade, and are missing where a trade had no rate", async () => {
    const [, buyer, other] = priced.traders;
    const paid = (await trades()).map(({ bnb_amount_wei }) => BigInt(bnb_amount_wei));
    const accountOf = async (address: string) =>
      (await fetch(`${service.indexer.url}/api/account/${address}?chainId=97`)).json() as Promise<{
        totals: Record<string, string>;
        positions: [Record<string, string>];
      }>;
    const { totals, positions } = await accountOf(other);
    const spent = inUsd(paid[2] ?? 0n, 600) + inUsd(paid[4] ?? 0n, 500);
    const { valueUsd = "" } = positions[0];
    const result = {
      spentUsd: formatUnits(spent, 18),
      receivedUsd: "0",
      realisedUsd: "0",
      unrealisedUsd: formatUnits(parseUnits(valueUsd, 18) - spent, 18),
    };
    expect(positions).toEqual([expect.objectContaining(result)]);
    expect(totals).toMatchObject(result);

    const unknown = await accountOf(buyer);
    for (const part of [unknown.totals, ...unknown.positions]) {
      expect(part).toHaveProperty("valueUsd");
      for (const name of Object.keys(result)) expect(part).not.toHaveProperty(name);
    }
  });

  test("a feed answer applies to the trades after it in the same block, and not to those before", async () => {
    const { testClient } = priced;
    const pending = (count: number) =>
      expect.poll(async () => Number((await testClient.getTxpoolStatus()).pending)).toBe(count);
    // All three from the account that answers, since its nonces keep them in order.
    const account = priced.accounts[0]?.address as Address;
    await testClient.setAutomine(false);
    const before = priced.buyOnDex(account, token, 10n ** 14n);
    await pending(1);
    const answered = feed.answer(usd(510), secondAggregator);
    await pending(2);
    const after = priced.buyOnDex(account, token, 10n ** 14n);
    await pending(3);
    await testClient.mine({ blocks: 1 });
    await testClient.setAutomine(true);
    const mined = await Promise.all([before, answered, after]);
    expect(new Set(mined.map(({ blockNumber }) => blockNumber)).size).toBe(1);
    expect(mined.map(({ transactionIndex }) => transactionIndex)).toEqual([0, 1, 2]);

    await service.expectIndexEqualsChain();
    const rates = (await trades()).slice(-2).map(({ bnb_usd_x8 }) => bnb_usd_x8);
    expect(rates).toEqual([String(usd(500)), String(usd(510))]);
  });

  test("a reorg that drops a feed answer also removes its USD values", async () => {
    const [, buyer] = priced.traders;
    const state = () =>
      service.database.query(
        `select (select count(*)::int from onchain.bnb_usd_answer) as answers, bnb_usd_x8, bnb_usd_at
       from onchain.launchpad where chain_id = 97`,
      );
    const before = await state();
    const snapshot = await priced.testClient.snapshot();
    await feed.answer(usd(9_000));
    await priced.buyOnDex(buyer, token, 10n ** 14n);
    await service.expectIndexEqualsChain();
    expect(await state()).toEqual([expect.objectContaining({ bnb_usd_x8: String(usd(9_000)) })]);

    await priced.testClient.revert({ id: snapshot });
    await priced.buyOnDex(buyer, token, 2n * 10n ** 14n);
    await priced.testClient.mine({ blocks: 2 });
    await service.expectIndexEqualsChain();
    expect(await state()).toEqual(before);
    const [last] = (await trades()).slice(-1);
    expect(last?.bnb_usd_x8).toBe(String(usd(510)));
  });

  test("an untraded token has the rate of the moment when its curve opened, and its candles open there", async () => {
    const [creator, buyer] = priced.traders;
    // Candles of a minute: opened in the first second of one, and traded in the third.
    const openedAt = ((await priced.publicClient.getBlock()).timestamp / 60n + 1n) * 60n;
    await priced.testClient.setNextBlockTimestamp({ timestamp: openedAt });
    const quiet = await priced.create(creator, "Quiet", "QUIET");
    await priced.testClient.setNextBlockTimestamp({ timestamp: openedAt + 120n });
    await feed.answer(usd(700), secondAggregator);
    await priced.testClient.setNextBlockTimestamp({ timestamp: openedAt + 121n });
    await priced.buy(buyer, quiet, 10n ** 15n);
    await service.expectIndexEqualsChain();

    const answered = await fetch(
      `${service.indexer.url}/api/token/${quiet}/candles?chainId=97&from=${openedAt}`,
    );
    const { candles } = (await answered.json()) as {
      candles: Record<"openBnb" | "openUsd" | "highUsd" | "lowUsd" | "closeUsd", string>[];
    };
    expect(candles).toHaveLength(3);
    const [flat, , traded] = candles as [(typeof candles)[0], unknown, (typeof candles)[0]];
    const opening = formatUnits(inUsd(parseUnits(flat.openBnb, 36), 510), 36);
    expect(flat).toMatchObject({ openUsd: opening, highUsd: opening, lowUsd: opening, closeUsd: opening });
    expect(traded).toMatchObject({ openBnb: flat.openBnb, openUsd: opening, lowUsd: opening });
    expect(traded.closeUsd).toBe(traded.highUsd);
  });

  test("a chain without a feed has no USD values", async () => {
    const columns = await service.database.query<{ table_name: string; column_name: string }>(
      `select table_name, column_name from information_schema.columns
     where table_schema = 'onchain' and column_name like '%usd%' and table_name not like 'bnb%'
       and table_name = any('{trade,curve,candle,position,launchpad}')`,
    );
    expect(columns.length).toBeGreaterThan(10);
    for (const { table_name, column_name } of columns) {
      const values = await service.database.query(
        `select distinct ${column_name}::text as value from onchain.${table_name} where chain_id = 56`,
      );
      // Totals only include known values.
      const nothing = column_name.includes("_to_date_") ? "0" : null;
      expect({ table_name, column_name, values }).toEqual({
        table_name,
        column_name,
        values: [{ value: nothing }],
      });
    }
  });
}
