import { type AnyColumn, sql } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/pg-core";
import { and, eq, index, onchainEnum, onchainTable, onchainView, primaryKey, relations } from "ponder";
import { tokenActivity, tokenActivityState } from "./offchain/activity.ts";
import { registration } from "./offchain/schema.ts";

/*
 * Every on-chain table. All of it can be rebuilt from the chain at any time.
 *
 * Amounts are exact integers, and their names end in the unit: "Wei"; "Raw" for base units of a token (18 decimals);
 * "X" with a number for fixed-point integers with so many decimals, as "UsdX18" for USD. The names of the specification stay as
 * they are (virtualBnbReserves, virtualTokenReserves, realTokenReserves, tokensSold, totalToSell, progress). Addresses and
 * hashes are lower-case hex. Times are block timestamps in seconds since 1970.
 *
 * Prices are "BnbX36", BNB per token with 36 decimals: the price of a token on a curve of 0.1 BNB starts near 10^-10, and
 * 36 decimals keep more than 20 significant digits of it. Prices in USD have 36 decimals too, amounts of USD 18. They need a
 * price feed, and are null without one.
 *
 * "ToDate" marks running totals that include the row's own trade: what was traded since some moment is the last
 * total minus the total of the last trade before it, however many trades lie between.
 *
 * Keys and indexes begin with the chain, except for the two that serve "newest" across all chains.
 */

/**
 * The time as the views for analysts have it. Rows arrive in its order, so that an index of the ranges of their pages is enough:
 * it takes almost no space, and writing a row doesn't touch it.
 */
const timeOf = (seconds: AnyColumn) => sql`to_timestamp(${seconds})`;

/** When the longer candles begin that the views for analysts make of the stored ones: 5m, 15m, 30m, 4h, 1d, 1w. */
const mergedTimesOf = (openTime: AnyColumn) => [
  sql`to_timestamp(${openTime} - ${openTime} % 300)`,
  sql`to_timestamp(${openTime} - ${openTime} % 900)`,
  sql`to_timestamp(${openTime} - ${openTime} % 1800)`,
  sql`to_timestamp(${openTime} - ${openTime} % 14400)`,
  sql`to_timestamp(${openTime} - ${openTime} % 86400)`,
  sql`to_timestamp(${openTime} - (${openTime} + 259200) % 604800)`,
];

/** Where a trade took place: on the bonding curve or, after graduation, on the DEX pair. */
export const tradeVenue = onchainEnum("trade_venue", ["curve", "dex"]);

/** Seen from the trader: `buy` takes tokens for BNB, `sell` gives tokens for BNB. */
export const tradeSide = onchainEnum("trade_side", ["buy", "sell"]);

/** What kind of address holds a balance. `token.holderCount` counts `account` only. */
export const holderKind = onchainEnum("holder_kind", ["account", "launchpad", "pair", "burn"]);

/** A token that the TokenFactory created. */
export const token = onchainTable(
  "token",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /** Lower-case hex. */
    address: t.hex().notNull(),
    /** The account that created the token. */
    creator: t.hex().notNull(),
    /** As it is on the chain, without NUL bytes, which Postgres cannot hold. Untrusted text. */
    name: t.text().notNull(),
    /** As it is on the chain, without NUL bytes. Untrusted text. */
    symbol: t.text().notNull(),
    /** Percent of the supply burned at launch, 30 to 70 with the reference launchpad. */
    burnPercent: t.integer().notNull(),
    /** CREATE2 salt; all zero for a token created without one. */
    salt: t.hex().notNull(),
    /** Base units (18 decimals): minted minus burned, from Transfer events. Equals the token's own totalSupply(). */
    totalSupplyRaw: t.bigint().notNull(),
    /** Base units that its creation left with the launchpad: what it minted to it less what it burned of that. */
    launchSupplyRaw: t.bigint().notNull(),
    /** The launchpad that sells the token. */
    launchpad: t.hex().notNull(),
    /** Accounts with a balance, without the launchpad, the DEX pair and burn addresses. */
    holderCount: t.integer().notNull(),
    /** Base units that accounts hold: the supply without what launchpad, DEX pair and burn addresses hold. */
    circulatingRaw: t.bigint().notNull(),
    /** The sum of the squares of accounts' balances in base units, at most 2^256 - 1. circulatingRaw² / balanceSquaresRaw is the effective number of holders. */
    balanceSquaresRaw: t.bigint().notNull(),
    /** Base units that the creator holds; null while it has never held any. */
    creatorBalanceRaw: t.bigint(),
    /** Accounts that got the token by transfer from its creator, or from such an account, over at most three transfers. */
    insiders: t.integer().notNull(),
    /** Base units that insiders hold. */
    insiderBalanceRaw: t.bigint().notNull(),
    /** Base units that the creator has transferred to accounts. */
    insiderReceivedRaw: t.bigint().notNull(),
    /** Base units held by accounts, the creator apart, that bought in the curve's first three blocks. */
    sniperBalanceRaw: t.bigint().notNull(),
    /** Base units held by accounts, the creator apart, that bought in the block in which the curve opened. */
    bundlerBalanceRaw: t.bigint().notNull(),
    /** Seconds since 1970. */
    createdAt: t.int8({ mode: "bigint" }).notNull(),
    /** Block number of the creation. */
    createdBlock: t.int8({ mode: "bigint" }).notNull(),
    /** Log index of the TokenCreated event in its block. */
    createdLogIndex: t.integer().notNull(),
    /** Hash of the transaction that created the token. */
    createdTx: t.hex().notNull(),
    /** When this row last changed, in seconds since 1970. If only balances of holders did, `curve.changedAt` has it. */
    changedAt: t.int8({ mode: "bigint" }).notNull(),
    /** A hash that look-alike symbols share; null if the symbol has neither letters nor digits. */
    symbolLookHash: t.hex(),
    /** A hash that look-alike names share; null if the name has neither letters nor digits. */
    nameLookHash: t.hex(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.address] }),
    // Of the pages of rows that have changed since some moment: no update of a row has to write into an index.
    byChange: index("token_changed_at_index")
      .using("brin", table.changedAt)
      .with({ autosummarize: true, pages_per_range: 4 }),
    byCreation: index("token_created_block_index").on(
      table.chainId,
      table.createdBlock,
      table.createdLogIndex,
    ),
    byCreator: index("token_creator_index").on(table.chainId, table.creator, table.createdAt, table.address),
    byBurnPercent: index("token_burn_percent_index").on(
      table.chainId,
      table.burnPercent,
      table.createdBlock,
      table.createdLogIndex,
    ),
    byAge: index("token_newest_index").on(table.createdAt, table.chainId, table.address),
    // By its hash, since an index in the order of names would refuse one of some thousand bytes.
    byName: index("token_name_index").using("hash", table.name),
    bySymbolLook: index("token_symbol_look_index").on(
      table.chainId,
      table.symbolLookHash,
      table.createdBlock,
      table.createdLogIndex,
    ),
    byNameLook: index("token_name_look_index").on(
      table.chainId,
      table.nameLookHash,
      table.createdBlock,
      table.createdLogIndex,
    ),
  }),
);

/**
 * A token's bonding curve: the fields that `Launchpad.curves(token)` returns, and what is derived from them.
 * Its columns have explicit SQL names, since drizzle derives none for the second table of a view (`listing`).
 */
export const curve = onchainTable(
  "curve",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer("chain_id").notNull(),
    /** The token that the curve sells. */
    token: t.hex("token").notNull(),
    /** Percent of the token's supply burned at launch. */
    burnPercent: t.integer("burn_percent").notNull(),
    /** Wei. Half of the price: virtualBnbReserves / virtualTokenReserves. */
    virtualBnbReserves: t.bigint("virtual_bnb_reserves").notNull(),
    /** Base units (18 decimals). The other half of the price. */
    virtualTokenReserves: t.bigint("virtual_token_reserves").notNull(),
    /** Base units left to buy on the curve: totalToSell - tokensSold. */
    realTokenReserves: t.bigint("real_token_reserves").notNull(),
    /** Base units sold on the curve, less those sold back. */
    tokensSold: t.bigint("tokens_sold").notNull(),
    /** Base units that the curve offers in all. */
    totalToSell: t.bigint("total_to_sell").notNull(),
    /** Percent of totalToSell that is sold, rounded down to 4 decimals; 100 if and only if graduated. */
    progress: t.doublePrecision("progress").notNull(),
    /** Whether the token has graduated to the DEX. */
    graduated: t.boolean("graduated").notNull(),
    /** Seconds since 1970; null before graduation. */
    graduatedAt: t.int8("graduated_at", { mode: "bigint" }),
    /** The DEX pair; null before graduation. */
    pair: t.hex("pair"),
    /** BNB per token with 36 decimals, now: on the curve or on the DEX, where liquidity moves it too. */
    priceBnbX36: t.bigint("price_bnb_x36").notNull(),
    /**
     * Wei that sells can take out: what buyers have paid to the curve less what sellers took back; after graduation the BNB
     * reserves of the DEX pair.
     */
    liquidityWei: t.bigint("liquidity_wei").notNull(),
    /** Block number of the CurveOpened event; null before it. */
    openedBlock: t.int8("opened_block", { mode: "bigint" }),
    /** BNB per token with 36 decimals when the curve opened. */
    openingPriceBnbX36: t.bigint("opening_price_bnb_x36").notNull(),
    /** USD per token with 36 decimals at the rate when the curve opened; null without a rate. */
    openingPriceUsdX36: t.bigint("opening_price_usd_x36"),
    /**
     * Wei: the virtualBnbReserves at which the last of totalToSell is sold. The buy that gets there graduates
     * the token.
     */
    graduationBnbReservesWei: t.bigint("graduation_bnb_reserves_wei").notNull(),
    /**
     * BNB per token with 36 decimals after the last trade, ignoring liquidity changes since; the opening price before the
     * first trade. The next candle opens at it.
     */
    closePriceBnbX36: t.bigint("close_price_bnb_x36").notNull(),
    /** USD per token with 36 decimals at the rate of the last trade; null without a rate. */
    closePriceUsdX36: t.bigint("close_price_usd_x36"),
    /** Number of buys so far, on the curve and the DEX. */
    buysToDate: t.integer("buys_to_date").notNull(),
    /** Number of sells so far, on the curve and the DEX. */
    sellsToDate: t.integer("sells_to_date").notNull(),
    /** Wei traded so far, buys and sells. */
    volumeToDateWei: t.bigint("volume_to_date_wei").notNull(),
    /** USD traded so far with 18 decimals, each trade at its own rate; trades without a rate add nothing. */
    volumeToDateUsdX18: t.bigint("volume_to_date_usd_x18").notNull(),
    /** Seconds since 1970; null before the first trade. */
    lastTradeAt: t.int8("last_trade_at", { mode: "bigint" }),
    /** `trade.id` of the last trade; null before the first one. */
    lastTradeId: t.text("last_trade_id"),
    /** When this row last changed, in seconds since 1970. */
    changedAt: t.int8("changed_at", { mode: "bigint" }).notNull(),
    /** Block and log index of the graduation, in the form of `trade.id`; null before it. */
    graduatedId: t.text("graduated_id"),
    /** The account that made the graduating buy; null before graduation. */
    graduatedBy: t.hex("graduated_by"),
    /** Wei that buys have paid so far. */
    boughtToDateWei: t.bigint("bought_to_date_wei").notNull(),
    /** Wei that the creator's buys have paid so far. */
    creatorBoughtToDateWei: t.bigint("creator_bought_to_date_wei").notNull(),
    /** Wei that buys have paid in the block in which the curve opened, the creator's included. */
    openingBoughtWei: t.bigint("opening_bought_wei").notNull(),
    /**
     * Wei traded so far without what accounts traded back and forth: the difference between what an account paid and what it received, over all
     * accounts.
     */
    netVolumeToDateWei: t.bigint("net_volume_to_date_wei").notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.token] }),
    byProgress: index("curve_progress_index").on(table.chainId, table.graduated, table.progress, table.token),
    byGraduation: index("curve_graduated_at_index").on(
      table.chainId,
      table.graduated,
      table.graduatedAt,
      table.token,
    ),
    byLastTrade: index("curve_last_trade_index").on(table.chainId, table.lastTradeAt, table.token),
    byChange: index("curve_changed_at_index").on(table.chainId, table.changedAt),
  }),
);

/** One trade: a Trade event of the curve or a Swap event of the DEX pair. */
export const trade = onchainTable(
  "trade",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /**
     * Block number and log index, zero-padded: sorts as text in the order of the chain. GraphQL has the chain before it, as in
     * `56-000045612378-000042`: such ids are unique over chains.
     */
    id: t.text().notNull(),
    /** The token that was traded. */
    token: t.hex().notNull(),
    /** The account that the bought tokens reached, or that the sold ones came from, in the transaction. */
    trader: t.hex().notNull(),
    /** Where it took place. */
    venue: tradeVenue().notNull(),
    /** Seen from the trader. */
    side: tradeSide().notNull(),
    /** Wei. */
    bnbAmountWei: t.bigint().notNull(),
    /** Base units (18 decimals). */
    tokenAmountRaw: t.bigint().notNull(),
    /**
     * Base units that moved from the market to the trader in a buy, or from the trader to the market in a sell, by the token's
     * Transfer events in the transaction; null where that is tokenAmountRaw, as in almost every trade. Others are a sell of tokens
     * that had reached the pair before, for example.
     */
    tokensMovedRaw: t.bigint(),
    /**
     * BNB per token with 36 decimals that this trade paid on average: bnbAmountWei / tokenAmountRaw. 0 when no tokens
     * moved.
     */
    priceBnbX36: t.bigint("price_bnb_x36").notNull(),
    /** Block number. */
    block: t.int8({ mode: "bigint" }).notNull(),
    /** Seconds since 1970. */
    timestamp: t.int8({ mode: "bigint" }).notNull(),
    /** Transaction hash. */
    tx: t.hex().notNull(),
    /** The transaction's index in its block. */
    txIndex: t.integer().notNull(),
    /** The event's log index in its block. */
    logIndex: t.integer().notNull(),
    /**
     * Wei after this trade: the curve's virtual reserves, or those of the pair. bnbReservesWei / tokenReservesRaw is
     * the price after it.
     */
    bnbReservesWei: t.bigint().notNull(),
    /** Base units after this trade: the curve's virtual reserves, or those of the pair. */
    tokenReservesRaw: t.bigint().notNull(),
    /** USD for one BNB with 8 decimals when it took place; null without a rate. */
    bnbUsdX8: t.bigint("bnb_usd_x8"),
    /** Wei that a sell realised: what it brought less the average cost of its tokens, below 0 is a loss. Null for a buy. */
    realisedWei: t.bigint(),
    /** USD with 18 decimals that a sell realised. Null for a buy, and where the account's position has no result in USD. */
    realisedUsdX18: t.bigint("realised_usd_x18"),
    /** Number of buys of this token up to this trade, this one included. */
    buysToDate: t.integer().notNull(),
    /** Number of sells of this token up to this trade, this one included. */
    sellsToDate: t.integer().notNull(),
    /** Wei traded of this token up to this trade, this one included. */
    volumeToDateWei: t.bigint().notNull(),
    /** USD traded of this token, with 18 decimals, up to this trade, this one included. */
    volumeToDateUsdX18: t.bigint("volume_to_date_usd_x18").notNull(),
    /** Number of buys of all tokens of the chain up to this trade, this one included. */
    launchpadBuysToDate: t.integer().notNull(),
    /** Number of sells of all tokens of the chain up to this trade, this one included. */
    launchpadSellsToDate: t.integer().notNull(),
    /** Wei traded of all tokens of the chain up to this trade, this one included. */
    launchpadVolumeToDateWei: t.bigint().notNull(),
    /** USD traded of all tokens of the chain, with 18 decimals, up to this trade, this one included. */
    launchpadVolumeToDateUsdX18: t.bigint("launchpad_volume_to_date_usd_x18").notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.id] }),
    // Without the id: a block has few trades of the same second to put in order, and these are the largest indexes.
    byToken: index("trade_token_index").on(table.chainId, table.token, table.timestamp),
    byTrader: index("trade_trader_index").on(table.chainId, table.trader, table.timestamp),
    byAge: index("trade_newest_index").on(table.timestamp, table.chainId),
    byPlace: index("trade_place_index")
      .using("brin", timeOf(table.timestamp), table.block, table.tx.op("text_bloom_ops"))
      .with({ autosummarize: true }),
  }),
);

/**
 * The balance of one account in one token, from ERC-20 Transfer events alone: equals balanceOf at every block.
 * An account that sold out keeps its row, with balance 0.
 */
export const holder = onchainTable(
  "holder",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /** The token that is held. */
    token: t.hex().notNull(),
    /** The address that holds it. */
    account: t.hex().notNull(),
    /** Base units (18 decimals); 0 for an account that sold or sent everything. */
    balanceRaw: t.bigint().notNull(),
    /** What the address is. */
    kind: holderKind().notNull(),
    /** The fewest transfers by which tokens of the creator reached the account, 1 to 3: see `token.insiders`. Null for others. */
    insiderHops: t.integer(),
    /** How many blocks after the curve's opening the account first bought on it, 0 to 2. Null for others. */
    earlyBlock: t.integer(),
    /** When this row last changed, in seconds since 1970: mostly its balance. */
    changedAt: t.int8({ mode: "bigint" }).notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.token, table.account] }),
    byTokenBalance: index("holder_token_balance_index").on(
      table.chainId,
      table.token,
      table.balanceRaw,
      table.account,
    ),
    // Without the token: an account has few equal balances to put in order.
    byAccount: index("holder_account_index").on(table.chainId, table.account, table.balanceRaw),
  }),
);

/**
 * A former balance at the end of days: of `fromDay`, on which it came about, and of the days after it up to the one before
 * `untilDay`. Balances of 0 have no row, and the current one is in `holder`. Together with the changes within one day (trades, transfers
 * and changes of liquidity) this gives every balance at any block.
 */
export const pastBalance = onchainTable(
  "past_balance",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /** The token that was held. */
    token: t.hex().notNull(),
    /** The address that held it. */
    account: t.hex().notNull(),
    /** The day on which it changed again, as the number of days since 1970 in UTC. */
    untilDay: t.integer().notNull(),
    /** The first day that ended with it, likewise. */
    fromDay: t.integer().notNull(),
    /** Base units (18 decimals), more than 0. */
    balanceRaw: t.bigint().notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.token, table.account, table.untilDay] }),
    byDay: index("past_balance_day_index").using("brin", table.untilDay).with({ autosummarize: true }),
  }),
);

/** The DEX pair of a graduated token. */
export const dexPair = onchainTable(
  "dex_pair",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /** The pair. */
    address: t.hex().notNull(),
    /** The graduated token. */
    token: t.hex().notNull(),
    /** Wei. */
    bnbReservesWei: t.bigint().notNull(),
    /** Base units (18 decimals). */
    tokenReservesRaw: t.bigint().notNull(),
    /** Whether the pair's token0 is the launched token; null until a Sync event shows it, in the graduation or after it. */
    tokenIsToken0: t.boolean(),
    /** When this row last changed, in seconds since 1970. */
    changedAt: t.int8({ mode: "bigint" }).notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.address] }),
    byToken: index("dex_pair_token_index").on(table.chainId, table.token),
  }),
);

/** Seen from the pair: `add` pays both sides in, `remove` takes both sides out. */
export const liquidityKind = onchainEnum("liquidity_kind", ["add", "remove"]);

/**
 * Liquidity that was added to a graduated token's DEX pair, or removed from it: a Mint or Burn event of the pair. The first
 * is what the launchpad added at graduation, from its Graduated event. Swaps, fees, gifts and `skim` are none.
 */
export const liquidityChange = onchainTable(
  "liquidity_change",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /**
     * Block number and log index, zero-padded: sorts as text in the order of the chain. GraphQL has the chain before it, as in
     * `56-000045612378-000042`: such ids are unique over chains.
     */
    id: t.text().notNull(),
    /** The graduated token. */
    token: t.hex().notNull(),
    /** The DEX pair. */
    pair: t.hex().notNull(),
    /** The account that the pair's liquidity tokens reached, or came from; at graduation the launchpad, which has no row in `account`. */
    provider: t.hex().notNull(),
    /** The account whose tokens were added, or that got the removed ones: mostly the provider. */
    tokenAccount: t.hex().notNull(),
    /** Whether liquidity was added or removed. */
    kind: liquidityKind().notNull(),
    /** Wei that were added or removed. */
    bnbAmountWei: t.bigint().notNull(),
    /** Base units (18 decimals) that were added or removed. */
    tokenAmountRaw: t.bigint().notNull(),
    /** Base units that moved between tokenAccount and pair, by the token's Transfer events in the transaction; null where that is tokenAmountRaw. */
    tokensMovedRaw: t.bigint(),
    /** Wei in the pair after it. */
    bnbReservesWei: t.bigint().notNull(),
    /** Base units (18 decimals) in the pair after it. */
    tokenReservesRaw: t.bigint().notNull(),
    /** Block number. */
    block: t.int8({ mode: "bigint" }).notNull(),
    /** Seconds since 1970. */
    timestamp: t.int8({ mode: "bigint" }).notNull(),
    /** Transaction hash. */
    tx: t.hex().notNull(),
    /** The transaction's index in its block. */
    txIndex: t.integer().notNull(),
    /** The event's log index in its block. */
    logIndex: t.integer().notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.id] }),
    byToken: index("liquidity_token_index").on(table.chainId, table.token, table.timestamp, table.id),
    byProvider: index("liquidity_provider_index").on(
      table.chainId,
      table.provider,
      table.timestamp,
      table.id,
    ),
    byAge: index("liquidity_newest_index").on(table.timestamp, table.chainId, table.id),
    byPlace: index("liquidity_place_index")
      .using("brin", timeOf(table.timestamp), table.block, table.tx.op("text_bloom_ops"))
      .with({ autosummarize: true }),
  }),
);

/**
 * A movement of tokens that is no part of a trade, a creation, a graduation or a change of liquidity: a gift, an airdrop, a fee, a
 * burn. From the token's Transfer events, without those of nothing or to oneself.
 */
export const transfer = onchainTable(
  "transfer",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /**
     * Block number and log index, zero-padded: sorts as text in the order of the chain. GraphQL has the chain before it, as in
     * `56-000045612378-000042`: such ids are unique over chains.
     */
    id: t.text().notNull(),
    /** The token that moved. */
    token: t.hex().notNull(),
    /** Who had the tokens; the zero address for a mint. */
    from: t.hex().notNull(),
    /** Who got them; the zero address for a burn. */
    to: t.hex().notNull(),
    /** Base units (18 decimals), without those that the same movement carried for a trade or a change of liquidity. */
    amountRaw: t.bigint().notNull(),
    /** Block number. */
    block: t.int8({ mode: "bigint" }).notNull(),
    /** Seconds since 1970. */
    timestamp: t.int8({ mode: "bigint" }).notNull(),
    /** Transaction hash. */
    tx: t.hex().notNull(),
    /** The transaction's index in its block. */
    txIndex: t.integer().notNull(),
    /** The event's log index in its block. */
    logIndex: t.integer().notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.id] }),
    // Without the id, as for trades.
    byToken: index("transfer_token_index").on(table.chainId, table.token, table.timestamp),
    byFrom: index("transfer_from_index").on(table.chainId, table.from, table.timestamp),
    byTo: index("transfer_to_index").on(table.chainId, table.to, table.timestamp),
    byAge: index("transfer_newest_index").on(table.timestamp, table.chainId),
    byPlace: index("transfer_place_index")
      .using("brin", timeOf(table.timestamp), table.block, table.tx.op("text_bloom_ops"))
      .with({ autosummarize: true }),
  }),
);

/**
 * What was traded of a token in a minute or an hour, which begins at a multiple of its length since 1970. It opens at the price
 * after the previous trade (the first one at the curve's opening price), and each trade moves it to the price after that
 * trade, on the curve or on the DEX. An interval without trades has no row. Candles of other lengths are made of these when
 * they are asked for, as REST does.
 */
export const candle = onchainTable(
  "candle",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /** The token that was traded. */
    token: t.hex().notNull(),
    /** The length: `1m` or `1h`. Text in GraphQL, whose enum values can't begin with a digit. */
    interval: t.text({ enum: ["1m", "1h"] }).notNull(),
    /** When the interval begins, in seconds since 1970. */
    openTime: t.int8({ mode: "bigint" }).notNull(),
    /** BNB per token with 36 decimals: the price before the first trade of the interval. */
    openBnbX36: t.bigint("open_bnb_x36").notNull(),
    /** BNB per token with 36 decimals: the highest price, the opening one included. */
    highBnbX36: t.bigint("high_bnb_x36").notNull(),
    /** BNB per token with 36 decimals: the lowest price, the opening one included. */
    lowBnbX36: t.bigint("low_bnb_x36").notNull(),
    /** BNB per token with 36 decimals: the price after the last trade. */
    closeBnbX36: t.bigint("close_bnb_x36").notNull(),
    /** Wei traded, buys and sells. */
    volumeWei: t.bigint().notNull(),
    /** Base units traded, buys and sells. */
    volumeRaw: t.bigint().notNull(),
    /** Number of trades. */
    trades: t.integer().notNull(),
    /** USD per token with 36 decimals; null where no trade of the interval had a rate. */
    openUsdX36: t.bigint("open_usd_x36"),
    /** USD per token with 36 decimals, each price at the rate of its trade; null as openUsdX36. */
    highUsdX36: t.bigint("high_usd_x36"),
    /** USD per token with 36 decimals, each price at the rate of its trade; null as openUsdX36. */
    lowUsdX36: t.bigint("low_usd_x36"),
    /** USD per token with 36 decimals at the rate of the last trade; null as openUsdX36. */
    closeUsdX36: t.bigint("close_usd_x36"),
    /** USD traded with 18 decimals, each trade at its own rate; null as openUsdX36. */
    volumeUsdX18: t.bigint("volume_usd_x18"),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.token, table.interval, table.openTime] }),
    byTime: index("candle_time_index")
      .using("brin", timeOf(table.openTime), ...mergedTimesOf(table.openTime))
      .with({ autosummarize: true }),
  }),
);

/**
 * An account's profit and loss in one token, by average cost: a sale realises its proceeds minus the average cost of
 * as many tokens. Transfers move the average cost along with the tokens; what comes from the mint or from liquidity costs nothing.
 */
export const position = onchainTable(
  "position",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /** The token. */
    token: t.hex().notNull(),
    /** The account that traded, received or sent it. */
    account: t.hex().notNull(),
    /** Number of buys. */
    buys: t.integer().notNull(),
    /** Number of sells. */
    sells: t.integer().notNull(),
    /** Base units bought so far. */
    tokensBoughtRaw: t.bigint().notNull(),
    /** Base units sold so far. */
    tokensSoldRaw: t.bigint().notNull(),
    /** Wei paid for buys so far. */
    bnbSpentWei: t.bigint().notNull(),
    /** Wei received for sells so far. */
    bnbReceivedWei: t.bigint().notNull(),
    /** Base units received so far other than by buys: by transfers, and from liquidity. */
    receivedRaw: t.bigint().notNull(),
    /** Wei that receivedRaw cost their senders, by the average cost of each. */
    receivedCostWei: t.bigint().notNull(),
    /** Base units sent so far other than by sells: by transfers, to burn addresses, and to liquidity. */
    sentRaw: t.bigint().notNull(),
    /** Wei that sentRaw cost, by the average cost when they were sent. */
    sentCostWei: t.bigint().notNull(),
    /** Base units that were bought or received and are not sold or sent yet: the balance, except in the cases that market-data.md names. */
    openTokensRaw: t.bigint().notNull(),
    /** Wei that openTokensRaw cost: bnbSpentWei + receivedCostWei - sentCostWei - what sold tokens cost, which is bnbReceivedWei - realisedWei. */
    openCostWei: t.bigint().notNull(),
    /** Wei realised by sells; below 0 is a loss. */
    realisedWei: t.bigint().notNull(),
    /** USD paid for buys with 18 decimals, each at its own rate; null once a trade, or received tokens with a cost, had no rate. */
    spentUsdX18: t.bigint("spent_usd_x18"),
    /** USD received for sells with 18 decimals; null as spentUsdX18. */
    receivedUsdX18: t.bigint("received_usd_x18"),
    /** USD that openTokensRaw cost, with 18 decimals; null as spentUsdX18. */
    openCostUsdX18: t.bigint("open_cost_usd_x18"),
    /** USD realised by sells with 18 decimals, below 0 is a loss; null as spentUsdX18. */
    realisedUsdX18: t.bigint("realised_usd_x18"),
    /** Seconds since 1970; null for an account that only received or sent tokens. */
    firstTradeAt: t.int8({ mode: "bigint" }),
    /** Seconds since 1970; null as firstTradeAt. */
    lastTradeAt: t.int8({ mode: "bigint" }),
    /** When this row last changed, in seconds since 1970. */
    changedAt: t.int8({ mode: "bigint" }).notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.token, table.account] }),
    byTokenTrade: index("position_token_index").on(table.chainId, table.token, table.lastTradeAt),
    // Without the token: an account trades few at the same second, and receives few that it never trades.
    byAccount: index("position_account_index").on(table.chainId, table.account, table.lastTradeAt),
  }),
);

/** An account that bought a token in one of the first three blocks of its curve. */
export const earlyBuyer = onchainTable(
  "early_buyer",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /** The token that was bought. */
    token: t.hex().notNull(),
    /** The account that bought it. */
    account: t.hex().notNull(),
    /** Block number of its first buy. */
    block: t.int8({ mode: "bigint" }).notNull(),
    /** Base units that it bought in those blocks. */
    boughtRaw: t.bigint().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.chainId, table.token, table.account] }) }),
);

/** How many tokens of a chain have the same symbol, ignoring case and the blanks around it. */
export const tokenSymbol = onchainTable(
  "token_symbol",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /** SHA-256 of the trimmed, lower-case symbol, since a symbol may be too long for a key. */
    symbolHash: t.hex().notNull(),
    /** Number of tokens. */
    tokens: t.integer().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.chainId, table.symbolHash] }) }),
);

/** The totals of all tokens of a chain: one row. */
export const launchpad = onchainTable(
  "launchpad",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /** Number of tokens created. */
    tokens: t.integer().notNull(),
    /** Number of tokens that graduated. */
    graduated: t.integer().notNull(),
    /** Number of buys so far. */
    buysToDate: t.integer().notNull(),
    /** Number of sells so far. */
    sellsToDate: t.integer().notNull(),
    /** Wei traded so far, buys and sells. */
    volumeToDateWei: t.bigint().notNull(),
    /** USD traded so far with 18 decimals, each trade at its own rate; trades without a rate add nothing. */
    volumeToDateUsdX18: t.bigint("volume_to_date_usd_x18").notNull(),
    /** Wei that buyers have paid to curves, less what sellers took back and what graduations took to the DEX. */
    inCurvesWei: t.bigint().notNull(),
    /** USD for one BNB with 8 decimals: the price feed's last answer; null before the first one. */
    bnbUsdX8: t.bigint("bnb_usd_x8"),
    /** When the price feed answered last, in seconds since 1970; null before the first answer. */
    bnbUsdAt: t.int8({ mode: "bigint" }),
    /** Number of accounts that have traded. */
    traders: t.integer().notNull(),
    /** Number of accounts that have sold. */
    sellers: t.integer().notNull(),
    /** Number of accounts that have created a token. */
    creators: t.integer().notNull(),
    /** Number of accounts that have created a token which has graduated. */
    graduatedCreators: t.integer().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.chainId] }) }),
);

/** An answer of the BNB/USD price feed. */
export const bnbUsdAnswer = onchainTable(
  "bnb_usd_answer",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /** Block number and log index, in the form of `trade.id`. */
    id: t.text().notNull(),
    /** The aggregator that emitted it. */
    feed: t.hex().notNull(),
    /** The feed's own number of the answer. */
    roundId: t.bigint().notNull(),
    /** USD for one BNB with 8 decimals. */
    answerUsdX8: t.bigint("answer_usd_x8").notNull(),
    /** Block timestamp in seconds since 1970. */
    timestamp: t.int8({ mode: "bigint" }).notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.id] }),
    byAge: index("bnb_usd_answer_time_index").on(table.chainId, table.timestamp),
  }),
);

/**
 * Every address that has held, traded or created a token, or changed the liquidity of one, with its record as a creator and its
 * totals as a trader. Its relations lead to its holdings, trades, positions, liquidity and tokens.
 */
export const account = onchainTable(
  "account",
  (t) => ({
    /** 56 (mainnet) or 97 (testnet). */
    chainId: t.integer().notNull(),
    /** Lower-case hex. */
    address: t.hex().notNull(),
    /** When it first held, traded or created a token, or changed the liquidity of one, in seconds since 1970. */
    firstSeenAt: t.int8({ mode: "bigint" }).notNull(),
    /** Number of tokens that it created. */
    tokensCreated: t.integer().notNull(),
    /** Number of the tokens that it created which have graduated. */
    tokensGraduated: t.integer().notNull(),
    /** Number of the tokens that it created which it once held and holds none of now. */
    tokensSoldOut: t.integer().notNull(),
    /** Number of its trades, of all tokens. */
    trades: t.integer().notNull(),
    /** Number of its sells, of all tokens. */
    sells: t.integer().notNull(),
    /** Wei that it has traded of all tokens, buys and sells. */
    volumeWei: t.bigint().notNull(),
    /** USD that it has traded with 18 decimals, each trade at its own rate; null once a trade had no rate. */
    volumeUsdX18: t.bigint("volume_usd_x18"),
    /** Wei that its sells of all tokens have realised, by the average cost of each; below 0 is a loss. */
    realisedWei: t.bigint().notNull(),
    /** USD realised with 18 decimals, below 0 is a loss; null once a trade had no rate. */
    realisedUsdX18: t.bigint("realised_usd_x18"),
    /** How many of its sells realised a gain in BNB. */
    profitableSells: t.integer().notNull(),
    /** When this row last changed, in seconds since 1970. */
    changedAt: t.int8({ mode: "bigint" }).notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.address] }),
    byRealised: index("account_realised_index").on(table.chainId, table.realisedWei, table.address),
    byVolume: index("account_volume_index").on(table.chainId, table.volumeWei, table.address),
    byTrades: index("account_trades_index").on(table.chainId, table.trades, table.address),
    byCreated: index("account_created_index").on(table.chainId, table.tokensCreated, table.address),
    byGraduated: index("account_graduated_index").on(table.chainId, table.tokensGraduated, table.address),
  }),
);

/** Registered tokens only: on-chain data beside what was registered off-chain. */
export const listing = onchainView("listing").as((qb) =>
  qb
    .select({
      chainId: token.chainId,
      address: token.address,
      name: token.name,
      symbol: token.symbol,
      creator: token.creator,
      burnPercent: token.burnPercent,
      totalSupplyRaw: token.totalSupplyRaw,
      launchpad: token.launchpad,
      holderCount: token.holderCount,
      createdAt: token.createdAt,
      createdBlock: token.createdBlock,
      createdLogIndex: token.createdLogIndex,
      virtualBnbReserves: curve.virtualBnbReserves,
      virtualTokenReserves: curve.virtualTokenReserves,
      realTokenReserves: curve.realTokenReserves,
      tokensSold: curve.tokensSold,
      totalToSell: curve.totalToSell,
      progress: curve.progress,
      graduated: curve.graduated,
      graduatedAt: curve.graduatedAt,
      pair: curve.pair,
      priceBnbX36: curve.priceBnbX36,
      lastTradeAt: curve.lastTradeAt,
      description: registration.description,
      imageUrl: registration.imageUrl,
      twitterUrl: registration.twitterUrl,
      telegramUrl: registration.telegramUrl,
      websiteUrl: registration.websiteUrl,
      verified: registration.verified,
      /** When it was registered, in seconds since 1970 in GraphQL. A timestamp in SQL. */
      registeredAt: registration.registeredAt,
    })
    .from(token)
    .innerJoin(curve, and(eq(curve.chainId, token.chainId), eq(curve.token, token.address)))
    .innerJoin(
      registration,
      // After a reorg another token may be at the address that was registered.
      and(
        eq(registration.chainId, token.chainId),
        eq(registration.mint, token.address),
        eq(registration.creator, token.creator),
        eq(registration.name, token.name),
        eq(registration.symbol, token.symbol),
        eq(registration.burnPercent, token.burnPercent),
      ),
    ),
);

/**
 * What was traded in the 24 hours up to `measuredAt`, of each token that was traded in them: measured anew with new blocks, at
 * least once a minute.
 */
export const activeToken = onchainView("active_token").as((qb) =>
  qb
    .select({
      /** 56 (mainnet) or 97 (testnet). */
      chainId: tokenActivity.chainId,
      address: token.address,
      name: token.name,
      symbol: token.symbol,
      creator: token.creator,
      /** Wei traded in the 24 hours, buys and sells. */
      volume24hWei: tokenActivity.volume24hWei,
      /** Number of trades in the 24 hours. */
      trades24h: tokenActivity.trades24h,
      /** Number of accounts that traded in the 24 hours. */
      traders24h: tokenActivity.traders24h,
      /** Time of its last trade, in seconds since 1970. */
      lastTradeAt: tokenActivity.lastTradeAt,
      /** Time of the block that the 24 hours end with, in seconds since 1970. */
      measuredAt: tokenActivityState.measuredAt,
      /** Number of that block. */
      measuredBlock: tokenActivityState.measuredBlock,
    })
    .from(tokenActivity)
    .innerJoin(
      tokenActivityState,
      and(
        eq(tokenActivityState.schema, tokenActivity.schema),
        eq(tokenActivityState.chainId, tokenActivity.chainId),
      ),
    )
    .innerJoin(token, and(eq(token.chainId, tokenActivity.chainId), eq(token.address, tokenActivity.token)))
    .where(eq(tokenActivity.schema, getTableConfig(token).schema ?? "public")),
);

export const tokenRelations = relations(token, ({ one, many }) => ({
  /** The token's bonding curve. */
  curve: one(curve, { fields: [token.chainId, token.address], references: [curve.chainId, curve.token] }),
  /** The account that created the token. */
  creatorAccount: one(account, {
    fields: [token.chainId, token.creator],
    references: [account.chainId, account.address],
  }),
  /** Its trades, on the curve and on the DEX. */
  trades: many(trade),
  /** Its stored candles. */
  candles: many(candle),
  /** Who holds it, or once did. */
  holders: many(holder),
  /** What accounts have made of trading it. */
  positions: many(position),
  /** The accounts that bought it first. */
  earlyBuyers: many(earlyBuyer),
  /** The DEX pair, once graduated. */
  pairs: many(dexPair),
  /** Liquidity that was added to and removed from its DEX pair. */
  liquidityChanges: many(liquidityChange),
  /** Its movements that are no part of a trade, a creation, a graduation or a change of liquidity. */
  transfers: many(transfer),
}));

export const curveRelations = relations(curve, ({ one }) => ({
  /** The token that the curve sells. */
  launchedToken: one(token, {
    fields: [curve.chainId, curve.token],
    references: [token.chainId, token.address],
  }),
  /** The last trade; null before the first one. */
  lastTrade: one(trade, {
    fields: [curve.chainId, curve.lastTradeId],
    references: [trade.chainId, trade.id],
  }),
}));

export const tradeRelations = relations(trade, ({ one }) => ({
  /** The token that was traded. */
  tradedToken: one(token, {
    fields: [trade.chainId, trade.token],
    references: [token.chainId, token.address],
  }),
  /** The account that traded. */
  traderAccount: one(account, {
    fields: [trade.chainId, trade.trader],
    references: [account.chainId, account.address],
  }),
}));

export const holderRelations = relations(holder, ({ one }) => ({
  /** The token that is held. */
  heldToken: one(token, {
    fields: [holder.chainId, holder.token],
    references: [token.chainId, token.address],
  }),
  /** The account that holds it; null for addresses that are no account. */
  holderAccount: one(account, {
    fields: [holder.chainId, holder.account],
    references: [account.chainId, account.address],
  }),
}));

export const candleRelations = relations(candle, ({ one }) => ({
  /** The token that was traded. */
  tradedToken: one(token, {
    fields: [candle.chainId, candle.token],
    references: [token.chainId, token.address],
  }),
}));

export const positionRelations = relations(position, ({ one }) => ({
  /** The token that was traded. */
  tradedToken: one(token, {
    fields: [position.chainId, position.token],
    references: [token.chainId, token.address],
  }),
  /** The account that traded it. */
  traderAccount: one(account, {
    fields: [position.chainId, position.account],
    references: [account.chainId, account.address],
  }),
}));

export const earlyBuyerRelations = relations(earlyBuyer, ({ one }) => ({
  /** The token that was bought. */
  boughtToken: one(token, {
    fields: [earlyBuyer.chainId, earlyBuyer.token],
    references: [token.chainId, token.address],
  }),
  /** The account that bought it. */
  buyerAccount: one(account, {
    fields: [earlyBuyer.chainId, earlyBuyer.account],
    references: [account.chainId, account.address],
  }),
}));

export const dexPairRelations = relations(dexPair, ({ one }) => ({
  /** The graduated token. */
  pairedToken: one(token, {
    fields: [dexPair.chainId, dexPair.token],
    references: [token.chainId, token.address],
  }),
}));

export const liquidityChangeRelations = relations(liquidityChange, ({ one }) => ({
  /** The token of the pair. */
  pooledToken: one(token, {
    fields: [liquidityChange.chainId, liquidityChange.token],
    references: [token.chainId, token.address],
  }),
  /** The pair. */
  dexPair: one(dexPair, {
    fields: [liquidityChange.chainId, liquidityChange.pair],
    references: [dexPair.chainId, dexPair.address],
  }),
  /** Who provided the liquidity, or took it out. */
  providerAccount: one(account, {
    fields: [liquidityChange.chainId, liquidityChange.provider],
    references: [account.chainId, account.address],
  }),
}));

export const transferRelations = relations(transfer, ({ one }) => ({
  /** The token that moved. */
  movedToken: one(token, {
    fields: [transfer.chainId, transfer.token],
    references: [token.chainId, token.address],
  }),
  /** The account that had the tokens; null for addresses that are no account. */
  fromAccount: one(account, {
    fields: [transfer.chainId, transfer.from],
    references: [account.chainId, account.address],
    relationName: "sent",
  }),
  /** The account that got the tokens; null for addresses that are no account. */
  toAccount: one(account, {
    fields: [transfer.chainId, transfer.to],
    references: [account.chainId, account.address],
    relationName: "received",
  }),
}));

export const accountRelations = relations(account, ({ many }) => ({
  /** What the account holds, or once held. */
  holdings: many(holder),
  /** The trades that it made. */
  trades: many(trade),
  /** What it has made of trading each token. */
  positions: many(position),
  /** The liquidity that it added and removed. */
  liquidityChanges: many(liquidityChange),
  /** The transfers that it sent. */
  sentTransfers: many(transfer, { relationName: "sent" }),
  /** The transfers that it received. */
  receivedTransfers: many(transfer, { relationName: "received" }),
  /** The tokens that it created. */
  createdTokens: many(token),
}));
