import { transfer } from "ponder:schema";
import { clamp } from "../curve/amounts.ts";
import { type Address, type EntityContext, type EventPosition, positionId } from "./context.ts";

export type NewTransfer = {
  token: Address;
  from: Address;
  to: Address;
  /** Base units. */
  amountRaw: bigint;
};

/** Stores a movement that is no part of a trade, a creation, a graduation or a change of liquidity. */
export async function recordTransfer(
  { db, chain }: EntityContext,
  moved: NewTransfer,
  at: EventPosition,
): Promise<void> {
  await db.insert(transfer).values({
    ...moved,
    amountRaw: clamp(moved.amountRaw),
    chainId: chain.id,
    id: positionId(at),
    block: at.block.number,
    timestamp: at.block.timestamp,
    tx: at.transaction.hash,
    txIndex: at.transaction.transactionIndex,
    logIndex: at.log.logIndex,
  });
}
