import { trade } from "ponder:schema";
import { clamp } from "../curve/amounts.ts";
import { priceX36 } from "../curve/price.ts";
import { ensureAccount } from "./account.ts";
import type { Address, EntityContext, EventPosition } from "./context.ts";

export type NewTrade = {
  token: Address;
  trader: Address;
  venue: "curve" | "dex";
  side: "buy" | "sell";
  /** Wei. */
  bnbAmount: bigint;
  /** Base units. */
  tokenAmount: bigint;
};

/** Sorts as text in the order of the chain: block numbers have room for 12 digits, log indexes for 6. */
function tradeId(at: EventPosition): string {
  return `${String(at.block.number).padStart(12, "0")}-${String(at.log.logIndex).padStart(6, "0")}`;
}

/** Writes one trade and returns its id. */
export async function recordTrade(
  context: EntityContext,
  made: NewTrade,
  at: EventPosition,
): Promise<string> {
  const id = tradeId(at);
  await ensureAccount(context, made.trader, at);
  await context.db.insert(trade).values({
    ...made,
    chainId: context.chain.id,
    id,
    bnbAmount: clamp(made.bnbAmount),
    tokenAmount: clamp(made.tokenAmount),
    priceX36: priceX36(made.bnbAmount, made.tokenAmount),
    block: at.block.number,
    timestamp: at.block.timestamp,
    tx: at.transaction.hash,
    logIndex: at.log.logIndex,
  });
  return id;
}
