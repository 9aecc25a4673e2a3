import type { StoredRegistration } from "../../../../offchain/store.ts";
import { curveProgress, priceBnbX36 } from "../../../domain/price.ts";
import type { EntryRow, NewEntryFactsRow } from "./entries.query.ts";
import { toTokenEntry } from "./token-entry.mapper.ts";
import type { TokenEntry } from "./token-entry.schema.ts";

/** A token as read from the chain. Amounts in wei and base units. */
export type NewToken = {
  launchpad: string;
  totalSupply: bigint;
  curve: {
    virtualBnbReserves: bigint;
    virtualTokenReserves: bigint;
    tokensSold: bigint;
    totalToSell: bigint;
    graduated: boolean;
  };
};

const noTrades = {
  buys_to_date: 0,
  sells_to_date: 0,
  volume_to_date_wei: "0",
  volume_to_date_usd_x18: "0",
  net_volume_to_date_wei: "0",
  bought_to_date_wei: "0",
  creator_bought_to_date_wei: "0",
  opening_bought_wei: "0",
  last_trade_at: null,
  liquidity_wei: "0",
  before_windows: null,
  traders_in_windows: null,
};

const nobody: EntryRow["early_buyers"]["all"] = [0, "0"];

const noHolders = {
  circulating_raw: "0",
  balance_squares_raw: "0",
  creator_balance_raw: null,
  insiders: 0,
  insider_balance_raw: "0",
  insider_received_raw: "0",
  sniper_balance_raw: "0",
  bundler_balance_raw: "0",
  top10_balance: "0",
  early_buyers: { all: nobody, snipers: nobody, bundlers: nobody },
  creator_graduated: null,
};

/**
 * Builds the entry of a token that is not indexed yet from what was read from the chain. Its creation time, holders, trades and
 * pair stay empty until the index has them.
 */
export function toNewEntry(
  registration: StoredRegistration,
  { launchpad, totalSupply, curve }: NewToken,
  facts: NewEntryFactsRow,
  baseUrl: string,
): TokenEntry {
  const { id, chainId, mint, name, symbol, creator, description, verified } = registration;
  const price = String(priceBnbX36(curve.virtualBnbReserves, curve.virtualTokenReserves));
  const row: EntryRow = {
    id,
    chain_id: chainId,
    mint,
    name,
    symbol,
    creator,
    description,
    verified,
    launchpad,
    burn_percent: registration.burnPercent,
    image_url: registration.imageUrl,
    twitter_url: registration.twitterUrl,
    telegram_url: registration.telegramUrl,
    website_url: registration.websiteUrl,
    registered_at: registration.registeredAt,
    total_supply_raw: String(totalSupply),
    created_at: null,
    created_block: null,
    progress: curveProgress(curve.tokensSold, curve.totalToSell, curve.graduated),
    graduated: curve.graduated,
    graduated_at: null,
    price_bnb_x36: price,
    close_price_bnb_x36: price,
    holder_count: 0,
    pair: null,
    ...noTrades,
    ...noHolders,
    ...facts,
    // The index has not counted this token yet.
    tokens_created: facts.tokens_created + 1,
    tokens_graduated: facts.tokens_graduated + Number(curve.graduated),
  };
  return toTokenEntry(row, baseUrl);
}
