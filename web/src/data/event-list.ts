import { type Signal, signal } from "@preact/signals";
import type { StreamEvent } from "./client.ts";

/** An entry of a list of events, which the stream and the API identify alike. */
type Logged = { tx: string; logIndex: number };

export type EventList<Entry extends Logged> = {
  entries: Signal<Entry[] | undefined>;
  error: Signal<unknown>;
  /** Whether there are older entries. */
  hasMore: Signal<boolean>;
  /** Reads the newest entries, when the list is first shown. */
  open: () => void;
  readMore: () => Promise<void>;
  /** Reads the newest entries again. Does nothing to a list that has not been opened. */
  reload: () => Promise<void>;
  /** Adds an entry of the stream, or removes one that a reorg has undone. */
  note: (event: StreamEvent) => void;
};

type EventListOptions<Entry> = {
  /** Reads the page after a cursor, or the newest entries. */
  readPage: (cursor?: string) => Promise<{ entries: Entry[]; nextCursor: string | null }>;
  /** The entry of an event of the stream; undefined for events of other kinds. */
  toEntry: (event: StreamEvent) => Entry | undefined;
};

/** The maximum number of rows, unless the visitor has read older ones. */
const maxLiveEntries = 200;

const isSame = (a: Logged, b: Logged) => a.tx === b.tx && a.logIndex === b.logIndex;

/** A list of trades or transfers, newest first: new ones as they happen, older ones on request. */
export function createEventList<Entry extends Logged>({
  readPage,
  toEntry,
}: EventListOptions<Entry>): EventList<Entry> {
  const entries = signal<Entry[] | undefined>(undefined);
  const error = signal<unknown>(undefined);
  const cursor = signal<string | null>(null);
  const hasMore = signal(false);
  let isOpen = false;
  /** Events that arrive while entries are read, since the answer may not include them. */
  let eventsWhileReading: StreamEvent[] | undefined;
  let reading: Promise<void> = Promise.resolve();

  const read = async (from?: string) => {
    eventsWhileReading = [];
    try {
      const answer = await readPage(from);
      const before = from === undefined ? [] : (entries.value ?? []);
      entries.value = [
        ...before,
        ...answer.entries.filter((entry) => !before.some((old) => isSame(old, entry))),
      ];
      for (const event of eventsWhileReading) apply(event);
      cursor.value = answer.nextCursor;
      hasMore.value = answer.nextCursor !== null;
      error.value = undefined;
    } catch (failure) {
      error.value = failure;
    } finally {
      eventsWhileReading = undefined;
    }
  };
  // One read at a time, so that a late answer can't replace a newer one.
  const readNext = (from: () => string | undefined) => {
    reading = reading.then(() => read(from()));
    return reading;
  };
  const apply = (event: StreamEvent) => {
    const entry = toEntry(event);
    if (entry === undefined || entries.value === undefined) return;
    const others = entries.value.filter((known) => !isSame(known, entry));
    const isKnown = others.length < entries.value.length;
    if (event.removed) entries.value = others;
    else if (!isKnown) entries.value = [entry, ...others].slice(0, Math.max(maxLiveEntries, others.length));
  };
  const reload = async () => {
    if (isOpen) await readNext(() => undefined);
  };
  return {
    entries,
    error,
    hasMore,
    reload,
    open() {
      if (isOpen) return;
      isOpen = true;
      void reload();
    },
    readMore: () => readNext(() => cursor.value ?? undefined),
    note(event) {
      eventsWhileReading?.push(event);
      apply(event);
    },
  };
}
