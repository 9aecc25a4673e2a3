import type { Context } from "ponder:registry";
import { eventId } from "../domain/ids.ts";

/** The part of a handler's context that entities use. */
export type EntityContext = Pick<Context, "db" | "chain" | "contracts">;

export type Address = `0x${string}`;
export type Hex = `0x${string}`;

/** An event's position in the chain. `timestamp` is in seconds. */
export type EventPosition = {
  block: { number: bigint; timestamp: bigint };
  transaction: { hash: Hex; transactionIndex: number };
  log: { logIndex: number };
};

/** The id of a row that an event creates. */
export function positionId({ block, log }: Pick<EventPosition, "block" | "log">): string {
  return eventId(block.number, log.logIndex);
}

/** The columns of a row that an event creates which say where the event is in the chain. */
export function positionColumns({ chain }: Pick<EntityContext, "chain">, at: EventPosition) {
  return {
    chainId: chain.id,
    id: positionId(at),
    block: at.block.number,
    timestamp: at.block.timestamp,
    tx: at.transaction.hash,
    txIndex: at.transaction.transactionIndex,
    logIndex: at.log.logIndex,
  };
}

/** Returns the launchpad's address on the event's chain. */
export function launchpadAddress({ contracts, chain }: EntityContext): Address {
  const { address } = contracts.Launchpad;
  if (address === undefined) throw new Error(`Invariant(Launchpad): no address on chain ${chain.id}`);
  return address;
}
