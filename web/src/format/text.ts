import { t } from "../language/messages.ts";
import { plainText } from "./plain-text.ts";

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
