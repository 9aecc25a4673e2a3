import { transfer } from "ponder:schema";
import { clamp } from "../curve/amounts.ts";
import { type Address, type EntityContext, type EventPosition, positionColumns } from "./context.ts";

export type NewTransfer = {
  token: Address;
  from: Address;
  to: Address;
  /** Base units. */
  amountRaw: bigint;
};

/** Stores a movement that is no part of a trade, a creation, a graduation or a change of liquidity. */
export async function recordTransfer(
  context: EntityContext,
  moved: NewTransfer,
  at: EventPosition,
): Promise<void> {
  await context.db.insert(transfer).values({
    ...moved,
    amountRaw: clamp(moved.amountRaw),
    ...positionColumns(context, at),
  });
}
