import { createHash } from "node:crypto";
import type { BrandSettings } from "../../../config/brand.ts";
import type { CardBrand } from "./card/svg.ts";

/** A file of the brand, which is served under a name with the hash of its content. */
type BrandFile = { bytes: Buffer; type: string };

/**
 * What the explorer's pages, icons and cards take from the operator's settings.
 *
 * @param builtIcon the built-in icon as SVG
 */
export function createBrand({ name, logo, accent, links, termsUrl, privacyUrl }: BrandSettings) {
  const files = new Map<string, BrandFile>();
  const add = (prefix: string, extension: string, file: BrandFile): string => {
    const hash = createHash("sha256").update(file.bytes).digest("base64url").slice(0, 8);
    const path = `${prefix}-${hash}.${extension}`;
    files.set(path, file);
    return `/assets/${path}`;
  };
  const colours = accentColours(accent ?? defaultAccent);
  const extension = logo?.type === "image/png" ? "png" : "svg";
  const ownIcon = logo ?? (accent === undefined ? undefined : recolouredIcon(colours));
  const icon = ownIcon && { ...ownIcon, path: add("logo", extension, ownIcon) };
  const style =
    accent === undefined
      ? undefined
      : add("brand", "css", { bytes: Buffer.from(stylesheet(colours)), type: "text/css" });
  const shown = JSON.stringify({ name, logo: logo && icon?.path, links, termsUrl, privacyUrl });
  const card: CardBrand = {
    name,
    accent: colours.onDark,
    logo: logo && `data:${logo.type};base64,${logo.bytes.toString("base64")}`,
  };
  return {
    name,
    files,
    /** Undefined: the built-in one. */
    icon,
    card,
    /** The brand for the pages' code, as JSON. */
    shown,
    /** What pages add to their head: its colours. */
    head: style === undefined ? "" : `<link rel="stylesheet" href="${style}" />`,
  };
}

/** Counts for more than the page's own stylesheet, which comes after it. */
const stylesheet = ({ accent, onAccent, onLight, onDark, hover }: ReturnType<typeof accentColours>) =>
  `:root:root{--accent:${accent};--accent-hover:${hover};--on-accent:${onAccent};--accent-text:light-dark(${onLight},${onDark})}`;

/** The built-in icon (web/src/styles/icon.svg) in other colours. */
function recolouredIcon({ accent, onAccent }: ReturnType<typeof accentColours>) {
  const line = `fill="none" stroke="${onAccent}" stroke-width="3.5" stroke-linecap="round"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/><path d="M6 23c8 0 12-4 15-14" ${line}/><path d="M15.5 10.5 21.7 8l3 6" ${line} stroke-linejoin="round"/></svg>`;
  return { bytes: Buffer.from(svg), type: "image/svg+xml", sizes: "any" };
}

/*
 * Colours that follow from an accent colour. Text in it has to be readable on backgrounds that go a little beyond those of
 * web/src/styles/theme.css, since some rows are tinted with the accent.
 */

const defaultAccent = "#f0b429";

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
