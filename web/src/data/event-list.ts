import { type Signal, signal } from "@preact/signals";
import type { StreamEvent } from "./client.ts";
import { createQueue } from "./queue.ts";

/** An entry of a list of events, which the stream and the API identify alike. */
export type Logged = { tx: string; logIndex: number };

export type EventList<Entry extends Logged> = {
  entries: Signal<Entry[] | undefined>;
  /** Why the newest entries could not be read. What is shown may lack some until they are. */
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

/** The maximum number of rows, and after the visitor has read older ones. */
const maxLiveEntries = 100;
const maxReadEntries = 1_000;

/** How many pages are read at most to find the last shown entry again. The API's are of 40. */
const maxPages = 30;

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
  /** Whether new entries have pushed out old ones, after which the cursor would continue. */
  let isCut = false;
  let hasReadOlder = false;
  /** Events that arrive while entries are read, since the answer may not include them. */
  let eventsWhileReading: StreamEvent[] | undefined;

  /** What follows the last shown entry; undefined if that is not found again. */
  const readOlder = async () => {
    const last = entries.value?.at(-1);
    if (!isCut || last === undefined) return await readPage(cursor.value ?? undefined);
    let page = await readPage();
    for (let pages = 1; pages < maxPages; pages++) {
      const at = page.entries.findIndex((entry) => isSame(entry, last));
      const rest = at < 0 ? [] : page.entries.slice(at + 1);
      if (page.nextCursor === null) return at < 0 ? undefined : { ...page, entries: rest };
      page = await readPage(page.nextCursor);
      if (at >= 0) return { ...page, entries: [...rest, ...page.entries] };
    }
    return undefined;
  };
  const read = async (isMore: boolean) => {
    eventsWhileReading = [];
    try {
      const older = isMore ? await readOlder() : undefined;
      const answer = older ?? (await readPage());
      const before = older === undefined ? [] : (entries.value ?? []);
      isCut = false;
      hasReadOlder = older !== undefined;
      entries.value = [
        ...before,
        ...answer.entries.filter((entry) => !before.some((old) => isSame(old, entry))),
      ];
      for (const event of eventsWhileReading) apply(event);
      cursor.value = answer.nextCursor;
      hasMore.value = answer.nextCursor !== null || isCut;
      if (older === undefined) error.value = undefined;
    } catch (failure) {
      // Older ones are asked for again by a click.
      if (!isMore) error.value = failure;
    } finally {
      eventsWhileReading = undefined;
    }
  };
  // One read at a time, so that a late answer can't replace a newer one.
  const inTurn = createQueue();
  const readNext = (isMore: boolean) => inTurn(() => read(isMore));
  const apply = (event: StreamEvent) => {
    const entry = toEntry(event);
    if (entry === undefined || entries.value === undefined) return;
    const others = entries.value.filter((other) => !isSame(other, entry));
    const isKnown = others.length < entries.value.length;
    if (event.removed) entries.value = others;
    if (event.removed || isKnown) return;
    // Nothing that older entries are about to follow is pushed out.
    const limit = hasReadOlder || eventsWhileReading !== undefined ? maxReadEntries : maxLiveEntries;
    entries.value = [entry, ...others].slice(0, Math.max(limit, others.length));
    if (entries.value.length > others.length) return;
    isCut = true;
    hasMore.value = true;
  };
  const reload = async () => {
    if (isOpen) await readNext(false);
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
    readMore: () => readNext(true),
    note(event) {
      eventsWhileReading?.push(event);
      apply(event);
    },
  };
}
