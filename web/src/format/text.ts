import { t } from "../language/messages.ts";

/* Anyone can write names, symbols, descriptions and links. These functions remove everything that affects what is around them. */

/** Control, bidi, zero-width and other invisible characters, except the joiner of emoji. */
const invisible =
  /\u034f|[\u180b-\u180f]|[\p{Cc}\p{Cs}\p{Co}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** More than three combining marks on one letter would cover the lines around it. */
const marks = /(\p{M}{3})\p{M}+/gu;

/** Marks with no letter before them would be drawn on the text before this one. */
const looseMarks = /(^|\s)\p{M}+/gu;

/** A creator's text as one line. Empty if none of it is visible. */
export function plainText(text: string, maxCharacters = 200): string {
  const line = text
    .replace(/\s+/gu, " ")
    .replace(invisible, "")
    .replace(looseMarks, "$1")
    .replace(marks, "$1")
    .trim();
  const characters = [...line];
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters - 1).join("")}…` : line;
}

/** The lines of a creator's text, with at most one empty line in a row. */
export function plainLines(text: string): string[] {
  const lines = text.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => plainText(line, 2_000));
  return lines.filter((line, at) => line !== "" || lines[at - 1] !== "").slice(0, 100);
}

/** A token's name, or a placeholder if none of it is visible. */
export const displayName = (name: string) => plainText(name, 80) || t.common.noName;
export const displaySymbol = (symbol: string) => plainText(symbol, 24) || t.common.noSymbol;

/** Shortens an address to both ends: 0x1f09…1d17. */
export const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;

/** A creator's link that is safe to open. `shown` is the full address that the browser opens. */
type SafeLink = { href: string; shown: string };

/** Parses a link. Undefined for text that must not become one: other schemes, embedded credentials, no address at all. */
export function safeLink(text: string | null): SafeLink | undefined {
  if (text === null || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  return { href: url.href, shown: url.href.replace(/\/$/, "") };
}

/** The widths in pixels in which the gateway serves images. */
type ImageWidth = 64 | 128 | 256 | 512;

const addressed = /^(?:ipfs:\/\/|https?:\/\/[^/?#]+\/(?:[^?#]*\/)?ipfs\/)(baf(?:krei|ybei)[a-z2-7]{52})$/;

/** The gateway's URL of an image in this width. Undefined for other images, which are never loaded from elsewhere. */
export function imageSource(imageUrl: string | null, width: ImageWidth): string | undefined {
  const cid = addressed.exec(imageUrl ?? "")?.[1];
  return cid === undefined ? undefined : `/ipfs/${cid}?width=${width}`;
}
