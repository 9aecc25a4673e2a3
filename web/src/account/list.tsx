import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

type ListProps<Entry> = {
  caption: string;
  nothing: string;
  columns: string[];
  /** Of the columns, those that narrow screens have no room for; their cells are `is-extra`. */
  extra: string[];
  first: Entry[];
  /** Whether there are more than the first, which are read when they are asked for. */
  hasMore: boolean;
  all: () => AsyncGenerator<Entry, void, void>;
  row: (entry: Entry) => ComponentChildren;
  keyOf: (entry: Entry) => string;
};

/** Rows that are shown at once when more are asked for. */
const step = 100;

/** A table of what an account has or did, of which more is read when it is asked for. */
export function List<Entry>({
  caption,
  nothing,
  columns,
  extra,
  first,
  hasMore,
  all,
  row,
  keyOf,
}: ListProps<Entry>) {
  const [more, setMore] = useState<{ entries: Entry[]; isComplete: boolean }>();
  const [isReading, setIsReading] = useState(false);
  const entries = more?.entries ?? first;
  if (entries.length === 0) return <p class="tab-empty muted">{nothing}</p>;
  const read = async () => {
    setIsReading(true);
    const wanted = entries.length + step;
    const found: Entry[] = [];
    let isComplete = true;
    try {
      for await (const entry of all()) {
        found.push(entry);
        isComplete = found.length < wanted;
        if (!isComplete) break;
      }
      setMore({ entries: found, isComplete });
    } finally {
      setIsReading(false);
    }
  };
  return (
    <>
      <div class="scroll-x">
        <table class="rows">
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" class={extra.includes(column) ? "is-extra" : ""}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={keyOf(entry)}>{row(entry)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {(more === undefined ? hasMore : !more.isComplete) && (
        <button
          type="button"
          class="button more"
          disabled={isReading}
          onClick={() => void read().catch(keepWhatIsShown)}
        >
          More
        </button>
      )}
    </>
  );
}

/** The button stays, to try again. */
const keepWhatIsShown = () => {};
