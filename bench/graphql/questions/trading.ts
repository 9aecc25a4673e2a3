import { chainId } from "../../api/seed/size.ts";
import { type Question, tradesOnPage } from "../question.ts";

const day = 24 * 3_600;
const hour = 3_600;

const tradeFields = "id side venue bnbAmountWei tokenAmountRaw priceBnbX36 trader timestamp tx";
const tradeColumns = `id, side, venue, bnb_amount_wei as "bnbAmountWei", token_amount_raw as "tokenAmountRaw", price_bnb_x36 as "priceBnbX36",
  trader, timestamp, tx`;

/** Questions about trades, candles and holders. */
export const tradingQuestions: Question[] = [
  {
    name: "all trades of a token, by cursor",
    graphql: `query ($token: String!, $after: String!) {
      trades(where: { chainId: ${chainId}, token: $token }, orderBy: "timestamp", orderDirection: "desc",
        limit: ${tradesOnPage}, after: $after) { items { ${tradeFields} } pageInfo { endCursor hasNextPage } }
    }`,
    answer: "trades.items",
    sql: `select ${tradeColumns} from onchain.trade
      where chain_id = ${chainId} and token = $1 and (timestamp, id) < ($2, $3)
      order by timestamp desc, id desc limit ${tradesOnPage}`,
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
      where chain_id = ${chainId} and timestamp >= $1 and timestamp < $2 order by timestamp desc, id desc limit 100`,
    asked: ({ moments }) =>
      moments.map((from) => ({
        variables: { from: String(from), to: String(from + hour) },
        values: [from, from + hour],
      })),
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
    asked: ({ tokens }) =>
      tokens.map(({ address }) => ({ variables: { token: address }, values: [address] })),
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
    asked: ({ traders }) => traders.map((account) => ({ variables: { account }, values: [account] })),
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
    asked: ({ tokens }) =>
      tokens.map(({ address }) => ({ variables: { token: address }, values: [address] })),
  },
];
