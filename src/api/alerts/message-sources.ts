import type { AlertStore } from "../../../offchain/alert-store.ts";
import type { Database } from "../database/database.ts";
import { formatCursor, isAtOrAfter, parseCursor } from "../stream/cursor.ts";
import { readStreamPage } from "../stream/read-page.ts";
import type { StreamFilter, StreamPosition } from "../stream/stream-page.query.ts";
import type { MessageSource } from "./deliverer.ts";
import type { FindPlace } from "./enter-journal.ts";
import { prepareEventMessage, toFiringMessage, toGapMessage } from "./messages.ts";

const pageSize = 100;

/** The later place in each of the two parts of the stream. */
export function latestPosition(left: StreamPosition, right: StreamPosition): StreamPosition {
  const event = Math.max(left.event, right.event);
  const registrations = isAtOrAfter({ ...left, event }, { ...right, event }) ? left : right;
  return { ...registrations, event };
}

/**
 * The events of the stream that a filter lets through.
 *
 * @param pushed up to where events were pushed
 */
export function createEventSource(
  db: Database,
  {
    id,
    filter,
    findPlace,
    pushed,
  }: { id: string; filter: StreamFilter; findPlace: FindPlace; pushed: () => StreamPosition },
): MessageSource<StreamPosition> {
  return {
    format: formatCursor,
    latest: latestPosition,
    isAtEnd: (at) => isAtOrAfter(at, pushed()),
    async read(at) {
      const upTo = pushed();
      const { oldest, continued } = await findPlace(at.event, upTo);
      if (continued !== undefined || at.event < oldest - 1) {
        const end = { ...at, event: continued ?? oldest - 1 };
        const reason = continued === undefined ? "pruned" : "replaced";
        const message = toGapMessage(id, { from: formatCursor(at), to: formatCursor(end), reason });
        return { pending: [{ message, position: end }], end };
      }
      if (isAtOrAfter(at, upTo)) return { pending: [], end: at };
      const page = await readStreamPage(db, { after: at, upTo, filter, limit: pageSize });
      const pending = page.items.map((item) => ({
        message: prepareEventMessage(item)(id),
        position: parseCursor(item.cursor) ?? page.end,
      }));
      return { pending, end: page.end };
    },
  };
}

/**
 * The messages of a condition.
 *
 * @param pushed the number of the last one that was pushed
 */
export function createFiringSource(
  store: AlertStore,
  { id, pushed }: { id: string; pushed: () => number },
): MessageSource<number> {
  return {
    format: String,
    latest: Math.max,
    isAtEnd: (at) => at >= pushed(),
    async read(at) {
      const upTo = pushed();
      const firings = await store.readFirings(id, String(at), pageSize);
      const pending = firings.map((firing) => ({
        message: toFiringMessage(id, firing),
        position: Number(firing.id),
      }));
      // Without messages, those up to there are no longer kept, as in the replay of an old one.
      return { pending, end: pending.at(-1)?.position ?? Math.max(at, upTo) };
    },
  };
}
