import { readStored, writeStored } from "../data/storage.ts";

/** A language: its texts in parts, of which a page loads those that it needs. */
export type Catalogue = typeof import("./catalogues/en.ts");

type Part = keyof Catalogue;

/** All parts in one. */
export type Messages = Catalogue["core"] &
  Catalogue["trading"] &
  Catalogue["board"] &
  Catalogue["token"] &
  Catalogue["account"] &
  Catalogue["leaderboard"] &
  Catalogue["stats"] &
  Catalogue["create"] &
  Catalogue["alerts"];

type Load = () => Promise<Partial<Messages>>;

/** How a part is loaded, by language (`./catalogues/zh.ts` for example). Each is a chunk of its own: see the plugin in vite.ts. */
const parts: Record<Part, Record<string, Load>> = {
  core: import.meta.glob<Partial<Messages>>("./catalogues/*.ts", { query: "?core", import: "core" }),
  trading: import.meta.glob<Partial<Messages>>("./catalogues/*.ts", { query: "?trading", import: "trading" }),
  board: import.meta.glob<Partial<Messages>>("./catalogues/*.ts", { query: "?board", import: "board" }),
  token: import.meta.glob<Partial<Messages>>("./catalogues/*.ts", { query: "?token", import: "token" }),
  account: import.meta.glob<Partial<Messages>>("./catalogues/*.ts", { query: "?account", import: "account" }),
  leaderboard: import.meta.glob<Partial<Messages>>("./catalogues/*.ts", {
    query: "?leaderboard",
    import: "leaderboard",
  }),
  stats: import.meta.glob<Partial<Messages>>("./catalogues/*.ts", { query: "?stats", import: "stats" }),
  create: import.meta.glob<Partial<Messages>>("./catalogues/*.ts", { query: "?create", import: "create" }),
  alerts: import.meta.glob<Partial<Messages>>("./catalogues/*.ts", { query: "?alerts", import: "alerts" }),
};

const catalogue = (tag: string) => `./catalogues/${tag}.ts`;

const storageKey = "language";
const fallback = "en";

const primary = (tag: string) => tag.toLowerCase().split(/[-_]/)[0] ?? "";

/** The languages, each with its own name for itself. Not at the start: the browser takes a while to find the first of these names. */
export const languages = () =>
  Object.keys(parts.core).map((path) => {
    const value = path.replace(/^.*\/|\.ts$/g, "");
    return { value, label: new Intl.DisplayNames([value], { type: "language" }).of(value) ?? value };
  });

/** The language of the page: the one that the visitor chose, or else the first of the browser's that there is. */
export const language =
  [readStored(storageKey) ?? "", ...navigator.languages.map(primary)].find(
    (tag) => catalogue(tag) in parts.core,
  ) ?? fallback;

/**
 * The texts, as far as {@link readTexts} has read them. `core` is there before the first page is drawn, but after its modules have run,
 * and other parts before their page is drawn: modules use texts in functions only. Nothing is awaited at the top level, because a
 * build with such a module has many small chunks.
 */
export const t = {} as Messages;

/** Reads parts of the texts in the page's language. */
export async function readTexts(names: readonly Part[]): Promise<void> {
  const texts = await Promise.all(names.map((name) => parts[name][catalogue(language)]?.()));
  Object.assign(t, ...texts);
}

/** The visitor's variety of the language, for dates: `en-US` for example. */
export const locale = ownVariety() ?? language;

/** Shows the explorer in another language, from now on. What is on the page is read again with it. */
export function chooseLanguage(chosen: string): void {
  if (chosen === language) return;
  writeStored(storageKey, chosen);
  location.reload();
}

/** Undefined if the browser names none, or in a form that Intl doesn't know, such as en-US@posix. */
function ownVariety(): string | undefined {
  try {
    const own = navigator.languages.find((tag) => primary(tag) === language);
    return own === undefined ? undefined : Intl.getCanonicalLocales(own)[0];
  } catch {
    return undefined;
  }
}
