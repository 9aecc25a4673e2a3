import type { OpenDatabase } from "../service/database.ts";
import { testSchema } from "../service/indexer.ts";

export const boards = ["all", "new", "graduating", "listed"] as const;
export const sorts = [
  "newest",
  "burn",
  "volume",
  "trades",
  "progress",
  "graduated",
  "holders",
  "marketcap",
  "trending",
  "gainers",
  "losers",
] as const;
export const windows = { "1h": 3_600, "6h": 21_600, "24h": 86_400 };

export type ExpectedView = {
  board: (typeof boards)[number];
  sort: (typeof sorts)[number];
  /** The window of movers. Default 24h. */
  window?: keyof typeof windows;
  q?: string;
  creator?: string;
  minVolumeBnb?: string;
  minTraders?: string;
  minHolders?: string;
  maxCreatorPercent?: string;
  maxInsiderPercent?: string;
  maxSniperPercent?: string;
  maxBundlerPercent?: string;
  maxCreatorBuysPercent?: string;
  maxOpeningBuysPercent?: string;
  minNetVolumeBnb?: string;
  verified?: "true";
  selfGraduated?: "false";
};

/** A chain, and the time in seconds at which the windows of recent trading end. */
export type ExpectedAt = { chainId: number; now: number };

const onBoard = {
  all: "true",
  new: "not c.graduated and c.progress < 80",
  graduating: "not c.graduated and c.progress >= 80",
  listed: "c.graduated",
};

const since = (seconds: number) => `filter (where timestamp > $4 - ${seconds})`;

const newest = "t.created_block desc, t.created_log_index desc";

/** Each sort's value as the list computes it, with the precision of a double. */
const orderBy = {
  newest,
  burn: `t.burn_percent desc, ${newest}`,
  volume: `coalesce(volume, 0)::float8 desc, ${newest}`,
  trades: `coalesce(trades, 0) desc, ${newest}`,
  progress: `c.progress desc, ${newest}`,
  graduated: `coalesce(c.graduated_at, 0) desc, ${newest}`,
  holders: `t.holder_count desc, ${newest}`,
  marketcap: `(c.price_bnb_x36 * t.total_supply_raw)::float8 desc, ${newest}`,
  trending: `coalesce(trending, 0) desc, coalesce(volume, 0)::float8 desc, ${newest}`,
  gainers: `(after / before)::float4 desc, ${newest}`,
  losers: `(before / after)::float4 desc, ${newest}`,
};

/** The price after the last trade that left one, up to `seconds` before $4; otherwise the curve's opening price. */
const priceUpTo = (seconds: number) => `coalesce((
  select div(bnb_reserves_wei * 1e36, token_reserves_raw) from ${testSchema}.trade
  where chain_id = t.chain_id and token = t.address and timestamp <= $4 - ${seconds} and token_reserves_raw > 0
    and bnb_reserves_wei * 1e36 >= token_reserves_raw
  order by id desc limit 1), c.opening_price_bnb_x36)::float8`;

/** The share of what accounts hold that some of them hold, in percent. */
const percentHeldBy = (condition: string) => `(
  select coalesce(floor(sum(balance_raw) filter (where ${condition}) * 1e6 / nullif(sum(balance_raw), 0)) / 1e4, 0)::float8
  from ${testSchema}.holder h where chain_id = t.chain_id and token = t.address and kind = 'account')`;

/** Whether a holder bought, without being the creator, in a block of which the curve's opening is at most so many blocks ago. */
const boughtWithin = (blocks: number) => `account <> t.creator and exists (
  select from ${testSchema}.early_buyer e where e.chain_id = h.chain_id and e.token = h.token and e.account = h.account
    and e.block <= c.opened_block + ${blocks})`;

/** The share of the BNB paid by buys that some of them paid, in percent. */
const percentBoughtBy = (condition: string) => `(
  select coalesce(floor(sum(bnb_amount_wei) filter (where ${condition}) * 1e6 / nullif(sum(bnb_amount_wei), 0)) / 1e4, 0)::float8
  from ${testSchema}.trade where chain_id = t.chain_id and token = t.address and side = 'buy')`;

/** What each account paid less what it received, or the other way round, added up, in wei. */
const netVolume = `(select coalesce(sum(abs(net)), 0) from (
  select sum(case side when 'buy' then bnb_amount_wei else -bnb_amount_wei end) as net
  from ${testSchema}.trade where chain_id = t.chain_id and token = t.address group by trader) accounts)`;

/**
 * Computes the list with plain SQL, which reads all tables in full and counts every trade. `q` has at least three characters, or is
 * the start of a mint.
 */
export async function expectedList(
  database: OpenDatabase,
  { board, sort, window = "24h", q = "", creator, ...conditions }: ExpectedView,
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
       select chain_id, token, sum(bnb_amount_wei) ${since(86_400)} as volume, count(*) ${since(86_400)} as trades,
         count(distinct trader) ${since(86_400)} as traders,
         24 * count(distinct trader) ${since(3_600)} + 4 * count(distinct trader) ${since(21_600)}
           + count(distinct trader) ${since(86_400)} as trending
       from ${testSchema}.trade group by chain_id, token
     ) traded on (traded.chain_id, traded.token) = (t.chain_id, t.address),
     lateral (select ${priceUpTo(0)} as after, ${priceUpTo(windows[window])} as before) price
     where t.chain_id = $3 and ${onBoard[board]} and ($1::text is null or t.creator = lower($1))
       and (strpos(lower(t.name), lower($2)) > 0 or strpos(lower(t.symbol), lower($2)) > 0
         or strpos(lower(coalesce(r.description, '')), lower($2)) > 0 or starts_with(t.address, lower($2)))
       and ($5::numeric is null or coalesce(volume, 0) >= $5 * 1e18) and ($6::int is null or t.holder_count >= $6)
       and ($7::float8 is null or ${percentHeldBy("account = t.creator")} <= $7) and ($8::boolean is null or r.verified)
       and ($10::float8 is null or ${percentHeldBy("insider_hops is not null")} <= $10)
       and ($11::float8 is null or ${percentHeldBy(boughtWithin(2))} <= $11)
       and ($12::float8 is null or ${percentHeldBy(boughtWithin(0))} <= $12) and ($13::boolean is null or c.graduated_by is distinct from t.creator)
       and ($14::int is null or coalesce(traders, 0) >= $14)
       and ($15::float8 is null or ${percentBoughtBy("trader = t.creator")} <= $15)
       and ($16::float8 is null or ${percentBoughtBy("block = c.opened_block")} <= $16)
       and ($17::numeric is null or ${netVolume} >= $17 * 1e18)
       and (not $9 or c.last_trade_at > $4 - ${windows[window]})
     order by ${orderBy[sort]}`,
    [
      ...[creator ?? null, q, chainId, now, conditions.minVolumeBnb ?? null, conditions.minHolders ?? null],
      ...[conditions.maxCreatorPercent ?? null, conditions.verified ?? null],
      sort === "gainers" || sort === "losers",
      ...[conditions.maxInsiderPercent ?? null, conditions.maxSniperPercent ?? null],
      ...[
        conditions.maxBundlerPercent ?? null,
        conditions.selfGraduated ?? null,
        conditions.minTraders ?? null,
        conditions.maxCreatorBuysPercent ?? null,
        conditions.maxOpeningBuysPercent ?? null,
        conditions.minNetVolumeBnb ?? null,
      ],
    ],
  );
}
