import type { Days, Stats } from "../../stats/stats.schema.ts";
import { type CardBrand, cardSvg, formatMoney, formatShort, labelledValue, textAt } from "./svg.ts";

const chart = { x: 64, bottom: 520, width: 1_072, height: 170 };

/** Returns the launchpad's card as SVG. */
export function homeCard(stats: Stats, { days }: Pick<Days, "days">, brand: CardBrand): string {
  const day = stats.windows["24h"];
  return cardSvg(
    [
      textAt("Tokens on BNB Smart Chain", { x: 64, y: 130, size: 64, weight: 700 }),
      labelledValue("Traded in 24 h", formatMoney(day.volumeBnb, day.volumeUsd), {
        x: 64,
        y: 212,
        width: 300,
      }),
      labelledValue("Tokens", formatShort(stats.tokens), { x: 424, y: 212, width: 300 }),
      labelledValue("Graduated", formatShort(stats.graduatedTokens), { x: 784, y: 212, width: 300 }),
      bars(
        days.map(({ volumeBnb }) => Number(volumeBnb)),
        brand.accent,
      ),
    ].join("\n"),
    `Volume of the last ${days.length} days`,
    brand,
  );
}

function bars(values: number[], colour: string): string {
  const max = Math.max(...values, Number.MIN_VALUE);
  const step = chart.width / values.length;
  return values
    .map((value, index) => {
      const height = value === 0 ? 0 : Math.max(3, (chart.height * value) / max);
      const x = chart.x + index * step;
      return `<rect x="${x.toFixed(1)}" y="${(chart.bottom - height).toFixed(1)}" width="${(step - 6).toFixed(1)}" height="${height.toFixed(1)}" rx="3" fill="${colour}"/>`;
    })
    .join("");
}
