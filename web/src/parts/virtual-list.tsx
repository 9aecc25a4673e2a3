import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export type VirtualListProps = {
  count: number;
  /** The height of every row with the gap below it, in rem. It is fixed, so that the list has its full height before it is read. */
  rowHeight: number;
  /** The minimum width of a column in rem; as many columns as fit are shown. One column if left out. */
  columnWidth?: number;
  /** Renders the entry at an index. */
  render: (index: number) => ComponentChildren;
  /** Called with the range in view once scrolling pauses, so that entries that are only scrolled past are not read. */
  onRange: (first: number, last: number) => void;
  class: string;
  role?: "list" | "rowgroup";
};

/** The number of rows above and below the window that are rendered, too. */
const overscan = 4;
/** The range in view is reported after this time without scrolling. */
const settleMs = 80;

/** A list of any length that scrolls with the page. Only rows in view, and a few around them, have elements. */
export function VirtualList({ count, rowHeight, columnWidth, render, onRange, ...list }: VirtualListProps) {
  const outer = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ first: 0, rows: 12, columns: 1, row: 16 * rowHeight });

  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const element = outer.current;
      if (element === null) return;
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const row = rowHeight * rem;
      const { top, width } = element.getBoundingClientRect();
      const columns = columnWidth === undefined ? 1 : Math.max(1, Math.floor(width / (columnWidth * rem)));
      const first = Math.max(0, Math.floor(-top / row) - overscan);
      const rows = Math.ceil(window.innerHeight / row) + 2 * overscan;
      setView((shown) =>
        shown.first === first && shown.rows === rows && shown.columns === columns && shown.row === row
          ? shown
          : { first, rows, columns, row },
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
  }, [rowHeight, columnWidth]);

  const { columns, row } = view;
  const allRows = Math.ceil(count / columns);
  const firstRow = Math.min(view.first, Math.max(0, allRows - view.rows));
  const first = firstRow * columns;
  const last = Math.min(count, (firstRow + view.rows) * columns);

  const isFirst = useRef(true);
  useEffect(() => {
    // The first range is reported at once.
    const wait = isFirst.current ? 0 : settleMs;
    isFirst.current = false;
    // The rows outside the window are rendered, but only read once they come into view.
    const beyond = overscan * columns;
    const from = firstRow === 0 ? 0 : first + beyond;
    const to = Math.max(
      from + 1,
      Math.min(last, (firstRow + view.rows) * columns - (firstRow === 0 ? 2 : 1) * beyond),
    );
    const timer = setTimeout(() => onRange(from, to), wait);
    return () => clearTimeout(timer);
  }, [first, last, columns, onRange]);

  const entries = Array.from({ length: Math.max(0, last - first) }, (_, at) => render(first + at));
  return (
    <div ref={outer} style={{ height: `${allRows * row}px` }}>
      <div
        {...list}
        style={{
          transform: `translateY(${firstRow * row}px)`,
          gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        }}
      >
        {entries}
      </div>
    </div>
  );
}
