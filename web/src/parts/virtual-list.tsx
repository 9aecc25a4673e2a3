import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { hasPainted } from "./first-paint.ts";

type VirtualListProps = {
  count: number;
  /** The height of every row with the gap below it, in rem. It is fixed, so that the list has its full height before it is read. */
  rowHeight: number;
  /** Renders the entry at an index. */
  render: (index: number) => ComponentChildren;
  /** Called with the range in view once scrolling pauses, so that entries that are only scrolled past are not read. */
  onRange: (first: number, last: number) => void;
  /** Its styles say how many columns there are, if it is a grid. */
  class: string;
  role?: "list" | "rowgroup";
};

/** The range in view is reported after this time without scrolling. */
const settleMs = 80;

/** A list of any length that scrolls with the page. Only rows in view, and a few around them, have elements. */
export function VirtualList({ count, rowHeight, render, onRange, ...list }: VirtualListProps) {
  const outer = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  /** The first row in view, how many are, and the height of each in pixels. */
  const [view, setView] = useState({ top: 0, rows: 4, columns: 1, row: 16 * rowHeight });

  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const element = outer.current;
      if (element === null || grid.current === null) return;
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const row = rowHeight * rem;
      const { top: y } = element.getBoundingClientRect();
      const columns = getComputedStyle(grid.current).gridTemplateColumns.split(" ").length;
      const top = Math.max(0, Math.floor(-y / row));
      // None of what is above the list, and a part of a row at either end.
      const rows = Math.max(1, Math.ceil((window.innerHeight - Math.max(0, y)) / row) + (y < 0 ? 1 : 0));
      setView((shown) =>
        shown.top === top && shown.rows === rows && shown.columns === columns && shown.row === row
          ? shown
          : { top, rows, columns, row },
      );
    };
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    look();
    const resized = new ResizeObserver(schedule);
    if (outer.current !== null) resized.observe(outer.current);
    window.addEventListener("scroll", schedule, { passive: true });
    window.addEventListener("resize", schedule);
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
      window.removeEventListener("scroll", schedule);
      window.removeEventListener("resize", schedule);
    };
  }, [rowHeight]);

  // The rows around the window are rendered, but only read once they come into view. The first frame has none of them.
  const { allRows, firstRow, first, last, from, to } = visibleRange({
    ...view,
    count,
    overscan: hasPainted.value ? 4 : 0,
  });

  const isFirst = useRef(true);
  useEffect(() => {
    // The first range is reported at once.
    const wait = isFirst.current ? 0 : settleMs;
    isFirst.current = false;
    const timer = setTimeout(() => onRange(from, to), wait);
    return () => clearTimeout(timer);
  }, [from, to, onRange]);

  const entries = Array.from({ length: Math.max(0, last - first) }, (_, at) => render(first + at));
  return (
    <div ref={outer} style={{ height: `${allRows * view.row}px` }}>
      <div {...list} ref={grid} style={{ transform: `translateY(${firstRow * view.row}px)` }}>
        {entries}
      </div>
    </div>
  );
}

/**
 * What of a list is in view: its first row and how many fit, in as many columns, of so many entries. `overscan` is the number of rows
 * above and below the window that are rendered, too.
 */
type ListView = { top: number; rows: number; columns: number; count: number; overscan: number };

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
