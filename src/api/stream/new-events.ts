import type { StreamEvent } from "../../../offchain/stream-store.ts";
import type { Database } from "../database/database.ts";
import {
  readNewGraduations,
  readNewTokens,
  readNewTrades,
  type StreamRange,
} from "./stream-changes.query.ts";
import { toStreamCreated, toStreamGraduated, toStreamTrade } from "./stream-event.mapper.ts";

export type NewEvents = {
  /** In the order of the chain. */
  events: StreamEvent[];
  /** The position up to which these are all; undefined: there are no more. */
  end: string | undefined;
};

/** What the on-chain tables have in a range that the journal does not. */
export async function readNewEvents(db: Database, range: StreamRange): Promise<NewEvents> {
  const tokens = await readNewTokens(db, range);
  const trades = await readNewTrades(db, range);
  const graduations = await readNewGraduations(db, range);
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
  ]
    .map((event) => ({ ...event, data: JSON.stringify(event.data) }))
    .sort((left, right) => (left.position < right.position ? -1 : 1));

  // Of what has more, nothing after its last row is known; of the others neither, then.
  const ends = [tokens, trades, graduations].flatMap((found) => {
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
