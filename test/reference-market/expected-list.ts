import type { OpenDatabase } from "../service/database.ts";
import { testSchema } from "../service/indexer.ts";

export const boards = ["all", "new", "graduating", "listed"] as const;
export const sorts = [
  "newest",
  "burn",
  "volume",
  "trades",
  "progress",
  "holders",
  "marketcap",
  "trending",
] as const;

export type ExpectedView = {
  board: (typeof boards)[number];
  sort: (typeof sorts)[number];
  q?: string;
  creator?: string;
};

/** A chain and the time in seconds at which what was traded lately ends. */
export type ExpectedAt = { chainId: number; now: number };

const onBoard = {
  all: "true",
  new: "not c.graduated and c.progress < 80",
  graduating: "not c.graduated and c.progress >= 80",
  listed: "c.graduated",
};

const since = (seconds: number) => `filter (where timestamp > $4 - ${seconds})`;

const newest = "t.created_block desc, t.created_log_index desc";

/** Numbers as the list has them, with the digits that a double has. */
const inOrder = {
  newest,
  burn: `t.burn_percent desc, ${newest}`,
  volume: `coalesce(volume, 0)::float8 desc, ${newest}`,
  trades: `coalesce(trades, 0) desc, ${newest}`,
  progress: `c.progress desc, ${newest}`,
  holders: `t.holder_count desc, ${newest}`,
  marketcap: `(c.price_x36 * t.total_supply)::float8 desc, ${newest}`,
  trending: `coalesce(trending, 0) desc, coalesce(volume, 0)::float8 desc, ${newest}`,
};

/**
 * The list as plain SQL has it, which reads every table as a whole and counts every trade. `q` has three characters or more, or
 * is the beginning of a mint.
 */
export async function expectedList(
  database: OpenDatabase,
  { board, sort, q = "", creator }: ExpectedView,
  { chainId, now }: ExpectedAt,
) {
  return await database.query(
    `select t.address as mint, t.name, t.symbol, t.creator, t.burn_percent as "burnPercent", r.description, r.verified,
       c.progress, c.graduated, c.pair, t.holder_count as "holderCount"
     from ${testSchema}.token t
     join ${testSchema}.curve c on (c.chain_id, c.token) = (t.chain_id, t.address)
     join offchain.registration r on (r.chain_id, r.mint, r.name, r.symbol, r.creator, r.burn_percent)
       = (t.chain_id, t.address, t.name, t.symbol, t.creator, t.burn_percent)
     left join (
       select chain_id, token, sum(bnb_amount) ${since(86_400)} as volume, count(*) ${since(86_400)} as trades,
         24 * count(distinct trader) ${since(3_600)} + 4 * count(distinct trader) ${since(21_600)}
           + count(distinct trader) ${since(86_400)} as trending
       from ${testSchema}.trade group by chain_id, token
     ) traded on (traded.chain_id, traded.token) = (t.chain_id, t.address)
     where t.chain_id = $3 and ${onBoard[board]} and ($1::text is null or t.creator = lower($1))
       and (strpos(lower(t.name), lower($2)) > 0 or strpos(lower(t.symbol), lower($2)) > 0
         or strpos(lower(coalesce(r.description, '')), lower($2)) > 0 or starts_with(t.address, lower($2)))
     order by ${inOrder[sort]}`,
    [creator ?? null, q, chainId, now],
  );
}
