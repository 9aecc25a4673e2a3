import { looksLike } from "../../../domain/look-alike.ts";
import { toCreatorRecord, toRisk, toTradedToDate, toWindows } from "../../market/market.mapper.ts";
import {
  bnbToUsd,
  formatAmount,
  formatPrice,
  marketCapBnb,
  marketCapInUsd,
  priceInUsd,
} from "../../market/price.ts";
import { isoTime } from "../../market/time.ts";
import type { EntryRow } from "./entries.query.ts";
import type { LookAlikeRow } from "./look-alike.query.ts";
import type { TokenDetails, TokenEntry } from "./token-entry.schema.ts";

/** Maps a token to its entry, as in lists and responses. `baseUrl` is where clients reach the service. */
export function toTokenEntry(row: EntryRow, baseUrl: string): TokenEntry {
  return { ...toEntryWithoutUsd(row, baseUrl), ...toUsdFields(row) };
}

type UsdFields = Pick<TokenEntry, "priceUsd" | "marketCapUsd" | "liquidityUsd">;

/** Maps the USD fields that depend on the current rate, which changes for all entries at once. */
export function toUsdFields(
  row: Pick<EntryRow, "price_bnb_x36" | "total_supply_raw" | "liquidity_wei" | "bnb_usd_x8">,
): UsdFields {
  const liquidity = bnbToUsd(BigInt(row.liquidity_wei), row.bnb_usd_x8);
  return {
    ...priceInUsd(row.price_bnb_x36, row.bnb_usd_x8),
    ...marketCapInUsd(row.price_bnb_x36, row.total_supply_raw, row.bnb_usd_x8),
    ...(liquidity === null ? {} : { liquidityUsd: formatAmount(liquidity) }),
  };
}

/** The entry without {@link toUsdFields}. */
export function toEntryWithoutUsd(row: EntryRow, baseUrl: string): Omit<TokenEntry, keyof UsdFields> {
  const hasRate = row.bnb_usd_x8 !== null;
  return {
    mint: row.mint,
    chainId: row.chain_id,
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    burnPercent: row.burn_percent,
    description: row.description,
    imageUrl: row.image_url,
    imageHttpUrl: imageHttpUrl(row.image_url, baseUrl),
    twitterUrl: row.twitter_url,
    telegramUrl: row.telegram_url,
    websiteUrl: row.website_url,
    launchpadAddress: row.launchpad,
    registered: row.registered_at !== null,
    verified: row.verified ?? false,
    registeredAt: row.registered_at === null ? null : new Date(row.registered_at).toISOString(),
    createdAt: row.created_at === null ? null : isoTime(row.created_at),
    createdBlock: row.created_block === null ? null : Number(row.created_block),
    progress: row.progress,
    graduated: row.graduated,
    graduatedAt: row.graduated_at === null ? null : isoTime(row.graduated_at),
    priceBnb: formatPrice(row.price_bnb_x36),
    marketCapBnb: marketCapBnb(row.price_bnb_x36, row.total_supply_raw),
    holderCount: row.holder_count,
    liquidityBnb: formatAmount(row.liquidity_wei),
    pair: row.pair,
    lastTradeAt: row.last_trade_at === null ? null : isoTime(row.last_trade_at),
    ...toTradedToDate(row, hasRate),
    netVolumeBnb: formatAmount(row.net_volume_to_date_wei),
    windows: toWindows(row, hasRate),
    risk: toRisk(row, row.total_supply_raw),
    creatorRecord: toCreatorRecord(row),
  };
}

/** Picks the given fields of an entry, in the entry's order, and always its mint. */
export function chooseFields<Entry extends { mint: string }>(
  entry: Entry,
  fields: readonly (keyof Entry)[],
): Partial<Entry> & { mint: string } {
  const names: readonly PropertyKey[] = fields;
  const chosen = Object.entries(entry).filter(([name]) => names.includes(name));
  return { mint: entry.mint, ...(Object.fromEntries(chosen) as Partial<Entry>) };
}

/** A URL of IPFS or of an IPFS gateway that ends in a CID of the kinds that we give images. */
const ipfsUrl = /^(?:ipfs:\/\/|https?:\/\/[^/?#]+\/(?:[^?#]*\/)?ipfs\/)(baf(?:krei|ybei)[a-z2-7]{52})$/;

/** Returns the URL of a registered image on our own gateway, or null for one that the gateway can't have. */
export function imageHttpUrl(imageUrl: string | null, baseUrl: string): string | null {
  const cid = ipfsUrl.exec(imageUrl ?? "")?.[1];
  return cid === undefined ? null : `${baseUrl}/ipfs/${cid}`;
}

/** Returns the first of the rows that looks like the token. */
export function findLookAlike(
  token: { name: string; symbol: string },
  rows: LookAlikeRow[],
): TokenDetails["lookAlike"] {
  for (const row of rows) {
    const same = (["symbol", "name"] as const).filter((field) => looksLike(row[field], token[field]));
    if (same.length === 0) continue;
    return {
      mint: row.mint,
      name: row.name,
      symbol: row.symbol,
      createdAt: isoTime(row.created_at),
      graduated: row.graduated,
      liquidityBnb: formatAmount(row.liquidity_wei),
      same,
      reason: row.is_larger ? "larger" : "older",
    };
  }
  return null;
}
