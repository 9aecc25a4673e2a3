import { type Address, formatEther, formatUnits } from "viem";
import { retryUntilComplete } from "../service/retry-until-complete.ts";
import { candleIntervals, expectedCandles } from "./expected-candles.ts";
import { expectedCurves } from "./expected-curves.ts";
import { createExitCalculator } from "./expected-exits.ts";
import type { ExpectedMarket } from "./expected-market.ts";
import type { ExpectedPosition } from "./expected-positions.ts";
import { expectedLookAlike, foldedSymbol } from "./expected-symbols.ts";
import { sum } from "./groups.ts";
import { leaderDifferences } from "./rest-leaders.ts";
import { liquidityDifferences } from "./rest-liquidity.ts";
import { traderDifferences } from "./rest-traders.ts";
import { type ExpectedRow, rowDifferences } from "./row-differences.ts";

type Compared = { url: string; chainId: number; expected: ExpectedMarket };

// biome-ignore lint/suspicious/noExplicitAny: anything that it lacks shows as a difference.
type Answer = any;

/**
 * Compares REST's windows, shares, creator records, candles, liquidity, accounts and leaderboards with the logs. Returns a line for
 * each value that differs.
 */
export async function restDifferences({ url, chainId, expected }: Compared): Promise<string[]> {
  const get = async (path: string): Promise<Answer> => {
    const { text } = await retryUntilComplete(async () => {
      const response = await fetch(`${url}/api/${path}${path.includes("?") ? "&" : "?"}chainId=${chainId}`);
      const answer = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${answer}`);
      return { text: answer };
    });
    return JSON.parse(text);
  };
  return [
    ...(await tokenDifferences(get, expected)),
    ...(await candleDifferences(get, expected)),
    ...(await liquidityDifferences(get, expected, chainId)),
    ...(await traderDifferences(get, expected)),
    ...(await accountDifferences(get, expected)),
    ...(await leaderDifferences(get, expected)),
  ];
}

type Get = (path: string) => Promise<Answer>;

/** Maps items with an async function, eight at a time. */
async function mapInBatches<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let next = 0; next < items.length; next += 8) {
    results.push(...(await Promise.all(items.slice(next, next + 8).map(work))));
  }
  return results;
}

async function tokenDifferences(get: Get, expected: ExpectedMarket): Promise<string[]> {
  const entries: Answer[] = await mapInBatches(expected.created, ({ args }) => get(`token/${args.token}`));
  const records = new Map(expected.accounts.map(({ address, record }) => [address, record]));
  const windows = entries.flatMap(({ mint, windows: given }) =>
    Object.entries<object>(given ?? {}).map(([window, values]) => ({ mint, window, ...values })),
  );
  const shares = entries.map(({ mint, risk, creatorRecord, liquidityBnb, sameSymbolTokens, lookAlike }) => ({
    mint,
    liquidityBnb,
    sameSymbolTokens,
    lookAlike: lookAlike?.mint ?? null,
    ...risk,
    ...creatorRecord,
  }));
  const curves = new Map(
    expectedCurves(expected.market, expected.creators).map((curve) => [curve.token, curve]),
  );
  const symbols = expected.created.map(({ args }) => foldedSymbol(args.symbol));
  return [
    ...rowDifferences("REST window", ["mint", "window"], windows, expected.windows.map(windowAnswer)),
    ...rowDifferences(
      "REST shares",
      ["mint"],
      shares,
      expected.shares.map((shares, index): ExpectedRow => {
        const { token, creator, topTen, earlyBuyers, snipers, bundlers, supply, circulating, squares } =
          shares;
        const ofCirculating = (part: bigint) => (circulating === 0n ? null : percent(part, circulating));
        const graduation = expected.market.curves.get(token)?.graduation;
        const trades = expected.market.trades.filter((trade) => trade.token === token);
        const record = records.get(expected.created[index]?.args.creator as Address);
        return {
          mint: token,
          liquidityBnb: formatEther(curves.get(token)?.liquidity_wei as bigint),
          sameSymbolTokens: symbols.filter((symbol) => symbol === symbols[index]).length - 1,
          lookAlike: expectedLookAlike(token, expected.created, curves),
          creatorPercent: ofCirculating(creator),
          top10Percent: ofCirculating(topTen),
          earlyBuyersPercent: ofCirculating(earlyBuyers),
          creatorOfSupplyPercent: percent(creator, supply),
          top10OfSupplyPercent: percent(topTen, supply),
          earlyBuyersOfSupplyPercent: percent(earlyBuyers, supply),
          effectiveHolders:
            circulating === 0n ? null : Number((circulating * circulating * 10_000n) / squares) / 10_000,
          creatorSoldOut: shares.creatorBalance === 0n,
          creatorGraduated:
            graduation === undefined
              ? null
              : trades[graduation.tradesBefore - 1]?.trader === expected.created[index]?.args.creator,
          snipers: snipers.accounts,
          snipersPercent: ofCirculating(snipers.held),
          snipersBoughtPercent: ofCirculating(snipers.bought),
          bundlers: bundlers.accounts,
          bundlersPercent: ofCirculating(bundlers.held),
          bundlersBoughtPercent: ofCirculating(bundlers.bought),
          ...insiderShares(token, expected, ofCirculating),
          earlyBuyers: expected.earlyBuyers.filter((buyer) => buyer.token === token).length,
          tokensCreated: record?.created,
          tokensGraduated: record?.graduated,
          tokensSoldOut: record?.soldOut,
        };
      }),
    ),
  ];
}

function insiderShares(
  token: Address,
  { insiders, holdings }: ExpectedMarket,
  ofCirculating: (part: bigint) => number | null,
): ExpectedRow {
  const { hops = new Map(), given = 0n } = insiders.get(token) ?? {};
  const held = [...hops.keys()].map((account) => holdings.of(token, account)?.balance ?? 0n);
  return {
    insiders: hops.size,
    insidersPercent: ofCirculating(sum(held)),
    insidersReceivedPercent: ofCirculating(given),
  };
}

function windowAnswer({ token, window, volume, volumeUsd, ...counts }: ExpectedMarket["windows"][number]) {
  const { buys, sells, traders, from, to } = counts;
  return {
    mint: token,
    window,
    trades: buys + sells,
    buys,
    sells,
    traders,
    volumeBnb: formatEther(volume),
    ...(volumeUsd === null ? {} : { volumeUsd: formatEther(volumeUsd) }),
    priceChangePercent: Number(((to - from) * 1_000_000n) / from) / 10_000,
  };
}

/** Compares the latest candles that fit into an answer, in all intervals, for the most traded token and every 20th after it. */
async function candleDifferences(get: Get, { market }: ExpectedMarket): Promise<string[]> {
  const trades = Map.groupBy(market.trades, ({ token }) => token);
  const tokens = [...trades]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([token]) => token);
  const some = tokens.filter((_, index) => index % 20 === 0);
  const asked = some.flatMap((token) => {
    const rows = expectedCandles(trades.get(token) ?? [], candleIntervals);
    return candleIntervals.map((interval) => ({ token, interval, rows }));
  });
  const found = await mapInBatches(asked, async ({ token, interval, rows }) => {
    const answer = await get(`token/${token}/candles?interval=${interval}&limit=1500`);
    const candles: Answer[] = answer.candles;
    const given = candles.filter(({ trades: count }) => count > 0);
    const begin = candles[0]?.time ?? 0;
    const expected = rows.filter((row) => row.interval === interval && Number(row.open_time) >= begin);
    return [
      ...rowDifferences(`REST ${interval} ${token}`, ["time"], given, expected.map(candleAnswer)),
      ...gapsOf(candles).map((time) => `REST ${interval} ${token}: no candle follows that of ${time}`),
    ];
  });
  return found.flat();
}

function candleAnswer(row: ExpectedRow): ExpectedRow {
  const price = (column: string) => formatUnits(row[column] as bigint, 36);
  return {
    time: Number(row.open_time),
    openBnb: price("open_bnb_x36"),
    highBnb: price("high_bnb_x36"),
    lowBnb: price("low_bnb_x36"),
    closeBnb: price("close_bnb_x36"),
    volumeBnb: formatEther(row.volume_wei as bigint),
    volumeTokens: formatEther(row.volume_raw as bigint),
    trades: row.trades,
    ...(row.close_usd_x36 === null
      ? {}
      : {
          openUsd: price("open_usd_x36"),
          highUsd: price("high_usd_x36"),
          lowUsd: price("low_usd_x36"),
          closeUsd: price("close_usd_x36"),
          volumeUsd: formatEther(row.volume_usd_x18 as bigint),
        }),
  };
}

/** Returns the times of candles whose successor isn't adjacent, or doesn't open at their closing price. */
function gapsOf(candles: Answer[]): number[] {
  const length = candles.length < 2 ? 0 : candles[1].time - candles[0].time;
  return candles.slice(1).flatMap(({ time, openBnb }, index) => {
    const before = candles[index];
    return time === before.time + length && openBnb === before.closeBnb ? [] : [before.time];
  });
}

async function accountDifferences(get: Get, expected: ExpectedMarket): Promise<string[]> {
  const results = Map.groupBy(expected.positions, ({ account }) => account);
  const exitOf = createExitCalculator(expected.market);
  const held = Map.groupBy(
    expected.holdings.holders.filter(({ kind }) => kind === "account"),
    ({ account }) => account,
  );
  const found = await mapInBatches(expected.accountTotals, async (own) => {
    const answer = await get(`account/${own.account}?limit=100`);
    const all = results.get(own.account) ?? [];
    const { buys, sells, ...rest } = answer.totals;
    const given = { ...rest, account: own.account, trades: buys + sells };
    const totals: ExpectedRow = {
      account: own.account,
      bnbSpentWei: own.spent,
      bnbReceivedWei: own.received,
      realisedBnb: formatEther(own.realised),
      holdings: own.tokensHeld,
      positions: own.tokensTraded,
      trades: own.trades,
      exitBnb: formatEther(sum((held.get(own.account) ?? []).map((row) => exitOf(row.token, row.balance)))),
      unrealisedAtExitBnb: formatEther(
        sum(all.map(({ token, openTokens, openCost }) => exitOf(token, openTokens) - openCost)),
      ),
      ...resultUsd(totalUsd(all)),
    };
    const list: Answer[] = answer.positions;
    const onPage =
      all.length > 100 ? all.filter(({ token }) => list.some(({ mint }) => mint === token)) : all;
    return [
      ...rowDifferences("REST account", ["account"], [given], [totals]),
      ...rowDifferences(
        `REST account ${own.account}`,
        ["mint"],
        list,
        onPage.map(({ token, openTokens, openCost, realised, usd, trades, ...result }) => ({
          mint: token,
          receivedRaw: result.receivedTokens,
          receivedCostWei: result.receivedCost,
          sentRaw: result.sentTokens,
          sentCostWei: result.sentCost,
          lastTradeAt:
            trades.length === 0 ? null : new Date(Number(trades.at(-1)?.timestamp) * 1_000).toISOString(),
          openTokensRaw: openTokens,
          openCostWei: openCost,
          realisedBnb: formatEther(realised),
          exitBnb: formatEther(exitOf(token, openTokens)),
          unrealisedAtExitBnb: formatEther(exitOf(token, openTokens) - openCost),
          ...resultUsd(usd),
        })),
      ),
    ];
  });
  return found.flat();
}

type UsdTotals = { spent: bigint; received: bigint; realised: bigint };

function totalUsd(positions: ExpectedPosition[]): UsdTotals | undefined {
  const known = positions.flatMap(({ usd }) => (usd === undefined ? [] : [usd]));
  if (known.length < positions.length) return undefined;
  return {
    spent: sum(known.map(({ spent }) => spent)),
    received: sum(known.map(({ received }) => received)),
    realised: sum(known.map(({ realised }) => realised)),
  };
}

function resultUsd(usd: UsdTotals | undefined): ExpectedRow {
  const shown = (amount: bigint | undefined) => (amount === undefined ? undefined : formatEther(amount));
  return {
    spentUsd: shown(usd?.spent),
    receivedUsd: shown(usd?.received),
    realisedUsd: shown(usd?.realised),
  };
}

function percent(part: bigint, whole: bigint): number {
  return Number((part * 1_000_000n) / whole) / 10_000;
}
