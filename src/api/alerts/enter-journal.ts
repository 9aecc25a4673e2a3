import type { AlertLease, AlertStore } from "../../../offchain/alert-store.ts";
import { coalesce } from "../concurrency/single-flight.ts";
import type { Database } from "../database/database.ts";
import { formatCursor, parseCursor } from "../stream/cursor.ts";
import type { StreamPosition } from "../stream/stream-page.query.ts";
import { readContinuation, readJournalPlace } from "./alerts.query.ts";

/**
 * Finds an event's place in this schema's journal: the oldest event that the journal still has and, if the event is of another journal,
 * the last one of this before the first that whoever had everything up to there may lack (`continued`).
 */
export type FindPlace = (
  event: number,
  end: StreamPosition,
) => Promise<{ oldest: number; continued: number | undefined }>;

export function createPlaceFinder(db: Database): FindPlace {
  // When another journal continues, thousands of subscriptions are at the same event. What comes later changes no continuation.
  const found = new Map<number, number>();
  const reading = new Map<number, Promise<number>>();

  return async (event, end) => {
    const { oldest, elsewhere } = await readJournalPlace(db, event, end);
    if (elsewhere === undefined) return { oldest, continued: undefined };
    if ("last" in elsewhere) return { oldest, continued: elsewhere.last };
    const continued =
      found.get(event) ??
      (await coalesce(reading, event, () => readContinuation(db, elsewhere.schema, event)));
    found.set(event, continued);
    return { oldest, continued: continued === event ? undefined : continued };
  };
}

/**
 * Returns from where in this schema's journal to go on. If the last deliverer read another one, as before a container with its own
 * `DATABASE_SCHEMA` took over, that is where this one's events begin that it lacked; from then on every subscription reads from its own
 * place, and is told of a gap.
 */
export async function enterJournal(
  { findPlace, store, end }: { findPlace: FindPlace; store: AlertStore; end: StreamPosition },
  taken: AlertLease,
): Promise<AlertLease> {
  const left = parseCursor(taken.delivered ?? "");
  if (taken.delivered === null || left === undefined) return taken;
  const { continued: event } = await findPlace(left.event, end);
  if (event === undefined) return taken;
  const evaluated = taken.evaluated ?? left.event;
  const entered = {
    lease: taken.lease,
    delivered: formatCursor({ ...left, event }),
    evaluated: (await findPlace(evaluated, end)).continued ?? evaluated,
  };
  console.info("alerts: another schema's journal continues, so receivers are told of a gap");
  await store.changeJournal(entered, taken.delivered);
  return entered;
}
