/** A creator's link that may be opened, with its whole address as browsers would open it. */
export type SafeLink = { href: string; shown: string };

/** Undefined for what must not be a link: other schemes, hidden credentials, text that is no address. */
export function safeLink(text: string | null): SafeLink | undefined {
  if (text === null || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  return { href: url.href, shown: url.href.replace(/\/$/, "") };
}

/** Pixels across in which the gateway has images. */
export type ImageWidth = 64 | 256 | 512;

const addressed = /^(?:ipfs:\/\/|https?:\/\/[^/?#]+\/(?:[^?#]*\/)?ipfs\/)(baf(?:krei|ybei)[a-z2-7]{52})$/;

/** Where our gateway has an image in this width. Undefined: the image isn't kept here, and is not loaded from elsewhere. */
export function imageSource(imageUrl: string | null, width: ImageWidth): string | undefined {
  const cid = addressed.exec(imageUrl ?? "")?.[1];
  return cid === undefined ? undefined : `/ipfs/${cid}?width=${width}`;
}
