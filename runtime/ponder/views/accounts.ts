import { chainOf, changed, e18, time, type View } from "./view.ts";

export const accounts: View = {
  name: "accounts",
  key: ["chain_id", "account"],
  comment: "Every account that has held, traded or created a token, or changed liquidity, with its totals",
  columns: {
    ...chainOf("a"),
    account: ["a.address", "The account, lower-case hex"],
    ...time(["first_seen_at", "first_seen_timestamp"], "a.first_seen_at", "When it was first seen"),
    tokens_created: ["a.tokens_created", "Number of tokens that it created"],
    tokens_graduated: ["a.tokens_graduated", "Number of those that have graduated"],
    tokens_sold_out: ["a.tokens_sold_out", "Number of those that it once held and holds none of now"],
    trades: ["a.trades", "Number of its trades"],
    sells: ["a.sells", "Number of its sells"],
    volume_bnb: [e18("a.volume_wei"), "BNB traded, buys and sells"],
    volume_usd: [e18("a.volume_usd_x18"), "USD traded; null once a trade had no rate"],
    realised_bnb: [e18("a.realised_wei"), "BNB that its sells realised, by average cost; below 0 is a loss"],
    realised_usd: [e18("a.realised_usd_x18"), "The same in USD; null once a trade had no rate"],
    profitable_sells: ["a.profitable_sells", "Number of its sells that realised a gain in BNB"],
    ...changed("a.changed_at"),
  },
  from: "onchain.account a",
};

export const holders: View = {
  name: "holders",
  key: ["chain_id", "mint", "account"],
  comment: "The balance of every address in every token, those that sold out included",
  columns: {
    ...chainOf("h"),
    mint: ["h.token", "The token"],
    account: ["h.account", "The address that holds it"],
    balance: [e18("h.balance_raw"), "Tokens; 0 for those that sold or sent everything"],
    kind: ["h.kind::text", "What the address is: account, launchpad, pair or burn"],
    insider_hops: [
      "h.insider_hops",
      "The fewest transfers by which tokens of the creator reached it, 1 to 3; null for others",
    ],
    early_block: [
      "h.early_block",
      "How many blocks after the curve's opening it first bought there, 0 to 2 (0: bundlers, all: snipers, the creator apart); null for others",
    ],
    ...changed("h.changed_at"),
  },
  from: "onchain.holder h",
};

export const positions: View = {
  name: "positions",
  key: ["chain_id", "mint", "account"],
  comment:
    "What every account has made of a token, by average cost, which moves along with transferred tokens",
  columns: {
    ...chainOf("p"),
    mint: ["p.token", "The token"],
    account: ["p.account", "The account"],
    buys: ["p.buys", "Number of buys"],
    sells: ["p.sells", "Number of sells"],
    tokens_bought: [e18("p.tokens_bought_raw"), "Tokens bought so far"],
    tokens_sold: [e18("p.tokens_sold_raw"), "Tokens sold so far"],
    bnb_spent: [e18("p.bnb_spent_wei"), "BNB paid for buys"],
    bnb_received: [e18("p.bnb_received_wei"), "BNB received for sells"],
    open_tokens: [e18("p.open_tokens_raw"), "Tokens bought or received that are not sold or sent yet"],
    open_cost_bnb: [e18("p.open_cost_wei"), "BNB that open_tokens cost"],
    realised_bnb: [e18("p.realised_wei"), "BNB realised by sells; below 0 is a loss"],
    usd_spent: [e18("p.spent_usd_x18"), "USD paid for buys; null once a trade had no rate"],
    usd_received: [e18("p.received_usd_x18"), "USD received for sells; null once a trade had no rate"],
    open_cost_usd: [e18("p.open_cost_usd_x18"), "USD that open_tokens cost; null once a trade had no rate"],
    realised_usd: [e18("p.realised_usd_x18"), "USD realised by sells; null once a trade had no rate"],
    ...time(
      ["first_trade_at", "first_trade_timestamp"],
      "p.first_trade_at",
      "Its first trade of the token; null without one",
    ),
    ...time(
      ["last_trade_at", "last_trade_timestamp"],
      "p.last_trade_at",
      "Its last trade of the token; null without one",
    ),
    tokens_received: [e18("p.received_raw"), "Tokens received by transfers and from liquidity so far"],
    received_cost_bnb: [e18("p.received_cost_wei"), "BNB that tokens_received cost their senders"],
    tokens_sent: [e18("p.sent_raw"), "Tokens sent by transfers, burned or added to liquidity so far"],
    sent_cost_bnb: [e18("p.sent_cost_wei"), "BNB that tokens_sent cost"],
    ...changed("p.changed_at"),
  },
  from: "onchain.position p",
};

/*
 * An early buyer's trades in the first three blocks of the curve. No block is older than the token, and few trades of a token are as
 * old: the index of its trades by time finds them.
 */
const earlyBuys = `from onchain.trade t join onchain.curve c on c.chain_id = t.chain_id and c.token = t.token
  where t.chain_id = e.chain_id and t.token = e.token and t.trader = e.account and t.side = 'buy'
    and t.block between c.opened_block and c.opened_block + 2`;

export const earlyBuyers: View = {
  name: "early_buyers",
  key: ["chain_id", "mint", "account"],
  comment: "The accounts that bought a token in one of the first three blocks of its curve",
  columns: {
    ...chainOf("e"),
    mint: ["e.token", "The token"],
    account: ["e.account", "The account"],
    block: ["e.block", "Block number of its first buy"],
    tokens_bought: [e18("e.bought_raw"), "Tokens that it bought in those blocks"],
    bnb_spent: [e18(`(select sum(t.bnb_amount_wei) ${earlyBuys})`), "BNB that it paid for them"],
    ...time(
      ["first_buy_at", "first_buy_timestamp"],
      `(select min(t.timestamp) ${earlyBuys})`,
      "When it first bought",
    ),
  },
  from: "onchain.early_buyer e",
};
