import { chainOf, changed, e18, e36, placeOf, time, type View } from "./view.ts";

export const tokens: View = {
  name: "tokens",
  key: ["chain_id", "mint"],
  comment: "Every token that the factory created, registered or not",
  columns: {
    ...chainOf("t"),
    mint: ["t.address", "The token's address, lower-case hex"],
    name: ["t.name", "As it is on the chain. Untrusted text"],
    symbol: ["t.symbol", "As it is on the chain. Untrusted text"],
    creator: ["t.creator", "The account that created the token"],
    launchpad: ["t.launchpad", "The launchpad that sells it"],
    burn_percent: ["t.burn_percent", "Percent of the supply burned at launch"],
    total_supply: [e18("t.total_supply_raw"), "Tokens: minted minus burned"],
    circulating_supply: [
      e18("t.circulating_raw"),
      "Tokens that accounts hold: not the launchpad, the DEX pair and burn addresses",
    ],
    creator_balance: [e18("coalesce(t.creator_balance_raw, 0)"), "Tokens that the creator holds"],
    holders: ["t.holder_count", "Number of accounts with a balance"],
    effective_holders: [
      "div(t.circulating_raw * t.circulating_raw * 10000, nullif(t.balance_squares_raw, 0)) * 1e-4",
      "Rounded down to 4 decimals: the number of accounts with equal balances that would be as concentrated (inverse Herfindahl index); null without holders",
    ],
    ...time(["created_at", "created_timestamp"], "t.created_at", "When it was created"),
    created_block: ["t.created_block", "Block number of the creation"],
    created_log_index: ["t.created_log_index", "Log index of the creation in its block"],
    created_tx: ["t.created_tx", "Hash of the transaction that created it"],
    salt: ["t.salt", "CREATE2 salt; all zero for a token created without one"],
    holder_count: ["t.holder_count", "The same as holders, under the name of the REST API"],
    // A curve notes each transfer of its token.
    ...changed("greatest(t.changed_at, c.changed_at)"),
  },
  // Without the column above, the planner leaves the curve out.
  from: "onchain.token t left join onchain.curve c on c.chain_id = t.chain_id and c.token = t.address",
};

/* Rounded as in REST, so that both say the same to the last digit. */
const toUsd = (amount: string) =>
  `div(${amount} * (select l.bnb_usd_x8 from onchain.launchpad l where l.chain_id = c.chain_id), 1e8)`;
const marketCapWei =
  "div(c.price_bnb_x36 * (select t.total_supply_raw from onchain.token t where t.chain_id = c.chain_id and t.address = c.token), 1e36)";

export const curves: View = {
  name: "curves",
  key: ["chain_id", "mint"],
  comment: "The bonding curve of every token, and what was traded of it, on the curve and on the DEX",
  columns: {
    ...chainOf("c"),
    mint: ["c.token", "The token"],
    price_bnb: [e36("c.price_bnb_x36"), "BNB for one token, now: on the curve, or on the DEX"],
    last_trade_price_bnb: [
      e36("c.close_price_bnb_x36"),
      "BNB for one token after the last trade; the opening price before the first one",
    ],
    last_trade_price_usd: [
      e36("c.close_price_usd_x36"),
      "USD for one token after the last trade, at its rate; null without a rate",
    ],
    opening_price_bnb: [e36("c.opening_price_bnb_x36"), "BNB for one token when the curve opened"],
    opening_price_usd: [
      e36("c.opening_price_usd_x36"),
      "USD for one token when the curve opened; null without a rate",
    ],
    liquidity_bnb: [
      e18("c.liquidity_wei"),
      "BNB that sells can take out: of the curve or, after graduation, of the DEX pair",
    ],
    progress: ["c.progress", "Percent of the curve's tokens that are sold; 100 if and only if graduated"],
    graduated: ["c.graduated", "Whether it has graduated to the DEX"],
    ...time(["graduated_at", "graduated_timestamp"], "c.graduated_at", "When it graduated; null before"),
    graduated_by: ["c.graduated_by", "The account whose buy graduated it; null before"],
    pair: ["c.pair", "The DEX pair; null before graduation"],
    virtual_bnb_reserves: [e18("c.virtual_bnb_reserves"), "BNB, the virtual reserves of the curve"],
    virtual_token_reserves: [e18("c.virtual_token_reserves"), "Tokens, the virtual reserves of the curve"],
    tokens_left: [e18("c.real_token_reserves"), "Tokens that the curve still sells"],
    tokens_sold: [e18("c.tokens_sold"), "Tokens sold on the curve, less those sold back"],
    tokens_to_sell: [e18("c.total_to_sell"), "Tokens that the curve sells in all"],
    graduation_bnb_reserves: [
      e18("c.graduation_bnb_reserves_wei"),
      "BNB: the virtual reserves with which it graduates",
    ],
    buys: ["c.buys_to_date", "Number of buys so far"],
    sells: ["c.sells_to_date", "Number of sells so far"],
    volume_bnb: [e18("c.volume_to_date_wei"), "BNB traded so far, buys and sells"],
    volume_usd: [e18("c.volume_to_date_usd_x18"), "USD traded so far; trades without a rate add nothing"],
    ...time(
      ["last_trade_at", "last_trade_timestamp"],
      "c.last_trade_at",
      "The last trade; null before the first",
    ),
    price_usd: [
      e36(toUsd("c.price_bnb_x36")),
      "USD for one token, now: price_bnb at the feed's last answer, rounded down to 36 decimals; null before the first",
    ],
    market_cap_bnb: [e18(marketCapWei), "BNB: price_bnb of the total supply, rounded down to 18 decimals"],
    market_cap_usd: [
      e18(toUsd(marketCapWei)),
      "USD: the same at the feed's last answer, rounded down to 18 decimals; null before the first",
    ],
    opened_block: ["c.opened_block", "Block number of the curve's opening"],
    bought_bnb: [e18("c.bought_to_date_wei"), "BNB that buys paid so far"],
    creator_bought_bnb: [e18("c.creator_bought_to_date_wei"), "BNB that the creator's buys paid so far"],
    opening_bought_bnb: [
      e18("c.opening_bought_wei"),
      "BNB that buys paid in the block of the curve's opening, the creator's included",
    ],
    net_volume_bnb: [
      e18("c.net_volume_to_date_wei"),
      "volume_bnb without back and forth: what each account paid less what it received, or the other way round, over all accounts",
    ],
    ...changed("c.changed_at", "It has an index"),
  },
  from: "onchain.curve c",
};

export const graduations: View = {
  name: "graduations",
  key: ["chain_id", "mint"],
  comment: "Every graduation of a token from its curve to the DEX",
  columns: {
    ...chainOf("c"),
    mint: ["c.token", "The token"],
    pair: ["c.pair", "Its DEX pair"],
    creator: ["t.creator", "The account that created the token"],
    graduated_by: ["c.graduated_by", "The account whose buy graduated it"],
    ...time(["time", "timestamp"], "c.graduated_at", "When it graduated"),
    seconds_to_graduate: ["c.graduated_at - t.created_at", "Seconds from creation to graduation"],
    id: ["c.graduated_id", "Block number and log index: sorts in the order of the chain"],
    ...placeOf("l"),
    liquidity_bnb: [e18("l.bnb_amount_wei"), "BNB that the launchpad added to the pair"],
    liquidity_tokens: [e18("l.token_amount_raw"), "Tokens that the launchpad added to the pair"],
  },
  from: `onchain.curve c join onchain.token t on t.chain_id = c.chain_id and t.address = c.token
    left join onchain.liquidity_change l on l.chain_id = c.chain_id and l.id = c.graduated_id
    where c.graduated`,
};

export const registrations: View = {
  name: "registrations",
  key: ["chain_id", "mint"],
  comment:
    "What was registered of tokens off-chain, while they are on the chain. Texts and links are untrusted",
  columns: {
    ...chainOf("r"),
    mint: ["r.mint", "The token"],
    name: ["r.name", "As it is on the chain"],
    symbol: ["r.symbol", "As it is on the chain"],
    creator: ["r.creator", "The account that created the token"],
    burn_percent: ["r.burn_percent", "Percent of the supply burned at launch"],
    description: ["r.description", "Null without one"],
    image_url: ["r.image_url", "Often ipfs://; null without one"],
    twitter_url: ["r.twitter_url", "Null without one"],
    telegram_url: ["r.telegram_url", "Null without one"],
    website_url: ["r.website_url", "Null without one"],
    verified: ["r.verified", "Whether the token's creator signed it"],
    registered_at: ["r.registered_at", "When it was first registered"],
  },
  from: `offchain.registration r join onchain.token t on t.chain_id = r.chain_id and t.address = r.mint
    and t.creator = r.creator and t.name = r.name and t.symbol = r.symbol and t.burn_percent = r.burn_percent`,
};
