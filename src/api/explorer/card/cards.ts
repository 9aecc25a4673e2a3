import { displayNames } from "../../market/display-name.ts";
import type { Days, Stats } from "../../stats/stats.schema.ts";
import type { TokenDetails } from "../../tokens/entry/token-entry.schema.ts";
import {
  type CardBrand,
  cardSvg,
  colours,
  fittedTextAt,
  formatCount,
  formatMoney,
  formatShort,
  labelledValue,
  textAt,
  toDrawable,
} from "./svg.ts";
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
      labelledValue(
        words.traded,
        formatMoney(day.volumeBnb, day.volumeUsd, { chainId: stats.chainId, locale }),
        {
          x: 64,
          y: 212,
          width: 300,
        },
      ),
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

const tile = { x: 64, y: 84, size: 400 };
const column = { x: 520, width: 616 };

/**
 * Returns a token's card as SVG.
 *
 * @param picture the token's image as PNG
 */
export function tokenCard(
  token: TokenDetails,
  picture: Buffer | undefined,
  brand: CardBrand,
  words: CardWords,
): string {
  const { locale } = words;
  const { name, symbol } = displayNames({
    name: toDrawable(token.name),
    symbol: toDrawable(token.symbol),
    address: token.mint,
  });
  const day = token.windows["24h"];
  const place = { chainId: token.chainId, locale };
  const { x, width } = column;
  return cardSvg(
    [
      picture === undefined ? monogram(symbol, token.mint) : imageTile(picture),
      fittedTextAt(name, { x, y: 150, width, size: 76, minSize: 44, weight: 700 }),
      fittedTextAt(symbol, { x, y: 206, width, size: 36, minSize: 24, colour: colours.muted }),
      labelledValue(words.price, formatMoney(token.priceBnb, token.priceUsd, place), {
        x,
        y: 278,
        width: 290,
      }),
      labelledValue(words.marketCap, formatMoney(token.marketCapBnb, token.marketCapUsd, place), {
        x: x + 320,
        y: 278,
        width: 290,
      }),
      progress(token, brand.accent, words),
      fittedTextAt(
        `${words.holders(formatCount(token.holderCount, locale))} · ${words.tradedInDay(formatMoney(day.volumeBnb, day.volumeUsd, place))}`,
        { x, y: 484, width, size: 28, minSize: 20, colour: colours.muted },
      ),
    ].join("\n"),
    `${token.mint.slice(0, 10)}…${token.mint.slice(-8)}`,
    brand,
  );
}

function imageTile(png: Buffer): string {
  const { x, y, size } = tile;
  return `<clipPath id="tile"><rect x="${x}" y="${y}" width="${size}" height="${size}" rx="36"/></clipPath>
<rect x="${x}" y="${y}" width="${size}" height="${size}" rx="36" fill="${colours.surface}"/>
<image x="${x}" y="${y}" width="${size}" height="${size}" preserveAspectRatio="xMidYMid slice" clip-path="url(#tile)" href="data:image/png;base64,${png.toString("base64")}"/>`;
}

/** The symbol's first letters on a colour derived from the mint, as on the explorer's pages. */
function monogram(symbol: string, mint: string): string {
  const hue = Number.parseInt(mint.slice(2, 6), 16) % 360;
  const { x, y, size } = tile;
  const [first] = [...symbol].slice(0, 2).join("").match(/.+/u) ?? [""];
  return `<rect x="${x}" y="${y}" width="${size}" height="${size}" rx="36" fill="hsl(${hue}, 45%, 26%)"/>
${fittedTextAt(first, { x: x + size / 2, y: y + size / 2 + 62, width: size - 40, size: 176, minSize: 100, weight: 700, colour: `hsl(${hue}, 80%, 86%)`, anchor: "middle" })}`;
}

function progress({ progress: percent, graduated }: TokenDetails, accent: string, words: CardWords): string {
  const { x, width } = column;
  const done = Math.round((width * percent) / 100);
  const caption = graduated ? words.isListed : words.sold(exactPercent(percent));
  return `<rect x="${x}" y="376" width="${width}" height="18" rx="9" fill="${colours.line}"/>
<rect x="${x}" y="376" width="${done}" height="18" rx="9" fill="${graduated ? colours.up : accent}"/>
${textAt(caption, { x, y: 434, size: 28 })}`;
}

/** Rounds down: only a graduated token is at 100 %. */
const exactPercent = (percent: number) => `${Math.floor(percent * 10) / 10} %`;
