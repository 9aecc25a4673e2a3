import { displayNames } from "../../market/display-name.ts";
import type { TokenDetails } from "../../tokens/entry/token-entry.schema.ts";
import { drawable } from "./drawn-text.ts";
import { cardSvg, colours, fact, fittedAt, formatCount, formatMoney, textAt } from "./svg.ts";

const tile = { x: 64, y: 84, size: 400 };
const column = { x: 520, width: 616 };

/** A token's card. `picture` is its image as PNG, if there is one. */
export function tokenCard(token: TokenDetails, picture: Buffer | undefined): string {
  const { name, symbol } = displayNames({
    ...{ name: drawable(token.name), symbol: drawable(token.symbol), address: token.mint },
  });
  const day = token.windows["24h"];
  const { x, width } = column;
  return cardSvg(
    [
      picture === undefined ? letters(symbol, token.mint) : image(picture),
      fittedAt(name, { x, y: 150, width, size: 76, smallest: 44, weight: 700 }),
      fittedAt(symbol, { x, y: 206, width, size: 36, smallest: 24, colour: colours.muted }),
      fact("Price", formatMoney(token.priceBnb, token.priceUsd), { x, y: 278, width: 290 }),
      fact("Market cap", formatMoney(token.marketCapBnb, token.marketCapUsd), {
        x: x + 320,
        y: 278,
        width: 290,
      }),
      progress(token),
      fittedAt(
        `${formatCount(token.holderCount, "holder")} · ${formatMoney(day.volumeBnb, day.volumeUsd)} traded in 24 h`,
        { x, y: 484, width, size: 28, smallest: 20, colour: colours.muted },
      ),
    ].join("\n"),
    `${token.mint.slice(0, 10)}…${token.mint.slice(-8)}`,
  );
}

function image(png: Buffer): string {
  const { x, y, size } = tile;
  return `<clipPath id="tile"><rect x="${x}" y="${y}" width="${size}" height="${size}" rx="36"/></clipPath>
<rect x="${x}" y="${y}" width="${size}" height="${size}" rx="36" fill="${colours.surface}"/>
<image x="${x}" y="${y}" width="${size}" height="${size}" preserveAspectRatio="xMidYMid slice" clip-path="url(#tile)" href="data:image/png;base64,${png.toString("base64")}"/>`;
}

/** The first letters of its symbol on a colour of its own, as on the pages. */
function letters(symbol: string, mint: string): string {
  const hue = Number.parseInt(mint.slice(2, 6), 16) % 360;
  const { x, y, size } = tile;
  const [first] = [...symbol].slice(0, 2).join("").match(/.+/u) ?? [""];
  return `<rect x="${x}" y="${y}" width="${size}" height="${size}" rx="36" fill="hsl(${hue}, 45%, 26%)"/>
${textAt(first, { x: x + size / 2, y: y + size / 2 + 62, size: 176, weight: 700, colour: `hsl(${hue}, 80%, 86%)`, anchor: "middle" })}`;
}

function progress({ progress: percent, graduated }: TokenDetails): string {
  const { x, width } = column;
  const done = Math.round((width * percent) / 100);
  const words = graduated
    ? "Graduated: it trades on the DEX"
    : `${exactPercent(percent)} of the curve is sold`;
  return `<rect x="${x}" y="376" width="${width}" height="18" rx="9" fill="${colours.line}"/>
<rect x="${x}" y="376" width="${done}" height="18" rx="9" fill="${graduated ? colours.up : colours.accent}"/>
${textAt(words, { x, y: 434, size: 28 })}`;
}

/** Rounded down: 100 % is for what has graduated. */
const exactPercent = (percent: number) => `${Math.floor(percent * 10) / 10} %`;
