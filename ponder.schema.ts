import { and, eq, index, onchainEnum, onchainTable, onchainView, primaryKey, relations } from "ponder";
import { registration } from "./offchain/schema.ts";

/*
 * Every on-chain table. All of it can be rebuilt from the chain at any time.
 *
 * Amounts are exact integers: wei of BNB, or base units of a token (18 decimals). Addresses and hashes are
 * lower-case hex. Times are block timestamps in seconds since 1970.
 *
 * Prices are BNB per token as a fixed-point integer with 36 decimals (priceX36 / 10^36): the price of a
 * token on a curve of 0.1 BNB starts near 10^-10, and 36 decimals keep more than 20 significant digits of it.
 * Prices in USD have 36 decimals too, amounts of USD 18. They need a price feed, and are null without one.
 *
 * "To date" is a running total, with the row's own trade in it: what was traded since some moment is the last total less
 * the one of the last trade before it, whatever number of trades lies between.
 *
 * Keys and indexes begin with the chain. The two that don't serve "newest" over all chains.
 */

/** Where a trade took place: on the bonding curve or, after graduation, on the DEX pair. */
export const tradeVenue = onchainEnum("trade_venue", ["curve", "dex"]);

/** Seen from the trader: `buy` takes tokens for BNB, `sell` gives tokens for BNB. */
export const tradeSide = onchainEnum("trade_side", ["buy", "sell"]);

/** What holds a balance. Only `account` is a holder in the sense of `token.holderCount`. */
export const holderKind = onchainEnum("holder_kind", ["account", "launchpad", "pair", "burn"]);

/** A token that the TokenFactory created. */
export const token = onchainTable(
  "token",
  (t) => ({
    chainId: t.integer().notNull(),
    address: t.hex().notNull(),
    creator: t.hex().notNull(),
    /** As the chain has it, without NUL bytes, which Postgres cannot hold. Untrusted text. */
    name: t.text().notNull(),
    symbol: t.text().notNull(),
    /** Percent of the supply burned at launch. */
    burnPercent: t.integer().notNull(),
    /** CREATE2 salt; all zero for a token created without one. */
    salt: t.hex().notNull(),
    /** Minted minus burned, from Transfer events: equals the token's own totalSupply(). */
    totalSupply: t.bigint().notNull(),
    launchpad: t.hex().notNull(),
    /** Accounts with a balance, without the launchpad, the DEX pair and burn addresses. */
    holderCount: t.integer().notNull(),
    createdAt: t.int8({ mode: "bigint" }).notNull(),
    createdBlock: t.int8({ mode: "bigint" }).notNull(),
    createdLogIndex: t.integer().notNull(),
    createdTx: t.hex().notNull(),
    /** When this row changed last. */
    changedAt: t.int8({ mode: "bigint" }).notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.address] }),
    byChange: index("token_changed_at_index").on(table.chainId, table.changedAt),
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
  }),
);

/**
 * A token's bonding curve, field by field what `Launchpad.curves(token)` returns, and what follows from it.
 * Its columns are named in SQL, since drizzle derives no names for the second table of a view (`listing`).
 */
export const curve = onchainTable(
  "curve",
  (t) => ({
    chainId: t.integer("chain_id").notNull(),
    token: t.hex("token").notNull(),
    burnPercent: t.integer("burn_percent").notNull(),
    virtualBnbReserves: t.bigint("virtual_bnb_reserves").notNull(),
    virtualTokenReserves: t.bigint("virtual_token_reserves").notNull(),
    /** Tokens left to buy on the curve: totalToSell - tokensSold. */
    realTokenReserves: t.bigint("real_token_reserves").notNull(),
    tokensSold: t.bigint("tokens_sold").notNull(),
    totalToSell: t.bigint("total_to_sell").notNull(),
    /** Percent of totalToSell that is sold, rounded down to 4 decimals; 100 when and only when graduated. */
    progress: t.doublePrecision("progress").notNull(),
    graduated: t.boolean("graduated").notNull(),
    graduatedAt: t.int8("graduated_at", { mode: "bigint" }),
    /** The DEX pair, once graduated. */
    pair: t.hex("pair"),
    /** Price after the last trade, on the curve or on the DEX. */
    priceX36: t.bigint("price_x36").notNull(),
    /** The block of the CurveOpened event; null before it. */
    openedBlock: t.int8("opened_block", { mode: "bigint" }),
    /** Price at which the curve opened. */
    openingPriceX36: t.bigint("opening_price_x36").notNull(),
    /** The same in USD at the rate of that moment: null where none was known. */
    openingPriceUsdX36: t.bigint("opening_price_usd_x36"),
    /** virtualBnbReserves with which the last of totalToSell is sold: the buy that gets there graduates the token. */
    graduationBnbReserves: t.bigint("graduation_bnb_reserves").notNull(),
    /**
     * Price after the last trade, without what liquidity has moved since; the opening price before the first one. A
     * candle opens where this was.
     */
    closePriceX36: t.bigint("close_price_x36").notNull(),
    /** The same in USD at the rate of that moment: null where none was known. */
    closePriceUsdX36: t.bigint("close_price_usd_x36"),
    buysToDate: t.integer("buys_to_date").notNull(),
    sellsToDate: t.integer("sells_to_date").notNull(),
    volumeBnbToDate: t.bigint("volume_bnb_to_date").notNull(),
    volumeUsdToDate: t.bigint("volume_usd_to_date").notNull(),
    lastTradeAt: t.int8("last_trade_at", { mode: "bigint" }),
    lastTradeId: t.text("last_trade_id"),
    /** When this row changed last. */
    changedAt: t.int8("changed_at", { mode: "bigint" }).notNull(),
    /** Block and log index of the graduation, as `trade.id`. */
    graduatedId: t.text("graduated_id"),
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

/** One trade. On the DEX, one Swap event. */
export const trade = onchainTable(
  "trade",
  (t) => ({
    chainId: t.integer().notNull(),
    /** Block and log index, zero-padded: sorts as text in the order of the chain. */
    id: t.text().notNull(),
    token: t.hex().notNull(),
    /** On the curve the launchpad's `trader`; on the DEX the account that sent the transaction. */
    trader: t.hex().notNull(),
    venue: tradeVenue().notNull(),
    side: tradeSide().notNull(),
    bnbAmount: t.bigint().notNull(),
    tokenAmount: t.bigint().notNull(),
    /** What this trade paid on average: bnbAmount / tokenAmount. 0 when no tokens moved. */
    priceX36: t.bigint("price_x36").notNull(),
    block: t.int8({ mode: "bigint" }).notNull(),
    timestamp: t.int8({ mode: "bigint" }).notNull(),
    tx: t.hex().notNull(),
    /** The transaction's place in its block. */
    txIndex: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    /** After this trade: the curve's virtual reserves, or those of the pair. Their ratio is the price after it. */
    bnbReserves: t.bigint().notNull(),
    tokenReserves: t.bigint().notNull(),
    /** USD for one BNB at the time, with 8 decimals. */
    bnbUsdX8: t.bigint("bnb_usd_x8"),
    /** The token's totals. */
    buysToDate: t.integer().notNull(),
    sellsToDate: t.integer().notNull(),
    volumeBnbToDate: t.bigint().notNull(),
    volumeUsdToDate: t.bigint().notNull(),
    /** The totals of all tokens of the chain. */
    launchpadBuysToDate: t.integer().notNull(),
    launchpadSellsToDate: t.integer().notNull(),
    launchpadVolumeBnbToDate: t.bigint().notNull(),
    launchpadVolumeUsdToDate: t.bigint().notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.id] }),
    byToken: index("trade_token_index").on(table.chainId, table.token, table.timestamp, table.id),
    byTrader: index("trade_trader_index").on(table.chainId, table.trader, table.timestamp, table.id),
    byAge: index("trade_newest_index").on(table.timestamp, table.chainId, table.id),
  }),
);

/**
 * The balance of one account in one token, from ERC-20 Transfer events alone: equals balanceOf at every block.
 * An account that sold out keeps its row, with balance 0.
 */
export const holder = onchainTable(
  "holder",
  (t) => ({
    chainId: t.integer().notNull(),
    token: t.hex().notNull(),
    account: t.hex().notNull(),
    balance: t.bigint().notNull(),
    kind: holderKind().notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.token, table.account] }),
    byTokenBalance: index("holder_token_balance_index").on(
      table.chainId,
      table.token,
      table.balance,
      table.account,
    ),
    byAccount: index("holder_account_index").on(table.chainId, table.account, table.balance, table.token),
  }),
);

/** The DEX pair of a graduated token. */
export const dexPair = onchainTable(
  "dex_pair",
  (t) => ({
    chainId: t.integer().notNull(),
    address: t.hex().notNull(),
    token: t.hex().notNull(),
    bnbReserves: t.bigint().notNull(),
    tokenReserves: t.bigint().notNull(),
    /** Whether the pair's token0 is the launched token; null until the first Sync after graduation tells. */
    tokenIsToken0: t.boolean(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.address] }),
    byToken: index("dex_pair_token_index").on(table.chainId, table.token),
  }),
);

/**
 * What was traded of a token in an interval that begins at a multiple of its length since 1970. It opens at the price
 * after the trade before it (at first: where the curve opened), and each trade moves it to the price after that trade, on the
 * curve or on the DEX. An interval without trades has no row.
 */
export const candle = onchainTable(
  "candle",
  (t) => ({
    chainId: t.integer().notNull(),
    token: t.hex().notNull(),
    /** `1m`, `5m`, `15m`, `1h`, `4h` or `1d`. */
    interval: t.text().notNull(),
    openTime: t.int8({ mode: "bigint" }).notNull(),
    openX36: t.bigint("open_x36").notNull(),
    highX36: t.bigint("high_x36").notNull(),
    lowX36: t.bigint("low_x36").notNull(),
    closeX36: t.bigint("close_x36").notNull(),
    volumeBnb: t.bigint().notNull(),
    volumeTokens: t.bigint().notNull(),
    trades: t.integer().notNull(),
    openUsdX36: t.bigint("open_usd_x36"),
    highUsdX36: t.bigint("high_usd_x36"),
    lowUsdX36: t.bigint("low_usd_x36"),
    closeUsdX36: t.bigint("close_usd_x36"),
    volumeUsd: t.bigint(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.token, table.interval, table.openTime] }),
  }),
);

/**
 * What an account has made of trading a token, by average cost: a sale realises what it brought less the average
 * cost of as many tokens. Tokens that came by transfer cost nothing.
 */
export const position = onchainTable(
  "position",
  (t) => ({
    chainId: t.integer().notNull(),
    token: t.hex().notNull(),
    account: t.hex().notNull(),
    buys: t.integer().notNull(),
    sells: t.integer().notNull(),
    tokensBought: t.bigint().notNull(),
    tokensSold: t.bigint().notNull(),
    bnbSpent: t.bigint().notNull(),
    bnbReceived: t.bigint().notNull(),
    /** Of what was bought, what is not sold yet, and what that cost. */
    openTokens: t.bigint().notNull(),
    openCost: t.bigint().notNull(),
    /** Wei; below 0 is a loss. */
    realisedBnb: t.bigint().notNull(),
    /** The same in USD, each trade at its own rate: null once a trade had none. */
    usdSpent: t.bigint(),
    usdReceived: t.bigint(),
    openCostUsd: t.bigint(),
    realisedUsd: t.bigint(),
    firstTradeAt: t.int8({ mode: "bigint" }).notNull(),
    lastTradeAt: t.int8({ mode: "bigint" }).notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.chainId, table.token, table.account] }),
    byTokenTrade: index("position_token_index").on(table.chainId, table.token, table.lastTradeAt),
    byAccount: index("position_account_index").on(
      table.chainId,
      table.account,
      table.lastTradeAt,
      table.token,
    ),
  }),
);

/** An account that bought a token in one of the first three blocks of its curve. */
export const earlyBuyer = onchainTable(
  "early_buyer",
  (t) => ({
    chainId: t.integer().notNull(),
    token: t.hex().notNull(),
    account: t.hex().notNull(),
    block: t.int8({ mode: "bigint" }).notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.chainId, table.token, table.account] }) }),
);

/** The totals of all tokens of a chain: one row. */
export const launchpadTotals = onchainTable(
  "launchpad_totals",
  (t) => ({
    chainId: t.integer().notNull(),
    tokens: t.integer().notNull(),
    graduated: t.integer().notNull(),
    buysToDate: t.integer().notNull(),
    sellsToDate: t.integer().notNull(),
    volumeBnbToDate: t.bigint().notNull(),
    volumeUsdToDate: t.bigint().notNull(),
    /** Wei that buyers have paid to curves, less what sellers took back and what graduations took to the DEX. */
    bnbInCurves: t.bigint().notNull(),
    /** USD for one BNB, with 8 decimals: the price feed's last answer. */
    bnbUsdX8: t.bigint("bnb_usd_x8"),
    bnbUsdAt: t.int8({ mode: "bigint" }),
  }),
  (table) => ({ key: primaryKey({ columns: [table.chainId] }) }),
);

/** An answer of the BNB/USD price feed. */
export const bnbUsdAnswer = onchainTable(
  "bnb_usd_answer",
  (t) => ({
    chainId: t.integer().notNull(),
    /** Block and log index, as `trade.id`. */
    id: t.text().notNull(),
    feed: t.hex().notNull(),
    roundId: t.bigint().notNull(),
    /** USD for one BNB, with 8 decimals. */
    answerX8: t.bigint("answer_x8").notNull(),
    timestamp: t.int8({ mode: "bigint" }).notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.chainId, table.id] }) }),
);

/**
 * Every address that has held or traded a token, or created one, with its record as a creator. The way from an
 * account to all it did.
 */
export const account = onchainTable(
  "account",
  (t) => ({
    chainId: t.integer().notNull(),
    address: t.hex().notNull(),
    firstSeenAt: t.int8({ mode: "bigint" }).notNull(),
    tokensCreated: t.integer().notNull(),
    /** Of the tokens that it created, those that have graduated. */
    tokensGraduated: t.integer().notNull(),
    /** Of the tokens that it created, those that it once held and has none of now. */
    tokensSoldOut: t.integer().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.chainId, table.address] }) }),
);

/** Registered tokens only: what the chain knows beside what was registered off-chain. */
export const listing = onchainView("listing").as((qb) =>
  qb
    .select({
      chainId: token.chainId,
      address: token.address,
      name: token.name,
      symbol: token.symbol,
      creator: token.creator,
      burnPercent: token.burnPercent,
      totalSupply: token.totalSupply,
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
      priceX36: curve.priceX36,
      lastTradeAt: curve.lastTradeAt,
      description: registration.description,
      imageUrl: registration.imageUrl,
      twitterUrl: registration.twitterUrl,
      telegramUrl: registration.telegramUrl,
      websiteUrl: registration.websiteUrl,
      verified: registration.verified,
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

export const tokenRelations = relations(token, ({ one, many }) => ({
  curve: one(curve, { fields: [token.chainId, token.address], references: [curve.chainId, curve.token] }),
  creatorAccount: one(account, {
    fields: [token.chainId, token.creator],
    references: [account.chainId, account.address],
  }),
  trades: many(trade),
  candles: many(candle),
  holders: many(holder),
  positions: many(position),
  earlyBuyers: many(earlyBuyer),
  pairs: many(dexPair),
}));

export const curveRelations = relations(curve, ({ one }) => ({
  launchedToken: one(token, {
    fields: [curve.chainId, curve.token],
    references: [token.chainId, token.address],
  }),
  lastTrade: one(trade, {
    fields: [curve.chainId, curve.lastTradeId],
    references: [trade.chainId, trade.id],
  }),
}));

export const tradeRelations = relations(trade, ({ one }) => ({
  tradedToken: one(token, {
    fields: [trade.chainId, trade.token],
    references: [token.chainId, token.address],
  }),
  traderAccount: one(account, {
    fields: [trade.chainId, trade.trader],
    references: [account.chainId, account.address],
  }),
}));

export const holderRelations = relations(holder, ({ one }) => ({
  heldToken: one(token, {
    fields: [holder.chainId, holder.token],
    references: [token.chainId, token.address],
  }),
  holderAccount: one(account, {
    fields: [holder.chainId, holder.account],
    references: [account.chainId, account.address],
  }),
}));

export const candleRelations = relations(candle, ({ one }) => ({
  tradedToken: one(token, {
    fields: [candle.chainId, candle.token],
    references: [token.chainId, token.address],
  }),
}));

export const positionRelations = relations(position, ({ one }) => ({
  tradedToken: one(token, {
    fields: [position.chainId, position.token],
    references: [token.chainId, token.address],
  }),
  traderAccount: one(account, {
    fields: [position.chainId, position.account],
    references: [account.chainId, account.address],
  }),
}));

export const earlyBuyerRelations = relations(earlyBuyer, ({ one }) => ({
  boughtToken: one(token, {
    fields: [earlyBuyer.chainId, earlyBuyer.token],
    references: [token.chainId, token.address],
  }),
  buyerAccount: one(account, {
    fields: [earlyBuyer.chainId, earlyBuyer.account],
    references: [account.chainId, account.address],
  }),
}));

export const dexPairRelations = relations(dexPair, ({ one }) => ({
  pairedToken: one(token, {
    fields: [dexPair.chainId, dexPair.token],
    references: [token.chainId, token.address],
  }),
}));

export const accountRelations = relations(account, ({ many }) => ({
  holdings: many(holder),
  trades: many(trade),
  positions: many(position),
  createdTokens: many(token),
}));
