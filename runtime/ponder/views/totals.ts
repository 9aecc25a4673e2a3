import { chainOf, changed, e8, e18, time, type View } from "./view.ts";

/* Ponder's checkpoints are text: a time of 10 digits, then chain and block of 16 digits each. */
const blockOf = (checkpoint: string) => `substr(p.${checkpoint}, 27, 16)::int8`;
const timeOf = (checkpoint: string) => `substr(p.${checkpoint}, 1, 10)::int8`;

export const chains: View = {
  name: "chains",
  key: ["chain_id"],
  comment:
    "How far each chain is indexed. All views include blocks after final_block, which a reorg may still take back",
  columns: {
    ...chainOf("p"),
    indexed_block: [blockOf("latest_checkpoint"), "Number of the last indexed block"],
    ...time(["indexed_at", "indexed_timestamp"], timeOf("latest_checkpoint"), "Its time"),
    final_block: [blockOf("safe_checkpoint"), "Number of the last block that no reorg can take back"],
    ...time(["final_at", "final_timestamp"], timeOf("safe_checkpoint"), "Its time"),
  },
  from: "onchain._ponder_checkpoint p",
};

export const totals: View = {
  name: "totals",
  key: ["chain_id"],
  comment: "The totals of all tokens of a chain: one row",
  columns: {
    ...chainOf("l"),
    tokens: ["l.tokens", "Number of tokens created"],
    graduated: ["l.graduated", "Number of tokens that graduated"],
    buys: ["l.buys_to_date", "Number of buys"],
    sells: ["l.sells_to_date", "Number of sells"],
    volume_bnb: [e18("l.volume_to_date_wei"), "BNB traded, buys and sells"],
    volume_usd: [e18("l.volume_to_date_usd_x18"), "USD traded; trades without a rate add nothing"],
    in_curves_bnb: [e18("l.in_curves_wei"), "BNB that is in curves"],
    bnb_usd: [e8("l.bnb_usd_x8"), "USD for one BNB: the feed's last answer; null before the first"],
    ...time(["bnb_usd_at", "bnb_usd_timestamp"], "l.bnb_usd_at", "When the feed answered last; null before"),
    traders: ["l.traders", "Number of accounts that have traded"],
    sellers: ["l.sellers", "Number of accounts that have sold"],
    creators: ["l.creators", "Number of accounts that have created a token"],
    graduated_creators: ["l.graduated_creators", "Number of accounts that have created one that graduated"],
  },
  from: "onchain.launchpad l",
};

const day = 86_400;
/**
 * Joins the first or the last trade of a day, with the totals of all tokens after it. The totals before the day are not looked up: the
 * last trade before it may be far away, with all trades of another chain in between.
 */
const edgeTrade = (direction: "asc" | "desc", condition: string) => `left join lateral (
      select launchpad_buys_to_date as buys, launchpad_sells_to_date as sells, launchpad_volume_to_date_wei as wei,
        launchpad_volume_to_date_usd_x18 as usd, side, bnb_amount_wei, div(bnb_amount_wei * bnb_usd_x8, 1e8) as own_usd
      from onchain.trade where ${condition} and chain_id = d.chain_id and ${within("timestamp")}
      order by timestamp ${direction}, id ${direction} limit 1)`;
const grown = (column: string, own: string) => `coalesce(u.${column} - s.${column} + ${own}, 0)`;
const within = (column: string) => `${column} >= d.at and ${column} < d.at + ${day}`;

export const dailyTotals: View = {
  name: "daily_totals",
  key: ["chain_id", "day"],
  comment:
    "What happened on each day (UTC), all tokens of a chain together, from the day of the first token on",
  columns: {
    ...chainOf("d"),
    day: ["(to_timestamp(d.at) at time zone 'UTC')::date", "The day, UTC"],
    day_timestamp: ["d.at", "When it begins, in seconds since 1970"],
    buys: [grown("buys", "(s.side = 'buy')::int"), "Number of buys"],
    sells: [grown("sells", "(s.side = 'sell')::int"), "Number of sells"],
    volume_bnb: [e18(grown("wei", "s.bnb_amount_wei")), "BNB traded, buys and sells"],
    volume_usd: [
      e18(grown("usd", "coalesce(s.own_usd, 0)")),
      "USD traded; trades without a rate add nothing",
    ],
    traders: [
      `(select count(distinct x.trader) from onchain.trade x where x.chain_id = d.chain_id and ${within("x.timestamp")})`,
      "Number of accounts that traded. Reads the day's trades; the other columns don't",
    ],
    tokens_created: [
      `(select count(*) from onchain.token x where x.chain_id = d.chain_id and ${within("x.created_at")})`,
      "Number of tokens created",
    ],
    graduations: [
      `(select count(*) from onchain.curve x where x.chain_id = d.chain_id and x.graduated and ${within("x.graduated_at")})`,
      "Number of tokens that graduated",
    ],
  },
  from: `(
      select chain_id, generate_series(first - first % ${day}, last, ${day}) as at
      from (select p.chain_id, ${timeOf("latest_checkpoint")} as last,
          (select created_at from onchain.token where chain_id = p.chain_id order by created_at limit 1) as first
        from onchain._ponder_checkpoint p) spans
    ) d
    ${edgeTrade("asc", "true")} s on true
    ${edgeTrade("desc", "s.side is not null")} u on true`,
};

export const activeTokens: View = {
  name: "active_tokens",
  key: ["chain_id", "mint"],
  comment:
    "What was traded of each token in the 24 hours up to measured_at, of those that were traded in them",
  columns: {
    ...chainOf("a"),
    mint: ["a.address", "The token"],
    name: ["a.name", "As it is on the chain. Untrusted text"],
    symbol: ["a.symbol", "As it is on the chain. Untrusted text"],
    creator: ["a.creator", "The account that created the token"],
    volume_24h_bnb: [e18("a.volume_24h_wei"), "BNB traded, buys and sells"],
    trades_24h: ["a.trades_24h", "Number of trades"],
    traders_24h: ["a.traders_24h", "Number of accounts that traded"],
    ...time(["last_trade_at", "last_trade_timestamp"], "a.last_trade_at", "Its last trade"),
    ...time(["measured_at", "measured_timestamp"], "a.measured_at", "What the 24 hours end with"),
  },
  from: "onchain.active_token a",
};

export const pairs: View = {
  name: "pairs",
  key: ["chain_id", "pair"],
  comment: "The DEX pairs of graduated tokens",
  columns: {
    ...chainOf("d"),
    pair: ["d.address", "The pair, lower-case hex"],
    mint: ["d.token", "The graduated token"],
    bnb_reserves: [e18("d.bnb_reserves_wei"), "BNB in the pair"],
    token_reserves: [e18("d.token_reserves_raw"), "Tokens in the pair"],
    ...changed("d.changed_at"),
  },
  from: "onchain.dex_pair d",
};
