import type { Address } from "viem";
import { checksumAddress } from "../../market/checksum-address.ts";
import { displayNames } from "../../market/display-name.ts";
import { nativePrice } from "../../market/native-price.ts";
import { formatAmount } from "../../market/price.ts";
import type { FinalPairRow, FinalTokenRow } from "../shared/final-assets.query.ts";
import type { FinalLiquidityRow } from "../shared/final-liquidity.query.ts";
import type { FinalTradeRow } from "../shared/final-trades.query.ts";
import type { Asset, JoinOrExit, Pair, Swap } from "./dexscreener.schema.ts";

/** The adapter's specification has case-sensitive ids, and asks for checksummed addresses. */
const id = checksumAddress;

/** Addresses of the DEX that tokens graduate to. */
export type DexAddresses = { wbnb: Address; factory: Address };

const wbnbNames = { name: "Wrapped BNB", symbol: "WBNB" };

export function toWbnbAsset(wbnb: string): Asset {
  return { id: id(wbnb), ...wbnbNames };
}

export function toAsset(row: FinalTokenRow): Asset {
  return { id: id(row.address), ...displayNames(row), totalSupply: formatAmount(row.total_supply_raw) };
}

type PairedToken = Pick<FinalTokenRow, "address" | "name" | "symbol">;

const toPairAssets = (row: PairedToken, { wbnb }: DexAddresses): Pick<Pair, "asset0Id" | "asset1Id"> => ({
  asset0Id: id(row.address),
  asset1Id: id(wbnb),
});
const toPairMetadata = (row: PairedToken): Pick<Pair, "metadata"> => ({
  metadata: { name: `${displayNames(row).symbol}/${wbnbNames.symbol}` },
});

/** Presents a token's curve as a pair whose id is the token's address. */
export function toCurvePair(row: FinalTokenRow, dex: DexAddresses): Pair {
  return {
    id: id(row.address),
    dexKey: id(row.launchpad),
    ...toPairAssets(row, dex),
    createdAtBlockNumber: Number(row.created_block),
    createdAtBlockTimestamp: Number(row.created_at),
    createdAtTxnId: row.created_tx,
    creator: id(row.creator),
    feeBps: 0,
    ...toPairMetadata(row),
  };
}

export function toDexPair(row: FinalPairRow, dex: DexAddresses): Pair {
  return {
    id: id(row.pair),
    dexKey: id(dex.factory),
    ...toPairAssets(row, dex),
    ...(row.graduated_block === null ? {} : { createdAtBlockNumber: Number(row.graduated_block) }),
    createdAtBlockTimestamp: Number(row.graduated_at),
    ...(row.graduated_tx === null ? {} : { createdAtTxnId: row.graduated_tx }),
    creator: id(row.creator),
    ...toPairMetadata(row),
  };
}

/** Maps a trade to a swap of asset0 (the token) and asset1 (WBNB); undefined for a trade without a price or a pair. */
export function toSwap(row: FinalTradeRow): Swap | undefined {
  const priceNative = nativePrice(BigInt(row.bnb_amount_wei), BigInt(row.token_amount_raw));
  if (row.pair === null || priceNative === undefined) return undefined;
  const tokens = formatAmount(row.token_amount_raw);
  const bnb = formatAmount(row.bnb_amount_wei);
  return {
    ...toEventPosition(row),
    eventType: "swap",
    maker: id(row.trader),
    pairId: id(row.pair),
    ...(row.side === "buy" ? { asset1In: bnb, asset0Out: tokens } : { asset0In: tokens, asset1Out: bnb }),
    priceNative,
    reserves: { asset0: formatAmount(row.token_reserves_raw), asset1: formatAmount(row.bnb_reserves_wei) },
  };
}

/** Returns undefined if the token was not launched here, or graduated to another pair. */
export function toJoinOrExit(row: FinalLiquidityRow): JoinOrExit | undefined {
  if (!row.is_launched) return undefined;
  return {
    ...toEventPosition(row),
    eventType: row.kind === "add" ? "join" : "exit",
    maker: id(row.provider),
    pairId: id(row.pair),
    amount0: formatAmount(row.token_amount_raw),
    amount1: formatAmount(row.bnb_amount_wei),
    reserves: { asset0: formatAmount(row.token_reserves_raw), asset1: formatAmount(row.bnb_reserves_wei) },
  };
}

type EventRow = Pick<FinalTradeRow, "block" | "timestamp" | "tx" | "tx_index" | "log_index">;

const toEventPosition = (row: EventRow) => ({
  block: { blockNumber: Number(row.block), blockTimestamp: Number(row.timestamp) },
  txnId: row.tx,
  txnIndex: row.tx_index,
  eventIndex: row.log_index,
});
