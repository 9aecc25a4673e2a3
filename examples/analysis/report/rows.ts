import { label, rectangle, short, svg } from "./svg.ts";

/** A chart with one horizontal bar per name, from top to bottom. */
export function rowChart(name: string, rows: { name: string; value: number }[], unit: string): string {
  const [width, step, left] = [760, 22, 130];
  const maximum = Math.max(1, ...rows.map(({ value }) => value));
  const parts = rows.flatMap((row, index) => {
    const length = ((width - left - 60) * row.value) / maximum;
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
  return svg(width, rows.length * step + 8, name, parts);
}
