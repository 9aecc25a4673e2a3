/*
 * Colours that follow from an accent colour. Text in it has to be readable on backgrounds that go a little beyond those of
 * web/src/styles/theme.css, since some rows are tinted with the accent.
 */

export const defaultAccent = "#f0b429";

const darkestLightGround = "#dfe2e6";
const lightestDarkGround = "#2c313a";

/** WCAG 2.2 AA for text. */
const minContrast = 4.5;

const parse = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
const format = (rgb: number[]) =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = parse(hex).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours (WCAG), from 1 to 21. */
export function contrast(left: string, right: string): number {
  const [darker = 0, lighter = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Moves a colour towards another one, as little as is needed for its contrast with a background. */
function readable(colour: string, ground: string, towards: "#000000" | "#ffffff"): string {
  const [from, to] = [parse(colour), parse(towards)];
  for (let percent = 0; percent < 100; percent += 2) {
    const mixed = format(from.map((part, at) => part + ((to[at] ?? 0) - part) * (percent / 100)));
    if (contrast(mixed, ground) >= minContrast) return mixed;
  }
  return towards;
}

/** Returns the accent with the colour of text on it, and of text in it on either theme. */
export function accentColours(accent: string) {
  const isDark = contrast(accent, "#ffffff") >= contrast(accent, "#000000");
  return {
    accent,
    onAccent: isDark ? "#ffffff" : "#000000",
    /** What the accent is mixed with while the pointer is on it: away from the text's colour. */
    hover: isDark ? "#000000" : "#ffffff",
    onLight: readable(accent, darkestLightGround, "#000000"),
    onDark: readable(accent, lightestDarkGround, "#ffffff"),
  };
}
