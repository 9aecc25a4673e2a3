import { bnbUsdAnswer } from "ponder:schema";
import { clamp } from "../domain/amounts.ts";
import { type Address, type EntityContext, type EventPosition, positionId } from "./context.ts";

/** Stores an answer of the price feed, in USD for one BNB with 8 decimals. */
export async function recordAnswer(
  { db, chain }: EntityContext,
  { feed, roundId, answerUsdX8 }: { feed: Address; roundId: bigint; answerUsdX8: bigint },
  at: EventPosition,
): Promise<void> {
  await db.insert(bnbUsdAnswer).values({
    chainId: chain.id,
    id: positionId(at),
    feed,
    roundId: clamp(roundId),
    answerUsdX8,
    timestamp: at.block.timestamp,
  });
}
