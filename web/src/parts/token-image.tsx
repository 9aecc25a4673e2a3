import { useState } from "preact/hooks";
import { displaySymbol, imageSource } from "../format/text.ts";

export type TokenImageProps = {
  token: { mint: string; symbol: string; imageUrl?: string | null };
  /** The side of the square, in pixels. */
  size: 24 | 32 | 40 | 64 | 96;
};

/** The image widths for each size, on ordinary and on high-density screens. */
const widths = {
  24: [64, 64],
  32: [64, 64],
  40: [64, 256],
  64: [64, 256],
  96: [128, 256],
} as const;

/** The colours of letters, which are classes: the Content-Security-Policy refuses styles in what the server draws. */
const hues = 12;

/** A token's image from our gateway, or else the first letters of its symbol on a colour. Decoration: the name is always beside it. */
export function TokenImage({ token, size }: TokenImageProps) {
  const [failed, setFailed] = useState<string>();
  const [source, finer] = widths[size].map((width) => imageSource(token.imageUrl ?? null, width));
  if (source === undefined || failed === source) {
    const hue = Number.parseInt(token.mint.slice(2, 6), 16) % hues;
    return (
      <span class={`token-image letters size-${size} hue-${hue}`} aria-hidden="true">
        {[...displaySymbol(token.symbol)].slice(0, 2).join("")}
      </span>
    );
  }
  return (
    <img
      class={`token-image size-${size}`}
      src={source}
      srcset={finer === source ? undefined : `${source} 1x, ${finer} 2x`}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(source)}
    />
  );
}
