import type { ComponentChildren } from "preact";

/**
 * The head of a column: `isExtra` if narrow screens leave it out, as they do its cells with the class `is-extra`; `isNameHidden` if only
 * screen readers need the name.
 */
type Head = {
  name: ComponentChildren;
  title?: string;
  isExtra?: boolean;
  isNameHidden?: boolean;
  isSorted?: boolean;
};

type RowsProps = {
  caption: ComponentChildren;
  /** Each by its name, or with more. */
  columns: readonly (string | Head)[];
  /** A kind of table that CSS knows. */
  kind?: string | undefined;
  children: ComponentChildren;
};

/** A table of rows, which scrolls sideways where it is too wide. The caption is for screen readers. */
export function Rows({ caption, columns, kind, children }: RowsProps) {
  return (
    <div class="scroll-x">
      <table class={kind === undefined ? "rows" : `rows ${kind}`}>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns
              .map((column) => (typeof column === "string" ? { name: column } : column))
              .map(({ name, title, isExtra, isNameHidden, isSorted }, at) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                  key={at}
                  scope="col"
                  class={isExtra ? "is-extra" : undefined}
                  title={title}
                  aria-sort={isSorted ? "descending" : undefined}
                >
                  {isNameHidden ? <span class="visually-hidden">{name}</span> : name}
                </th>
              ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A column of a {@link Table}: its head, and what its cells show of an entry, with which class. */
export type Column<Entry> = Head & {
  cell: (entry: Entry) => ComponentChildren;
  class?: string | ((entry: Entry) => string);
};

export type TableProps<Entry> = Omit<RowsProps, "columns" | "children"> & {
  columns: readonly Column<Entry>[];
  entries: readonly Entry[];
  getKey: (entry: Entry) => string;
  rowClass?: (entry: Entry) => string;
};

/** A table with a row for each entry. */
export function Table<Entry>({ columns, entries, getKey, rowClass, ...table }: TableProps<Entry>) {
  return (
    <Rows {...table} columns={columns}>
      {entries.map((entry) => (
        <tr key={getKey(entry)} class={rowClass?.(entry)}>
          {columns.map(({ cell, class: own, isExtra }, at) => {
            const classes = [typeof own === "function" ? own(entry) : own, isExtra && "is-extra"];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
              <td key={at} class={classes.filter(Boolean).join(" ")}>
                {cell(entry)}
              </td>
            );
          })}
        </tr>
      ))}
    </Rows>
  );
}
