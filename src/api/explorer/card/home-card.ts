import type { Days, Stats } from "../../stats/stats.schema.ts";
import { type CardBrand, cardSvg, formatMoney, formatShort, labelledValue, textAt } from "./svg.ts";
import type { CardWords } from "./words.ts";

const chart = { x: 64, bottom: 520, width: 1_072, height: 170 };

/** Returns the launchpad's card as SVG. */
export function homeCard(
  stats: Stats,
  { days }: Pick<Days, "days">,
  brand: CardBrand,
  words: CardWords,
): string {
  const day = stats.windows["24h"];
  const { locale } = words;
  return cardSvg(
    [
      textAt(words.headline, { x: 64, y: 130, size: 64, weight: 700 }),
      labelledValue(words.traded, formatMoney(day.volumeBnb, day.volumeUsd, locale), {
        x: 64,
        y: 212,
        width: 300,
      }),
      labelledValue(words.tokens, formatShort(stats.tokens, locale), { x: 424, y: 212, width: 300 }),
      labelledValue(words.graduated, formatShort(stats.graduatedTokens, locale), {
        x: 784,
        y: 212,
        width: 300,
      }),
      bars(
        days.map(({ volumeBnb }) => Number(volumeBnb)),
        brand.accent,
      ),
    ].join("\n"),
    words.volumeOfDays(days.length),
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
