import type { StoredRegistration } from "../../../offchain/store.ts";
import { priceX36 } from "../../curve/price.ts";
import { curveProgress } from "../../curve/progress.ts";
import { marketCapBnb, priceBnb } from "./price.ts";
import type { toTokenEntry } from "./token-entry.ts";

/** What the chain says of a token. Amounts in wei and base units. */
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

/**
 * The entry of a token that the index does not have yet, from what the chain says of it. When it was created, who holds
 * it and its pair are for the index to find out.
 */
export function toNewEntry(
  row: StoredRegistration,
  { launchpad, totalSupply, curve }: NewToken,
): Omit<ReturnType<typeof toTokenEntry>, "createdAt"> & { createdAt: null } {
  const price = String(priceX36(curve.virtualBnbReserves, curve.virtualTokenReserves));
  return {
    mint: row.mint,
    chainId: row.chainId,
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    burnPercent: row.burnPercent,
    description: row.description,
    imageUrl: row.imageUrl,
    twitterUrl: row.twitterUrl,
    telegramUrl: row.telegramUrl,
    websiteUrl: row.websiteUrl,
    launchpadAddress: launchpad,
    verified: row.verified,
    registeredAt: row.registeredAt.toISOString(),
    createdAt: null,
    progress: curveProgress(curve.tokensSold, curve.totalToSell, curve.graduated),
    graduated: curve.graduated,
    priceBnb: priceBnb(price),
    marketCapBnb: marketCapBnb(price, String(totalSupply)),
    holderCount: 0,
    pair: null,
  };
}
