import { drawing, label, rectangle, short } from "./svg.ts";

/** Horizontal bars, one for each name, from the top down. */
export function rowChart(name: string, rows: { name: string; value: number }[], unit: string): string {
  const [width, step, left] = [760, 22, 130];
  const most = Math.max(1, ...rows.map(({ value }) => value));
  const parts = rows.flatMap((row, index) => {
    const length = ((width - left - 60) * row.value) / most;
    const y = index * step + 4;
    return [
      label(left - 8, y + 13, row.name, "end"),
      rectangle(
        { x: left, y, width: length, height: step - 6 },
        'class="c0"',
        `${row.name}: ${short(row.value)} ${unit}`,
      ),
      label(left + length + 6, y + 13, short(row.value), "start"),
    ];
  });
  return drawing(width, rows.length * step + 8, name, parts);
}
