import { chainOf, e8, e18, e36, placeOf, time, type View } from "./view.ts";

const id = "Block number and log index: sorts in the order of the chain";

export const trades: View = {
  name: "trades",
  comment: "Every trade, on the curve and on the DEX",
  columns: {
    ...chainOf("t"),
    id: ["t.id", id],
    ...time(["time", "timestamp"], "t.timestamp", "When it took place", "order"),
    mint: ["t.token", "The token"],
    trader: ["t.trader", "The account that traded; on the DEX the one that sent the transaction"],
    venue: ["t.venue::text", "curve or dex"],
    side: ["t.side::text", "Seen from the trader: buy or sell"],
    bnb_amount: [e18("t.bnb_amount_wei"), "BNB paid or received"],
    token_amount: [e18("t.token_amount_raw"), "Tokens received or paid"],
    usd_amount: [
      `${e18("t.bnb_amount_wei")} * ${e8("t.bnb_usd_x8")}`,
      "USD, at bnb_usd; null without a rate",
    ],
    price_bnb: [e36("t.price_bnb_x36"), "BNB for one token, the average of this trade"],
    price_usd: [
      `${e36("t.price_bnb_x36")} * ${e8("t.bnb_usd_x8")}`,
      "USD for one token; null without a rate",
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
  },
  from: "onchain.trade t",
};

export const liquidity: View = {
  name: "liquidity",
  comment: "Liquidity added to DEX pairs and removed from them",
  columns: {
    ...chainOf("l"),
    id: ["l.id", id],
    ...time(["time", "timestamp"], "l.timestamp", "When it took place", "order"),
    mint: ["l.token", "The token"],
    pair: ["l.pair", "The DEX pair"],
    provider: ["l.provider", "The account that sent the transaction; at graduation the launchpad"],
    kind: ["l.kind::text", "Seen from the pair: add or remove"],
    bnb_amount: [e18("l.bnb_amount_wei"), "BNB added or removed"],
    token_amount: [e18("l.token_amount_raw"), "Tokens added or removed"],
    bnb_reserves: [e18("l.bnb_reserves_wei"), "BNB in the pair after it"],
    token_reserves: [e18("l.token_reserves_raw"), "Tokens in the pair after it"],
    ...placeOf("l"),
  },
  from: "onchain.liquidity_change l",
};

export const bnbUsd: View = {
  name: "bnb_usd",
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
