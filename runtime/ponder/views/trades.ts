import { chainOf, e8, e18, e36, placeOf, time, type View } from "./view.ts";

const id =
  "Block number and log index: sorts in the order of the chain. The id in REST and GraphQL has chain_id and a hyphen before it";

/* The reserves before a trade are those after it without what it moved. */
const bought = "case t.side when 'buy' then 1 else -1 end";
const bnbBefore = `t.bnb_reserves_wei - ${bought} * t.bnb_amount_wei`;
const tokensBefore = `t.token_reserves_raw + ${bought} * t.token_amount_raw`;

const usdAmount = e18("div(t.bnb_amount_wei * t.bnb_usd_x8, 1e8)");

export const trades: View = {
  name: "trades",
  key: ["chain_id", "id"],
  comment: "Every trade, on the curve and on the DEX",
  columns: {
    ...chainOf("t"),
    id: ["t.id", id],
    ...time(["time", "timestamp"], "t.timestamp", "When it took place", "order"),
    mint: ["t.token", "The token"],
    trader: ["t.trader", "The account that its tokens reached (a buy) or came from (a sell)"],
    venue: ["t.venue::text", "curve or dex"],
    side: ["t.side::text", "Seen from the trader: buy or sell"],
    bnb_amount: [e18("t.bnb_amount_wei"), "BNB paid or received"],
    token_amount: [e18("t.token_amount_raw"), "Tokens received or paid"],
    usd_amount: [
      usdAmount,
      "USD, at bnb_usd, rounded down to 18 decimals as in all totals; null without a rate",
    ],
    price_bnb: [e36("t.price_bnb_x36"), "BNB for one token, the average of this trade"],
    price_usd: [
      e36("div(t.price_bnb_x36 * t.bnb_usd_x8, 1e8)"),
      "USD for one token, rounded down to 36 decimals; null without a rate",
    ],
    price_after_bnb: [
      e36("div(t.bnb_reserves_wei * 1e36, nullif(t.token_reserves_raw, 0))"),
      "BNB for one token after this trade",
    ],
    bnb_usd: [e8("t.bnb_usd_x8"), "USD for one BNB when it took place; null without a rate"],
    realised_bnb: [
      e18("t.realised_wei"),
      "BNB that a sell brought less the average cost of its tokens; null for a buy",
    ],
    realised_usd: [e18("t.realised_usd_x18"), "The same in USD; null for a buy, and without rates"],
    bnb_reserves: [e18("t.bnb_reserves_wei"), "BNB after it: the curve's virtual reserves, or the pair's"],
    token_reserves: [
      e18("t.token_reserves_raw"),
      "Tokens after it: the curve's virtual reserves, or the pair's",
    ],
    ...placeOf("t"),
    price_before_bnb: [
      e36(`div((${bnbBefore}) * 1e36, nullif(${tokensBefore}, 0))`),
      "BNB for one token before this trade",
    ],
    amount_usd: [usdAmount, "usd_amount by its name in REST"],
  },
  from: "onchain.trade t",
};

export const liquidity: View = {
  name: "liquidity",
  key: ["chain_id", "id"],
  comment: "Liquidity added to DEX pairs and removed from them",
  columns: {
    ...chainOf("l"),
    id: ["l.id", id],
    ...time(["time", "timestamp"], "l.timestamp", "When it took place", "order"),
    mint: ["l.token", "The token"],
    pair: ["l.pair", "The DEX pair"],
    provider: [
      "l.provider",
      "The account that the pair's liquidity tokens reached, or came from; at graduation the launchpad",
    ],
    kind: ["l.kind::text", "Seen from the pair: add or remove"],
    bnb_amount: [e18("l.bnb_amount_wei"), "BNB added or removed"],
    token_amount: [e18("l.token_amount_raw"), "Tokens added or removed"],
    bnb_reserves: [e18("l.bnb_reserves_wei"), "BNB in the pair after it"],
    token_reserves: [e18("l.token_reserves_raw"), "Tokens in the pair after it"],
    ...placeOf("l"),
    token_account: ["l.token_account", "The account whose tokens were added, or that got those removed"],
  },
  from: "onchain.liquidity_change l",
};

export const transfers: View = {
  name: "transfers",
  key: ["chain_id", "id"],
  comment:
    "Movements of tokens that are no part of a trade, a creation, a graduation or a change of liquidity",
  columns: {
    ...chainOf("x"),
    id: ["x.id", id],
    ...time(["time", "timestamp"], "x.timestamp", "When it took place", "order"),
    mint: ["x.token", "The token"],
    from_account: ['x."from"', "Who had the tokens; the zero address for a mint"],
    to_account: ['x."to"', "Who got the tokens; the zero address for a burn"],
    token_amount: [
      e18("x.amount_raw"),
      "Tokens, without those that the same movement carried for a trade or a change of liquidity",
    ],
    ...placeOf("x"),
  },
  from: "onchain.transfer x",
};

const zeroAddress = `'0x${"0".repeat(40)}'`;
const burnAddress = "'0x000000000000000000000000000000000000dead'";

/*
 * One part for each side, so that those of an account are found by the tables' indexes. Every part has the same types: only then
 * can conditions be pushed down into it.
 */
const place = (table: string) => `${table}.block, ${table}.log_index, ${table}.timestamp, ${table}.tx`;
const traded = "case t.side when 'buy' then 1 else -1 end * coalesce(t.tokens_moved_raw, t.token_amount_raw)";
const added = "case l.kind when 'add' then 1 else -1 end * coalesce(l.tokens_moved_raw, l.token_amount_raw)";
const launchpadOf = (table: string) =>
  `join onchain.token k on k.chain_id = ${table}.chain_id and k.address = ${table}.token`;
const pairOf = `join onchain.curve c on c.chain_id = t.chain_id and c.token = t.token
     join onchain.dex_pair p on p.chain_id = c.chain_id and p.address = c.pair`;
const liquidityReason = "case when l.token_account = k.launchpad then 'graduation' else 'liquidity' end";
const transferReason = `case when x."from" = ${zeroAddress} then 'mint'
     when x."to" in (${zeroAddress}, ${burnAddress}) then 'burn' else 'transfer' end`;

const changes = [
  `select t.chain_id, t.token, t.trader as account, ${traded} as change, 'trade'::text as reason, ${place("t")}
     from onchain.trade t`,
  `select t.chain_id, t.token, k.launchpad, -(${traded}), 'trade'::text, ${place("t")}
     from onchain.trade t ${launchpadOf("t")} where t.venue = 'curve'`,
  `select t.chain_id, t.token, p.address, -(${traded}), 'trade'::text, ${place("t")}
     from onchain.trade t ${pairOf} where t.venue = 'dex'`,
  `select l.chain_id, l.token, l.token_account, -(${added}), ${liquidityReason}, ${place("l")}
     from onchain.liquidity_change l ${launchpadOf("l")}`,
  `select l.chain_id, l.token, l.pair, ${added}, ${liquidityReason}, ${place("l")}
     from onchain.liquidity_change l ${launchpadOf("l")}`,
  `select x.chain_id, x.token, x."from", -x.amount_raw, ${transferReason}, ${place("x")}
     from onchain.transfer x where x."from" <> ${zeroAddress}`,
  `select x.chain_id, x.token, x."to", x.amount_raw, ${transferReason}, ${place("x")}
     from onchain.transfer x where x."to" <> ${zeroAddress}`,
  `select k.chain_id, k.address, k.launchpad, k.launch_supply_raw, 'creation'::text,
     k.created_block, k.created_log_index, k.created_at, k.created_tx from onchain.token k`,
];

export const balanceChange: View = {
  name: "balance_change",
  comment:
    "Every change of a balance. Those of an account in a token add up to its balance, also of the launchpad, DEX pairs and burn addresses",
  columns: {
    ...chainOf("b"),
    mint: ["b.token", "The token"],
    account: ["b.account", "Whose balance changed"],
    change_raw: ["b.change", "Base units (18 decimals), below 0 for what left the account"],
    reason: ["b.reason", "trade, liquidity, graduation, creation, transfer, mint or burn"],
    block: ["b.block", "Block number"],
    log_index: [
      "b.log_index",
      "The log index of the row in trades, liquidity, transfers, or of the creation",
    ],
    ...time(["time", "timestamp"], "b.timestamp", "When it took place"),
    tx: ["b.tx", "Transaction hash"],
  },
  from: `(${changes.join("\n  union all ")}) b where b.change <> 0`,
};

export const bnbUsd: View = {
  name: "bnb_usd",
  key: ["chain_id", "id"],
  comment: "The answers of the BNB/USD price feed",
  columns: {
    ...chainOf("a"),
    id: ["a.id", id],
    ...time(["time", "timestamp"], "a.timestamp", "When the feed answered"),
    bnb_usd: [e8("a.answer_usd_x8"), "USD for one BNB"],
    feed: ["a.feed", "The contract that emitted the answer"],
    round_id: ["a.round_id", "The feed's own number of the answer"],
  },
  from: "onchain.bnb_usd_answer a",
};
