import { exampleQuery } from "../../../src/api/graphql/editor.ts";
import { chainId } from "../../api/seed/size.ts";
import type { Question } from "../question.ts";

const week = 7 * 24 * 3_600;

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

/** Questions about tokens. */
export const tokenQuestions: Question[] = [
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
    asked: ({ creators }) => creators.map((creator) => ({ variables: { creator }, values: [creator] })),
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
    asked: ({ anyTokens }) => anyTokens.map(({ name }) => ({ variables: { name }, values: [name] })),
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
    asked: ({ moments }) =>
      moments.map((from) => ({
        variables: { from: String(from), to: String(from + week) },
        values: [from, from + week],
      })),
  },
];
