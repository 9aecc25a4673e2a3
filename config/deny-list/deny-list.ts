import { hostAndPath, isBelow, linksIn, type Place } from "./links.ts";

/*
 * The deny list: names, links and images that must not be registered. A text file with an entry a line; empty lines and what
 * follows a # at the start of a line are comments.
 *
 *     name  PancakeSwap           a token's whole name or symbol; * stands for any text, case and compatibility forms don't matter
 *     link  scam.example          a host with its subdomains; with a path, what is at and below it: t.me/group
 *     image bafkrei...            the CID of an image; or the whole URL of one
 */

/** What of a registration the list looks at. */
type Denied = "name" | "symbol" | "description" | (typeof urlFields)[number];

export type DeniableContent = { name: string; symbol: string } & {
  [Field in Exclude<Denied, "name" | "symbol">]?: string | null | undefined;
};

export type DenyList = {
  /** The number of entries. */
  size: number;
  /** The fields that the list denies. */
  deniedIn(content: DeniableContent): Denied[];
  /** Whether the list has the image with this CID. */
  deniesImage(cid: string): boolean;
};

/** Has one line for each entry that is wrong, with its number. */
class DenyListError extends Error {
  override name = "DenyListError";
}

const urlFields = ["imageUrl", "twitterUrl", "telegramUrl", "websiteUrl"] as const;
const cidPattern = /baf[a-z2-7]{50,100}/g;
const isCid = (text: string) => /^baf[a-z2-7]{50,100}$/.test(text);

type Entries = { names: RegExp[]; links: Place[]; cids: Set<string>; imageUrls: Set<string> };

/** Reads a deny list. Throws a DenyListError. */
export function parseDenyList(text: string): DenyList {
  const entries: Entries = { names: [], links: [], cids: new Set(), imageUrls: new Set() };
  const wrong = text.split(/\r?\n/).flatMap((line, index) => {
    const entry = line.trim();
    const problem = entry === "" || entry.startsWith("#") ? undefined : add(entries, entry);
    return problem === undefined ? [] : [`line ${index + 1}: ${problem}`];
  });
  if (wrong.length > 0) throw new DenyListError(wrong.join("\n"));

  const { names, links, cids, imageUrls } = entries;
  const hasName = (name: string) => names.some((pattern) => pattern.test(folded(name)));
  const hasLink = (text: string) => linksIn(text).some((link) => links.some((place) => isBelow(link, place)));
  const hasImage = (url: string) =>
    imageUrls.has(url) || (url.toLowerCase().match(cidPattern) ?? []).some((cid) => cids.has(cid));
  return {
    size: names.length + links.length + cids.size + imageUrls.size,
    deniesImage: (cid) => cids.has(cid.toLowerCase()),
    deniedIn: (content) => [
      ...(["name", "symbol"] as const).filter((field) => hasName(content[field])),
      ...(["description", ...urlFields] as const).filter((field) => hasLink(content[field] ?? "")),
      ...(hasImage(content.imageUrl ?? "") ? (["imageUrl"] as const) : []),
    ],
  };
}

/** Adds an entry. Returns what is wrong with it instead. */
function add({ names, links, cids, imageUrls }: Entries, entry: string): string | undefined {
  const [, kind, value = ""] = /^(\S+)(?:\s+(.*))?$/.exec(entry) ?? [];
  if (value === "") return "must be name, link or image, a space, and what to deny";
  if (kind === "name") {
    const parts = folded(value).split("*");
    if (parts.every((part) => part.trim() === "")) return "denies every name";
    names.push(new RegExp(`^${parts.map(escaped).join(".*")}$`, "su"));
  } else if (kind === "link") {
    const place = hostAndPath(value);
    if (place === undefined) return "must be a host, such as scam.example, or a host and a path";
    links.push(place);
  } else if (kind === "image") {
    if (isCid(value.toLowerCase())) cids.add(value.toLowerCase());
    else if (URL.canParse(value)) imageUrls.add(value);
    else return "must be the CID of an image (baf...), or its URL";
  } else return `must begin with name, link or image, and not with ${JSON.stringify(kind)}`;
  return undefined;
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Without what makes two texts differ that look the same: case, compatibility forms, invisible signs, more than one space. */
function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Cf}|\p{Variation_Selector}/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
}
