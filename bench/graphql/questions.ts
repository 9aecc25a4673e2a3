import type pg from "pg";
import { exampleQuery } from "../../src/api/graphql/editor.ts";
import { query } from "../../test/service/graphql.ts";
import {
  addressOf,
  bigCreator,
  chainId,
  type FixtureSize,
  smallCreator,
  timeline,
  traders,
} from "../fixture/size.ts";

const subjectsOfAKind = 20;

/** An analyst's question in GraphQL and in handwritten SQL. Both answers must be equal. */
export type Question = {
  name: string;
  graphql: string;
  /** The path of the field that has the rows, separated by dots. */
  answer: string;
  /** Its columns have the names of the fields and the same values in JSON. */
  sql: string;
  /** The inputs it is asked with, in turn: the variables of the query and the parameters of the SQL. */
  asked: (subjects: Subjects) => QuestionInput[];
};

export type QuestionInput = { variables: Record<string, unknown>; values: unknown[] };

/** What the questions are about, spread over the fixture. */
type Subjects = Awaited<ReturnType<typeof chooseSubjects>>;

/** Asks about one of these at a time, whose name is that of the variable. */
const about = (name: string, values: string[]): QuestionInput[] =>
  values.map((value) => ({ variables: { [name]: value }, values: [value] }));

const addressesOf = (tokens: Subjects["tokens"]) => tokens.map(({ address }) => address);

/** Asks about a time from each of these moments on. */
const from = (moments: number[], seconds: number): QuestionInput[] =>
  moments.map((moment) => ({
    variables: { from: String(moment), to: String(moment + seconds) },
    values: [moment, moment + seconds],
  }));

/** The number of trades per page. */
const tradesOnPage = 100;

const day = 24 * 3_600;

const newestTokens = (count: string) => `
  select t.name, t.symbol, t.holder_count as "holderCount",
    json_build_object('progress', c.progress, 'graduated', c.graduated, 'priceBnbX36', c.price_bnb_x36::text) as curve,
    json_build_object('items', (
      select coalesce(json_agg(x), '[]') from (
        select side, venue, bnb_amount_wei::text as "bnbAmountWei", trader from onchain.trade
        where chain_id = t.chain_id and token = t.address
        order by timestamp desc, chain_id desc, id desc limit 3
      ) x)) as trades,
    json_build_object('items', (
      select coalesce(json_agg(x), '[]') from (
        select account, balance_raw::text as "balanceRaw" from onchain.holder
        where chain_id = t.chain_id and token = t.address and kind = 'account'
        order by balance_raw desc, account desc limit 3
      ) x)) as holders
  from onchain.token t join onchain.curve c on c.chain_id = t.chain_id and c.token = t.address
  order by t.created_at desc, t.chain_id desc, t.address desc limit ${count}`;

const tradeFields = "id side venue bnbAmountWei tokenAmountRaw priceBnbX36 trader timestamp tx";
const tradeColumns = `chain_id || '-' || id as id, side, venue, bnb_amount_wei as "bnbAmountWei", token_amount_raw as "tokenAmountRaw",
  price_bnb_x36 as "priceBnbX36", trader, timestamp, tx`;

export const questions: Question[] = [
  {
    name: "the editor's example",
    graphql: exampleQuery,
    answer: "tokens.items",
    sql: newestTokens("5"),
    asked: () => [{ variables: {}, values: [] }],
  },
  {
    name: "newest tokens with curve, trades and holders",
    graphql: exampleQuery.replace("{\n  tokens(", "query ($count: Int!) {\n  tokens(").replace("5", "$count"),
    answer: "tokens.items",
    sql: newestTokens("$1"),
    asked: () => [{ variables: { count: 20 }, values: [20] }],
  },
  {
    name: "tokens of a creator",
    graphql: `query ($creator: String!) {
      tokens(where: { chainId: ${chainId}, creator: $creator }, orderBy: "createdAt", orderDirection: "desc", limit: 50) {
        items { address name symbol holderCount createdAt curve { progress graduated priceBnbX36 } }
      }
    }`,
    answer: "tokens.items",
    sql: `select t.address, t.name, t.symbol, t.holder_count as "holderCount", t.created_at as "createdAt",
        json_build_object('progress', c.progress, 'graduated', c.graduated, 'priceBnbX36', c.price_bnb_x36::text) as curve
      from onchain.token t join onchain.curve c on c.chain_id = t.chain_id and c.token = t.address
      where t.chain_id = ${chainId} and t.creator = $1 order by t.created_at desc, t.address desc limit 50`,
    asked: ({ creators }) => about("creator", creators),
  },
  {
    name: "tokens by name",
    graphql: `query ($name: String!) {
      tokens(where: { chainId: ${chainId}, name: $name }, orderBy: "createdAt", orderDirection: "desc", limit: 20) {
        items { address name symbol creator createdAt holderCount }
      }
    }`,
    answer: "tokens.items",
    sql: `select address, name, symbol, creator, created_at as "createdAt", holder_count as "holderCount" from onchain.token
      where chain_id = ${chainId} and name = $1 order by created_at desc, address desc limit 20`,
    asked: ({ names }) => about("name", names),
  },
  {
    name: "graduations of a week",
    graphql: `query ($from: BigInt!, $to: BigInt!) {
      curves(
        where: { chainId: ${chainId}, graduated: true, graduatedAt_gte: $from, graduatedAt_lt: $to }
        orderBy: "graduatedAt", orderDirection: "desc", limit: 50
      ) { items { token pair graduatedAt launchedToken { name symbol creator } } }
    }`,
    answer: "curves.items",
    sql: `select c.token, c.pair, c.graduated_at as "graduatedAt",
        json_build_object('name', t.name, 'symbol', t.symbol, 'creator', t.creator) as "launchedToken"
      from onchain.curve c join onchain.token t on t.chain_id = c.chain_id and t.address = c.token
      where c.chain_id = ${chainId} and c.graduated and c.graduated_at >= $1 and c.graduated_at < $2
      order by c.graduated_at desc, c.token desc limit 50`,
    asked: ({ moments }) => from(moments, 7 * day),
  },
  {
    name: "all trades of a token, by cursor",
    graphql: `query ($token: String!, $after: String!) {
      trades(where: { chainId: ${chainId}, token: $token }, orderBy: "timestamp", orderDirection: "desc",
        limit: ${tradesOnPage}, after: $after) { items { ${tradeFields} } pageInfo { endCursor hasNextPage } }
    }`,
    answer: "trades.items",
    sql: `select ${tradeColumns} from onchain.trade
      where chain_id = ${chainId} and token = $1 and (timestamp, id) < ($2, $3)
      order by timestamp desc, trade.id desc limit ${tradesOnPage}`,
    asked: ({ tokens }) =>
      tokens.map(({ address, page }) => ({
        variables: { token: address, after: page.cursor },
        values: [address, page.timestamp, page.id],
      })),
  },
  {
    name: "trades by time range",
    graphql: `query ($from: BigInt!, $to: BigInt!) {
      trades(where: { chainId: ${chainId}, timestamp_gte: $from, timestamp_lt: $to }, orderBy: "timestamp",
        orderDirection: "desc", limit: 100) { items { token ${tradeFields} } }
    }`,
    answer: "trades.items",
    sql: `select token, ${tradeColumns} from onchain.trade
      where chain_id = ${chainId} and timestamp >= $1 and timestamp < $2 order by timestamp desc, trade.id desc limit 100`,
    asked: ({ moments }) => from(moments, 3_600),
  },
  {
    name: "candles of a day",
    graphql: `query ($token: String!, $from: BigInt!, $to: BigInt!) {
      candles(where: { chainId: ${chainId}, token: $token, interval: "1m", openTime_gte: $from, openTime_lt: $to },
        orderBy: "openTime", orderDirection: "asc", limit: 1000) {
        items { openTime openBnbX36 highBnbX36 lowBnbX36 closeBnbX36 volumeWei trades }
      }
    }`,
    answer: "candles.items",
    sql: `select open_time as "openTime", open_bnb_x36 as "openBnbX36", high_bnb_x36 as "highBnbX36", low_bnb_x36 as "lowBnbX36",
        close_bnb_x36 as "closeBnbX36", volume_wei as "volumeWei", trades
      from onchain.candle where chain_id = ${chainId} and token = $1 and interval = '1m' and open_time >= $2 and open_time < $3
      order by open_time limit 1000`,
    asked: ({ tokens }) =>
      tokens.map(({ address, day: from }) => ({
        variables: { token: address, from: String(from), to: String(from + day) },
        values: [address, from, from + day],
      })),
  },
  {
    name: "holders of a token, by balance",
    graphql: `query ($token: String!) {
      holders(where: { chainId: ${chainId}, token: $token, kind: account }, orderBy: "balanceRaw", orderDirection: "desc",
        limit: 100) { items { account balanceRaw } }
    }`,
    answer: "holders.items",
    sql: `select account, balance_raw as "balanceRaw" from onchain.holder where chain_id = ${chainId} and token = $1 and kind = 'account'
      order by balance_raw desc, account desc limit 100`,
    asked: ({ tokens }) => about("token", addressesOf(tokens)),
  },
  {
    name: "positions of an account",
    graphql: `query ($account: String!) {
      positions(where: { chainId: ${chainId}, account: $account }, orderBy: "lastTradeAt", orderDirection: "desc", limit: 50) {
        items { token buys sells bnbSpentWei bnbReceivedWei realisedWei lastTradeAt tradedToken { name symbol } }
      }
    }`,
    answer: "positions.items",
    sql: `select p.token, p.buys, p.sells, p.bnb_spent_wei as "bnbSpentWei", p.bnb_received_wei as "bnbReceivedWei",
        p.realised_wei as "realisedWei", p.last_trade_at as "lastTradeAt",
        json_build_object('name', t.name, 'symbol', t.symbol) as "tradedToken"
      from onchain.position p join onchain.token t on t.chain_id = p.chain_id and t.address = p.token
      where p.chain_id = ${chainId} and p.account = $1 order by p.last_trade_at desc, p.token desc limit 50`,
    asked: ({ traders }) => about("account", traders),
  },
  {
    name: "early buyers of a token",
    graphql: `query ($token: String!) {
      token(chainId: ${chainId}, address: $token) {
        earlyBuyers(limit: 50) { items { account block buyerAccount { firstSeenAt tokensCreated } } }
      }
    }`,
    answer: "token.earlyBuyers.items",
    sql: `select e.account, e.block,
        json_build_object('firstSeenAt', a.first_seen_at::text, 'tokensCreated', a.tokens_created) as "buyerAccount"
      from onchain.early_buyer e join onchain.account a on a.chain_id = e.chain_id and a.address = e.account
      where e.chain_id = ${chainId} and e.token = $1 order by e.account limit 50`,
    asked: ({ tokens }) => about("token", addressesOf(tokens)),
  },
];

/** Chooses what to ask about. The choice is the same for the same fixture. */
export async function chooseSubjects(client: pg.Client, url: string, size: FixtureSize) {
  const { rows: traded } = await client.query<{ token: string; last: string }>(
    `select token, last_trade_at as last from onchain.curve where chain_id = $1
     order by buys_to_date + sells_to_date desc, token limit $2`,
    [chainId, subjectsOfAKind],
  );
  // Each with the end of its first page of trades, and a day on which it was traded.
  const tokens = [];
  for (const { token, last } of traded) {
    const page = await endOfFirstPage(url, token);
    if (page !== undefined) tokens.push({ address: token, page, day: Number(last) - (Number(last) % day) });
  }
  const { rows: some } = await client.query<{ name: string; creator: string }>(
    "select name, creator from onchain.token where chain_id = $1 order by address limit $2",
    [chainId, subjectsOfAKind],
  );
  const spread = (count: number) =>
    Array.from({ length: subjectsOfAKind }, (_, index) => Math.floor((count * index) / subjectsOfAKind));
  return {
    tokens,
    names: some.map(({ name }) => name),
    // The first traders trade the most.
    traders: spread(traders(size)).map((number) => addressOf("trader", number)),
    creators: [bigCreator, smallCreator, ...some.map(({ creator }) => creator)],
    /** Unix times in seconds. */
    moments: spread(timeline.end - timeline.start).map((seconds) => timeline.start + seconds),
  };
}

/** The end of a token's first page of trades, if there are more. The id is the table's. */
async function endOfFirstPage(url: string, token: string) {
  type Trades = {
    items: { timestamp: string; id: string }[];
    pageInfo: { endCursor: string; hasNextPage: boolean };
  };
  const { trades } = await query<{ trades: Trades }>(
    url,
    `query ($token: String!) {
      trades(where: { chainId: ${chainId}, token: $token }, orderBy: "timestamp", orderDirection: "desc", limit: ${tradesOnPage}) {
        items { timestamp id } pageInfo { endCursor hasNextPage }
      }
    }`,
    { token },
  );
  const last = trades.items.at(-1);
  if (last === undefined || !trades.pageInfo.hasNextPage) return undefined;
  const { timestamp, id } = last;
  return { cursor: trades.pageInfo.endCursor, timestamp, id: id.replace(`${chainId}-`, "") };
}
