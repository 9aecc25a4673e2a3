import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../language/messages.ts";
import { Rows } from "../parts/rows.tsx";
import { createReader } from "./read-more.ts";

type ListProps<Entry> = {
  caption: string;
  emptyText: string;
  columns: string[];
  /** A kind of table that CSS knows. */
  kind?: string;
  /** The columns that are hidden on narrow screens. Their cells have the class `is-extra`. */
  extra: string[];
  first: Entry[];
  /** Whether there are more entries than the first ones. */
  hasMore: boolean;
  readAll: () => AsyncGenerator<Entry, void, void>;
  row: (entry: Entry) => ComponentChildren;
  getKey: (entry: Entry) => string;
};

/** The number of rows that "More" adds. */
const pageSize = 100;

/** A table of an account's tokens or trades, with a button that reads more of them. */
export function List<Entry>({
  caption,
  emptyText,
  columns,
  kind,
  extra,
  first,
  hasMore,
  readAll,
  row,
  getKey,
}: ListProps<Entry>) {
  const [more, setMore] = useState<{ entries: Entry[]; isComplete: boolean }>();
  const [isReading, setIsReading] = useState(false);
  // The first ones are read again while the page is open, and then the others too.
  const isFirst = new Set(first.map(getKey));
  const entries = [...first, ...(more?.entries ?? []).filter((entry) => !isFirst.has(getKey(entry)))];
  const [reader] = useState(createReader<Entry>);
  const read = async (wanted: number) => {
    setIsReading(true);
    try {
      const next = await reader(readAll, wanted);
      // Another one, which began later, is under way.
      if (next === undefined) return;
      setMore(next);
    } catch {
      // The button remains, to try again.
    }
    setIsReading(false);
  };
  useEffect(() => {
    if (more !== undefined) void read(entries.length);
  }, [first]);
  if (entries.length === 0) return <p class="tab-empty muted">{emptyText}</p>;
  return (
    <>
      <Rows
        caption={caption}
        columns={columns.map((name) => ({ name, isExtra: extra.includes(name) }))}
        kind={kind}
      >
        {entries.map((entry) => (
          <tr key={getKey(entry)}>{row(entry)}</tr>
        ))}
      </Rows>
      {(more === undefined ? hasMore : !more.isComplete) && (
        <button
          type="button"
          class="button more"
          disabled={isReading}
          onClick={() => void read(entries.length + pageSize)}
        >
          {t.common.more}
        </button>
      )}
    </>
  );
}
