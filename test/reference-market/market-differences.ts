import type { Address } from "viem";
import type { OpenDatabase } from "../service/database.ts";
import { testSchema } from "../service/indexer.ts";
import { accountTotalsInTables, sharesInTables, windowsInTables } from "./derived-tables.ts";
import { accountRow } from "./expected-accounts.ts";
import { expectedCandles, storedIntervals } from "./expected-candles.ts";
import { expectedCurves } from "./expected-curves.ts";
import { holderRow, pastBalanceRows } from "./expected-holders.ts";
import { liquidityRow } from "./expected-liquidity.ts";
import type { ExpectedMarket } from "./expected-market.ts";
import { positionRow } from "./expected-positions.ts";
import { accountCounts, traderColumns } from "./expected-results.ts";
import { expectedSymbols } from "./expected-symbols.ts";
import { expectedTrades, totalColumns, totalsOf } from "./expected-trades.ts";
import { transferRow } from "./expected-transfers.ts";
import { sum } from "./groups.ts";
import { positionOf } from "./observed-trades.ts";
import { type ExpectedRow, rowDifferences } from "./row-differences.ts";

type Compared = { chainId: number; database: OpenDatabase; expected: ExpectedMarket };

/** Compares the market's tables with the chain's logs. Returns a line for each value that differs. */
export async function marketDifferences({ chainId, database, expected }: Compared): Promise<string[]> {
  const compare = async (
    what: string,
    key: string[],
    query: string,
    rows: ExpectedRow[],
    ...more: unknown[]
  ) => rowDifferences(what, key, await database.query(query, [chainId, ...more]), rows);
  const compareTable = (table: string, key: string[], rows: ExpectedRow[]) =>
    compare(table, key, `select * from ${testSchema}.${table} where chain_id = $1`, rows);
  const { market, head } = expected;

  const found = await Promise.all([
    compareTable("trade", ["id"], expectedTrades(market.trades, expected.tradeResults)),
    compareTable(
      "candle",
      ["token", "interval", "open_time"],
      expectedCandles(market.trades, storedIntervals),
    ),
    compareTable("curve", ["token"], expectedCurves(market, expected.creators)),
    compareTable("liquidity_change", ["id"], expected.liquidity.map(liquidityRow)),
    compareTable("transfer", ["id"], expected.transfers.map(transferRow)),
    compare("tokens moved by", ["id"], movedInTables, movedTokens(expected)),
    compareTable("position", ["token", "account"], expected.positions.map(positionRow)),
    compareTable("early_buyer", ["token", "account"], expected.earlyBuyers),
    compareTable(
      "holder",
      ["token", "account"],
      expected.holdings.holders.map((holder) => holderRow(holder, expected)),
    ),
    compareTable(
      "past_balance",
      ["token", "account", "until_day"],
      expected.holdings.holders.flatMap(pastBalanceRows),
    ),
    compareTable("token_symbol", ["symbol_hash"], expectedSymbols(expected.created)),
    compareTable(
      "account",
      ["address"],
      expected.accounts.map((account) => ({
        ...accountRow(account),
        ...traderColumns(account.address, expected.positions),
      })),
    ),
    compareTable("launchpad", ["chain_id"], launchpadTotals(chainId, expected)),
    compareTable("bnb_usd_answer", ["id"], answers(expected)),
    compare("window", ["token", "window"], windowsInTables, windows(expected), head.timestamp),
    compare("shares", ["token"], sharesInTables, shares(expected)),
    compare("totals of", ["account"], accountTotalsInTables, accountTotals(expected)),
  ]);
  return found.flat();
}

const movedInTables = `
  select id, coalesce(tokens_moved_raw, token_amount_raw) as moved from ${testSchema}.trade where chain_id = $1
  union all
  select id, coalesce(tokens_moved_raw, token_amount_raw) from ${testSchema}.liquidity_change where chain_id = $1`;

function movedTokens({ market, liquidity, moved }: ExpectedMarket): ExpectedRow[] {
  const amounts = new Map([...moved].map(([event, amount]) => [positionOf(event), amount]));
  const ids = [...market.trades.map(({ id }) => id), ...liquidity.map(({ event }) => positionOf(event))];
  return ids.map((id) => ({ id, moved: amounts.get(id) ?? 0n }));
}

/** The launchpad's only row, which exists from the first event on. */
function launchpadTotals(chainId: number, { market, created, accounts }: ExpectedMarket): ExpectedRow[] {
  if (created.length === 0 && market.rate === undefined) return [];
  const graduations = [...market.curves.values()].flatMap(({ graduation }) => graduation ?? []);
  const onCurves = market.trades.filter(({ venue }) => venue === "curve");
  const paid = sum(onCurves.map(({ isBuy, bnb }) => (isBuy ? bnb : -bnb)));
  return [
    {
      chain_id: chainId,
      tokens: created.length,
      graduated: graduations.length,
      in_curves_wei: paid - sum(graduations.map(({ bnbLiquidity }) => bnbLiquidity)),
      ...totalColumns(totalsOf(market.trades)),
      ...accountCounts(market.trades, accounts),
      bnb_usd_x8: market.rate?.answer ?? null,
      bnb_usd_at: market.rate?.timestamp ?? null,
    },
  ];
}

function answers({ market }: ExpectedMarket): ExpectedRow[] {
  return market.answers.map((event) => ({
    id: positionOf(event),
    feed: event.emitter,
    round_id: event.args.roundId,
    answer_usd_x8: event.args.current,
    timestamp: event.timestamp,
  }));
}

function windows(expected: ExpectedMarket): ExpectedRow[] {
  return expected.windows.map(({ from, to, volumeUsd, ...window }) => ({
    ...window,
    volume_usd_x18: volumeUsd ?? 0n,
    price_before: from,
    price_now: to,
  }));
}

function shares(expected: ExpectedMarket): ExpectedRow[] {
  return expected.shares.map(
    ({ token, creator, supply, topTen, earlyBuyers, snipers, bundlers, ...rest }) => ({
      token,
      creator,
      supply,
      circulating: rest.circulating,
      squares: rest.squares,
      creator_balance: rest.creatorBalance,
      top_ten: topTen,
      early_buyers: earlyBuyers,
      sniper_balance_raw: snipers.held,
      bundler_balance_raw: bundlers.held,
      ...insiderColumns(token, expected),
    }),
  );
}

function insiderColumns(token: Address, { insiders, holdings }: ExpectedMarket): ExpectedRow {
  const { hops = new Map(), given = 0n } = insiders.get(token) ?? {};
  const held = [...hops.keys()].map((account) => holdings.of(token, account)?.balance ?? 0n);
  return { insiders: hops.size, insider_balance_raw: sum(held), insider_received_raw: given };
}

function accountTotals(expected: ExpectedMarket): ExpectedRow[] {
  return expected.accountTotals.map(({ tokensTraded, tokensHeld, ...totals }) => ({
    ...totals,
    tokens_traded: tokensTraded,
    tokens_held: tokensHeld,
  }));
}
