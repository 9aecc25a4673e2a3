import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { EventList, Logged } from "../data/event-list.ts";
import { Pending, useRetry } from "./problem.tsx";
import { Table, type TableProps } from "./rows.tsx";

type OlderButtonProps = {
  list: Pick<EventList<never>, "hasMore" | "readMore">;
  children: ComponentChildren;
};

/** A button that reads older entries of a list, if there are any. */
export function OlderButton({ list, children }: OlderButtonProps) {
  const [isReading, setIsReading] = useState(false);
  if (!list.hasMore.value) return null;
  const read = async () => {
    setIsReading(true);
    await list.readMore();
    setIsReading(false);
  };
  return (
    <button type="button" class="button more" disabled={isReading} onClick={() => void read()}>
      {children}
    </button>
  );
}

type EventRowsProps<Entry extends Logged> = Omit<TableProps<Entry>, "entries" | "getKey"> & {
  list: EventList<Entry>;
  emptyText: string;
  /** The label of the button that reads older entries. */
  older: string;
};

/** A list of events as a table, with a button that reads older ones. */
export function EventRows<Entry extends Logged>({ list, emptyText, older, ...table }: EventRowsProps<Entry>) {
  useEffect(list.open, [list]);
  const entries = list.entries.value;
  useRetry(entries && list.error.value, list.reload);
  if (entries === undefined) return <Pending of={list} />;
  if (entries.length === 0) return <p class="tab-empty muted">{emptyText}</p>;
  return (
    <>
      <Table {...table} entries={entries} getKey={({ tx, logIndex }) => `${tx} ${logIndex}`} />
      <OlderButton list={list}>{older}</OlderButton>
    </>
  );
}
