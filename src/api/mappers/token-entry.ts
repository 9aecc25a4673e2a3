import type { EntryRow } from "../queries/entries.ts";
import { marketCapBnb, priceBnb } from "./price.ts";

/** An entry of the list, as it is sent. */
export function toTokenEntry(row: EntryRow) {
  return {
    mint: row.mint,
    chainId: row.chain_id,
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    burnPercent: row.burn_percent,
    description: row.description,
    imageUrl: row.image_url,
    twitterUrl: row.twitter_url,
    telegramUrl: row.telegram_url,
    websiteUrl: row.website_url,
    launchpadAddress: row.launchpad,
    verified: row.verified,
    registeredAt: new Date(row.registered_at).toISOString(),
    createdAt: toIsoTime(row.created_at),
    progress: row.progress,
    graduated: row.graduated,
    priceBnb: priceBnb(row.price_x36),
    marketCapBnb: marketCapBnb(row.price_x36, row.total_supply),
    holderCount: row.holder_count,
    pair: row.pair,
  };
}

/** From seconds since 1970. A time that no date can hold, which only a hostile chain has, becomes the last one. */
function toIsoTime(seconds: string): string {
  const last = 8_640_000_000_000;
  return new Date(Math.min(Number(seconds), last) * 1_000).toISOString();
}
