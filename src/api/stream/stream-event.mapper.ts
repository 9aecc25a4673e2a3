import { eventBlock } from "../../domain/ids.ts";
import { curveProgress } from "../../domain/price.ts";
import { toLiquidityChange } from "../liquidity/liquidity-change.schema.ts";
import { toCreatorRecord, toRisk } from "../market/market.mapper.ts";
import { isoTime } from "../market/time.ts";
import { toTrade } from "../trades/trade.schema.ts";
import type {
  StreamGraduationRow,
  StreamLiquidityRow,
  StreamTokenRow,
  StreamTradeRow,
  StreamTransferRow,
} from "./stream-changes.query.ts";
import type { StreamRegistrationRow } from "./stream-page.query.ts";

/** Maps a trade to the data of a `trade` event. USD fields are left out if no rate was known. */
export function toStreamTrade(row: StreamTradeRow) {
  return {
    kind: "trade",
    ...toTrade(row),
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    progress: progressAfter(row),
  };
}

/** Maps a token to the data of a `created` event. */
export function toStreamCreated(row: StreamTokenRow) {
  return {
    kind: "created",
    chainId: row.chain_id,
    mint: row.address,
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    burnPercent: row.burn_percent,
    createdAt: isoTime(row.created_at),
    block: Number(row.created_block),
    tx: row.created_tx,
    risk: toRisk(row, row.total_supply_raw),
    creatorRecord: toCreatorRecord(row),
  };
}

/** Maps a graduation to the data of a `graduated` event. */
export function toStreamGraduated(row: StreamGraduationRow) {
  return {
    kind: "graduated",
    chainId: row.chain_id,
    mint: row.token,
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    pair: row.pair,
    graduatedAt: isoTime(row.graduated_at),
    block: eventBlock(row.position),
  };
}

/** Maps a transfer to the data of a `transfer` event. */
export function toStreamTransfer(row: StreamTransferRow) {
  return {
    kind: "transfer",
    chainId: row.chain_id,
    mint: row.token,
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    from: row.from,
    to: row.to,
    amountRaw: row.amount_raw,
    block: Number(row.block),
    timestamp: isoTime(row.timestamp),
    tx: row.tx,
    logIndex: row.log_index,
  };
}

/** The kind of event that tells of liquidity added or removed. */
export const liquidityEvents = { add: "liquidity_added", remove: "liquidity_removed" } as const;

/** Maps a change of liquidity to the data of its event. */
export function toStreamLiquidity(row: StreamLiquidityRow) {
  const { id: _, kind, ...change } = toLiquidityChange(row);
  return { kind: liquidityEvents[kind], ...change, name: row.name, symbol: row.symbol, creator: row.creator };
}

/** Maps a registration to the data of a `registered` event. */
export function toStreamRegistered(row: StreamRegistrationRow) {
  return {
    kind: "registered",
    id: `registration-${row.version}-${row.id}`,
    chainId: row.chain_id,
    mint: row.mint,
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    burnPercent: row.burn_percent,
    description: row.description,
    imageUrl: row.image_url,
    twitterUrl: row.twitter_url,
    telegramUrl: row.telegram_url,
    websiteUrl: row.website_url,
    verified: row.verified,
    registeredAt: new Date(row.registered_at).toISOString(),
  };
}

/**
 * Percent of the curve that was sold after the trade. Tokens sold and the virtual token reserve have a constant sum, so it can be
 * derived from the reserve after the trade.
 */
function progressAfter(row: StreamTradeRow): number | null {
  if (row.venue === "dex") return 100;
  const { virtualTokenReserves, tokensSold, totalToSell } = row;
  if (virtualTokenReserves === null || tokensSold === null || totalToSell === null) return null;
  const sold = virtualTokenReserves + tokensSold - row.tokenReservesRaw;
  return curveProgress(sold, totalToSell, row.graduated === true && sold >= totalToSell);
}
