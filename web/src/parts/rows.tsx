import type { ComponentChildren } from "preact";

/**
 * A column by its name, or with more: `isExtra` if narrow screens leave it out, as they do its cells with the class `is-extra`;
 * `isNameHidden` if only screen readers need the name.
 */
type Column =
  | string
  | {
      name: ComponentChildren;
      title?: string;
      isExtra?: boolean;
      isNameHidden?: boolean;
      isSorted?: boolean;
    };

export type RowsProps = {
  caption: ComponentChildren;
  columns: readonly Column[];
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
