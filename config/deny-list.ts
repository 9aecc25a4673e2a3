import { readFileSync } from "node:fs";
import { percentDecode } from "./parse.ts";

/*
 * The deny list: names, links and images that must not be registered. A text file with one entry per line; empty lines and
 * lines that start with # are ignored.
 *
 *     name  PancakeSwap           a token's whole name or symbol, or one that looks like it; * stands for any text
 *     link  scam.example          a host with its subdomains; with a path, everything at or below it: t.me/group
 *     image bafkrei...            an image's CID, or its whole URL
 */

/** The fields of a registration that the list checks. */
type Denied = "name" | "symbol" | "description" | (typeof urlFields)[number];

export type DeniableContent = { name: string; symbol: string } & {
  [Field in Exclude<Denied, "name" | "symbol">]?: string | null | undefined;
};

export type DenyList = {
  /** The number of entries. */
  size: number;
  /** Returns the fields that the list denies. */
  deniedIn(content: DeniableContent): Denied[];
  /** Whether the list denies the image with this CID. */
  deniesImage(cid: string): boolean;
};

/** Its message has one line for each invalid entry, with the entry's line number. */
class DenyListError extends Error {
  override name = "DenyListError";
}

const urlFields = ["imageUrl", "twitterUrl", "telegramUrl", "websiteUrl"] as const;
const cidPattern = /baf[a-z2-7]{50,100}/g;
const isCid = (text: string) => /^baf[a-z2-7]{50,100}$/.test(text);

/** Returns what a text looks like, in one form or several. Two texts look alike if they agree in one of them. Empty: without letters. */
export type Looks = (text: string) => string[];

type Entries = {
  names: RegExp[];
  /** Those with *, as {@link shapeOf} writes them. */
  shapes: RegExp[];
  /** What the others look like. */
  looks: string[][];
  links: LinkTarget[];
  cids: Set<string>;
  imageUrls: Set<string>;
};

/**
 * Parses a deny list. Throws a DenyListError.
 *
 * @param looksOf needed to find names, not to check the list
 */
export function parseDenyList(text: string, looksOf: Looks = () => []): DenyList {
  const entries: Entries = {
    names: [],
    shapes: [],
    looks: [],
    links: [],
    cids: new Set(),
    imageUrls: new Set(),
  };
  const wrong = text.split(/\r?\n/).flatMap((line, index) => {
    const entry = line.trim();
    const problem = entry === "" || entry.startsWith("#") ? undefined : addEntry(entries, entry, looksOf);
    return problem === undefined ? [] : [`line ${index + 1}: ${problem}`];
  });
  if (wrong.length > 0) throw new DenyListError(wrong.join("\n"));

  const { names, shapes, looks, links, cids, imageUrls } = entries;
  const hasName = (name: string) => {
    const plain = normalize(name);
    const [shape, look] = [shapeOf(plain, looksOf), looksOf(name)];
    return (
      names.some((pattern) => pattern.test(plain)) ||
      shapes.some((pattern) => pattern.test(shape)) ||
      looks.some((forms) => forms.some((text, form) => text !== "" && text === look[form]))
    );
  };
  const hasLink = (text: string) =>
    findLinks(text).some((link) => links.some((target) => isWithin(link, target)));
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

/** Adds an entry, or returns what is wrong with it. */
function addEntry(
  { names, shapes, looks, links, cids, imageUrls }: Entries,
  entry: string,
  looksOf: Looks,
): string | undefined {
  const [, kind, value = ""] = /^(\S+)(?:\s+(.*))?$/.exec(entry) ?? [];
  if (value === "") return "must be name, link or image, a space, and what to deny";
  if (kind === "name") {
    const parts = normalize(value).split("*");
    if (parts.every((part) => part.trim() === "")) return "denies every name";
    names.push(toPattern(parts));
    if (parts.length === 1) looks.push(looksOf(value));
    else shapes.push(toPattern(parts.map((part) => shapeOf(part, looksOf))));
  } else if (kind === "link") {
    const target = parseLink(value);
    if (target === undefined) return "must be a host, such as scam.example, or a host and a path";
    links.push(target);
  } else if (kind === "image") {
    if (isCid(value.toLowerCase())) cids.add(value.toLowerCase());
    else if (URL.canParse(value)) imageUrls.add(value);
    else return "must be the CID of an image (baf...), or its URL";
  } else return `must begin with name, link or image, not with ${JSON.stringify(kind)}`;
  return undefined;
}

/** Matches what has these parts, with any text between them. */
const toPattern = (parts: string[]) => new RegExp(`^${parts.map(escapeRegExp).join(".*")}$`, "su");

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/**
 * Removes differences between texts that look the same: case, compatibility forms, invisible characters, repeated
 * spaces. U+2800 is a blank that Unicode calls a symbol.
 */
function normalize(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/[\s\u2800]+/gu, " ")
    .trim();
}

/** Replaces each word of a normalized text by what it looks like. Keeps what is between words: *.com* must not deny "community". */
const shapeOf = (plain: string, looksOf: Looks): string =>
  plain.replaceAll(/[^\p{P}\s]+/gu, (word) => looksOf(word)[0] || word);

/** A host in lower case, and a decoded path without a trailing slash. An empty path stands for the whole host. */
type LinkTarget = { host: string; path: string };

const linkPattern =
  /(?:[a-z][a-z0-9+.-]*:\/\/\S+)|(?:(?:[\p{L}\p{N}-]+\.)+[\p{L}][\p{L}\p{N}-]+(?:[/:]\S*)?)/giu;

/** A host in ASCII, which ends where a sentence goes on: "(https://scam.example)", or Chinese text, which has no spaces. */
const asciiLinkPattern =
  /(?<![\p{Script=Latin}\p{N}\p{M}-])(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?![\p{Script=Latin}\p{M}])(?:[/:?#]\S*)?/giu;

/** Finds the links in a URL or any other text, including those without `https://`. */
function findLinks(text: string): LinkTarget[] {
  return [linkPattern, asciiLinkPattern]
    .flatMap((pattern) => text.match(pattern) ?? [])
    .flatMap((link) => parseLink(link) ?? []);
}

/** Parses a link's host and path. Returns undefined if it has no host. */
function parseLink(link: string): LinkTarget | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(link) ? link : `https://${link}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host === "" || (!host.includes(".") && !host.startsWith("["))) return undefined;
  // The same path may be written in many ways.
  const path = percentDecode(pathname) ?? pathname;
  return { host, path: path.toLowerCase().replaceAll(/\/+/g, "/").replace(/\/$/, "") };
}

/** Whether a link leads to the target or below it: to a subdomain, or a longer path. */
function isWithin(link: LinkTarget, target: LinkTarget): boolean {
  return (
    (link.host === target.host || link.host.endsWith(`.${target.host}`)) &&
    link.path.startsWith(target.path) &&
    // In a text, what follows may be the sentence's punctuation. A name goes on with a letter.
    !/^[.~+%=&]*[\p{L}\p{N}\p{M}_-]/u.test(link.path.slice(target.path.length))
  );
}

/** Reads a deny list, as {@link parseDenyList} does. Throws an Error whose message names the file and what is wrong. */
export function readDenyList(file: string, looksOf?: Looks): DenyList {
  try {
    return parseDenyList(readFileSync(file, "utf8"), looksOf);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message.replaceAll("\n", "; ")}`, { cause: error });
  }
}
