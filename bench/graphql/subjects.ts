import type pg from "pg";
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
import { type Page, type Subjects, tradesOnPage } from "./questions.ts";

const subjectsOfAKind = 20;
const day = 24 * 3_600;

/** Chooses what to ask about. The choice is the same for the same fixture. */
export async function chooseSubjects(client: pg.Client, url: string, size: FixtureSize): Promise<Subjects> {
  const { rows: traded } = await client.query<{ token: string; last: string }>(
    `select token, last_trade_at as last from onchain.curve where chain_id = $1
     order by buys_to_date + sells_to_date desc, token limit $2`,
    [chainId, subjectsOfAKind],
  );
  const tokens: Subjects["tokens"] = [];
  for (const { token, last } of traded) {
    const page = await firstPage(url, token);
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
    moments: spread(timeline.end - timeline.start).map((seconds) => timeline.start + seconds),
  };
}

async function firstPage(url: string, token: string): Promise<Page | undefined> {
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
