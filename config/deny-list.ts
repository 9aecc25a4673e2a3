import { readFileSync } from "node:fs";
import { percentDecode } from "./parse.ts";

/*
 * The deny list: names, links and images that must not be registered. A text file with one entry per line; empty lines and
 * lines that start with # are ignored.
 *
 *     name  PancakeSwap           a token's whole name or symbol, or one that looks like it; * stands for any text
 *     link  scam.example          a host with its subdomains, in any text; with a path, everything at or below it: t.me/group
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

/** Returns what a text looks like: ignoring case, and in its case, with letters that look alike in that alone. Empty: without letters. */
export type Looks = (text: string) => [ignoringCase: string, inItsCase: string];

type Entries = {
  names: RegExp[];
  /** Those with *, as {@link shapesOf} writes them. */
  shapes: RegExp[][];
  /** The others, as {@link formsOf} writes them. */
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
export function parseDenyList(text: string, looksOf: Looks = () => ["", ""]): DenyList {
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
    const plain = simplify(name);
    const [ownShapes, ownLooks] = [shapesOf(plain, looksOf), formsOf(name, looksOf)];
    return (
      names.some((pattern) => pattern.test(plain.toLowerCase())) ||
      shapes.some((patterns) => patterns.some((pattern, form) => pattern.test(ownShapes[form] ?? ""))) ||
      looks.some((forms) => forms.some((text, form) => text !== "" && text === ownLooks[form]))
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
      ...(["name", "symbol"] as const).filter((field) => hasName(content[field]) || hasLink(content[field])),
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
    const plain = simplify(value);
    if (/^[*\s]*$/.test(plain)) return "denies every name";
    names.push(toPattern(plain.toLowerCase()));
    if (plain.includes("*")) shapes.push(shapesOf(plain, looksOf).map(toPattern));
    else looks.push(formsOf(value, looksOf));
  } else if ((kind === "link" || kind === "image") && value.includes("*")) {
    return "may have * in names alone: a host includes its subdomains, and a path what is below it";
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

/** Matches a text in which any text is in place of each *. */
const toPattern = (text: string) => new RegExp(`^${text.split("*").map(escapeRegExp).join(".*")}$`, "su");

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/**
 * Removes differences between texts that look the same: compatibility forms, invisible characters, repeated spaces. U+2800 is a blank
 * that Unicode calls a symbol.
 */
function simplify(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/[\s\u2800]+/gu, " ")
    .trim();
}

/** What a whole name looks like: ignoring case, in its case, and in capitals, as which B1NANCE looks like binance. */
const formsOf = (text: string, looksOf: Looks): string[] => [
  ...looksOf(text),
  looksOf(inEachWord(text, capitalsOf))[1],
];

/** Writes each word as what it looks like, ignoring case and in capitals. Keeps what is between words: *.com* must not deny "community". */
const shapesOf = (text: string, looksOf: Looks): string[] => [
  inEachWord(text, (word) => looksOf(word)[0] || word.toLowerCase()),
  inEachWord(text, (word) => looksOf(capitalsOf(word))[1] || word.toUpperCase()),
];

const inEachWord = (text: string, change: (word: string) => string) =>
  text.replaceAll(/[^\p{P}\s]+/gu, change);

/** Writes a word in capitals, where 1 looks like I, and 0 like O. */
function capitalsOf(word: string): string {
  // Among capitals, l stands for I, as in WlF.
  const areCapitals = /\p{Lu}/u.test(word) && !/\p{Ll}/u.test(word.replaceAll("l", ""));
  return (areCapitals ? word : word.toUpperCase()).replaceAll("0", "O");
}

/** A host in lower case, and a decoded path without a trailing slash. An empty path stands for the whole host. */
type LinkTarget = { host: string; path: string };

const linkPattern =
  /(?:[a-z][a-z0-9+.-]*:\/\/\S+)|(?:(?:[\p{L}\p{N}-]+\.)+[\p{L}][\p{L}\p{N}-]+(?:[/:]\S*)?)/giu;

/** A host in ASCII, which ends where a sentence goes on: "(https://scam.example)", or Chinese text, which has no spaces. */
const asciiLinkPattern =
  /(?<![\p{Script=Latin}\p{N}\p{M}-])(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?![\p{Script=Latin}\p{M}])(?:[/:?#]\S*)?/giu;

/** Finds the links in a URL or any other text, including those without `https://`, and with invisible characters in them. */
function findLinks(text: string): LinkTarget[] {
  return [text, simplify(text)]
    .flatMap((version) => [linkPattern, asciiLinkPattern].flatMap((pattern) => version.match(pattern) ?? []))
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
