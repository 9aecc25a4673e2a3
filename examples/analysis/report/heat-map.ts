import { label, rectangle, svg } from "./svg.ts";

/** A cell whose colour shows its share, from 0 to 1. */
export type Cell = { row: string; column: number; share: number; title: string };

/** A chart with rows of coloured cells, such as a cohort triangle. */
export function heatMap(name: string, cells: Cell[]): string {
  const rows = [...new Set(cells.map(({ row }) => row))];
  const columns = Math.max(0, ...cells.map(({ column }) => column)) + 1;
  const [width, left, top, step] = [760, 90, 20, 18];
  const slot = (width - left) / columns;
  const every = Math.ceil(columns / 24);
  const heads = Array.from({ length: columns }, (_, column) =>
    column % every === 0 ? label(left + (column + 0.5) * slot, 13, String(column)) : "",
  );
  const drawn = cells.map(({ row, column, share, title }) =>
    rectangle(
      { x: left + column * slot, y: top + rows.indexOf(row) * step, width: slot - 1, height: step - 1 },
      `class="c0" fill-opacity="${(0.04 + 0.96 * share).toFixed(3)}"`,
      title,
    ),
  );
  const names = rows.map((row, index) => label(left - 8, top + index * step + 13, row, "end"));
  return svg(width, top + rows.length * step, name, [...heads, ...names, ...drawn]);
}
