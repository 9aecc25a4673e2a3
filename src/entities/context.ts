import type { Context } from "ponder:registry";
import type { Table } from "drizzle-orm";
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

/** A row by its primary key. */
export type RowKey = { table: Table; key: Record<string, unknown> };

/** Looks a row up by its key, only in memory. */
export type Peek = <T extends Table>(
  table: T,
  key: Record<string, unknown>,
) => T["$inferSelect"] | null | undefined;

/** Names the rows that a handler will read for an event, as far as they can be predicted. */
export type RowsRead<Event> = (event: Event, chainId: number, peek: Peek) => RowKey[];

/**
 * Declares which rows a handler will read for an event, so that they are prefetched together before it runs. A row that is not
 * declared is still found, but by a query of its own.
 */
export function reads<Handled, Handler extends object>(
  rowsRead: RowsRead<Handled>,
  handler: Handler,
): Handler {
  return Object.assign(handler, { rowsRead });
}
