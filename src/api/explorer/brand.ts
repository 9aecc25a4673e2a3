import { createHash } from "node:crypto";
import type { BrandSettings } from "../../../config/brand.ts";
import { accentColours, defaultAccent } from "./accent.ts";
import { type CardBrand, escapeMarkup } from "./card/svg.ts";

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
  const shown = { name, logo: logo && icon?.path, links, termsUrl, privacyUrl };
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
    /** What pages add to their head: the brand for their code, and its colours. */
    head:
      `<meta name="brand" content="${escapeMarkup(JSON.stringify(shown))}" />` +
      (style === undefined ? "" : `<link rel="stylesheet" href="${style}" />`),
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
