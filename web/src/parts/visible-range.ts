/**
 * What of a list is in view: its first row and how many fit, in as many columns, of so many entries. `overscan` is the number of rows
 * above and below the window that are rendered, too.
 */
export type ListView = { top: number; rows: number; columns: number; count: number; overscan: number };

/**
 * Returns the first row to render, the range of entries to render, and the range in view, which is to be read. The ends of ranges
 * are exclusive. At the end of a list the last rows are in view, even if the page has not scrolled that far since it got shorter.
 */
export function visibleRange({ top, rows, columns, count, overscan }: ListView) {
  const allRows = Math.ceil(count / columns);
  const rendered = rows + 2 * overscan;
  const firstRow = Math.max(0, Math.min(top - overscan, allRows - rendered));
  const from = Math.min(top, Math.max(0, allRows - rows)) * columns;
  return {
    allRows,
    firstRow,
    first: firstRow * columns,
    last: Math.min(count, (firstRow + rendered) * columns),
    from,
    to: Math.max(from + 1, Math.min(count, from + rows * columns)),
  };
}
