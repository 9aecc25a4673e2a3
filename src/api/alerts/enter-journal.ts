import type { AlertLease, AlertStore } from "../../../offchain/alert-store.ts";
import type { Database } from "../database/database.ts";
import { formatCursor, parseCursor } from "../stream/cursor.ts";
import type { StreamPosition } from "../stream/stream-page.query.ts";
import { readJournalPlace } from "./alerts.query.ts";

/**
 * Returns from where in this schema's journal to go on. If the last deliverer read another one, as before a container with its own
 * `DATABASE_SCHEMA` took over, that is where this one's events begin that it lacked; from then on every subscription reads from its own
 * place, and is told of a gap.
 */
export async function enterJournal(
  { db, store, end }: { db: Database; store: AlertStore; end: StreamPosition },
  taken: AlertLease,
): Promise<AlertLease> {
  const left = parseCursor(taken.delivered ?? "");
  if (taken.delivered === null || left === undefined) return taken;
  const continuationOf = async (event: number) => (await readJournalPlace(db, event, end)).continued;
  const event = await continuationOf(left.event);
  if (event === undefined) return taken;
  const evaluated = taken.evaluated ?? left.event;
  const entered = {
    lease: taken.lease,
    delivered: formatCursor({ ...left, event }),
    evaluated: (await continuationOf(evaluated)) ?? evaluated,
  };
  console.info("alerts: another schema's journal continues, so receivers are told of a gap");
  await store.changeJournal(entered, taken.delivered);
  return entered;
}
