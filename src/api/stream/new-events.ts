import type { StreamEvent } from "../../../offchain/stream-store.ts";
import type { Database } from "../database/database.ts";
import {
  readNewGraduations,
  readNewTokens,
  readNewTrades,
  readNewTransfers,
  type StreamRange,
} from "./stream-changes.query.ts";
import {
  toStreamCreated,
  toStreamGraduated,
  toStreamTrade,
  toStreamTransfer,
} from "./stream-event.mapper.ts";

export type NewEvents = {
  /** In the order of the chain. */
  events: StreamEvent[];
  /** The position up to which the events are complete; undefined if there are no more at all. */
  end: string | undefined;
};

/** Reads the events of a range that are in the on-chain tables but not in the journal. */
export async function readNewEvents(db: Database, range: StreamRange): Promise<NewEvents> {
  const tokens = await readNewTokens(db, range);
  const trades = await readNewTrades(db, range);
  const graduations = await readNewGraduations(db, range);
  const transfers = await readNewTransfers(db, range);
  const events: StreamEvent[] = [
    ...tokens.map((row) => ({
      ...common(row, row.address),
      kind: "created" as const,
      data: toStreamCreated(row),
    })),
    ...trades.map((row) => ({
      ...common({ ...row, chain_id: row.chainId }, row.token),
      kind: "trade" as const,
      data: toStreamTrade(row),
    })),
    ...graduations.map((row) => ({
      ...common(row, row.token),
      kind: "graduated" as const,
      data: toStreamGraduated(row),
    })),
    ...transfers.map((row) => ({
      ...common(row, row.token),
      kind: "transfer" as const,
      data: toStreamTransfer(row),
    })),
  ]
    .map((event) => ({ ...event, data: JSON.stringify(event.data) }))
    .sort((left, right) => (left.position < right.position ? -1 : 1));

  // A kind that reached the limit is known only up to its last row, so the other kinds are cut there too.
  const ends = [tokens, trades, graduations, transfers].flatMap((found) => {
    const last = found.at(-1);
    return found.length < range.limit || last === undefined ? [] : [last.position];
  });
  const end = ends.sort()[0];
  return { events: end === undefined ? events : events.filter(({ position }) => position <= end), end };
}

type Row = { chain_id: number; position: string; fingerprint: string; creator: string | null };

function common({ chain_id, position, fingerprint, creator }: Row, mint: string) {
  return { chainId: chain_id, position, fingerprint, creator, mint };
}
