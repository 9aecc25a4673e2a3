import { readStored, writeStored } from "../data/storage.ts";
import type { en } from "./catalogues/en.ts";

/** The texts of a language. Every catalogue has all of them. */
export type Messages = typeof en;

/** The catalogues by language, `zh` for example. Each is a chunk of its own, so that only the one that is shown is loaded. */
const catalogues = Object.fromEntries(
  Object.entries(import.meta.glob<Record<string, Messages>>("./catalogues/*.ts")).map(([path, load]) => [
    path.replace(/^.*\/|\.ts$/g, ""),
    load,
  ]),
);

const storageKey = "language";
const fallback = "en";

const primary = (tag: string) => tag.toLowerCase().split(/[-_]/)[0] ?? "";

/** The languages, each with its own name for itself. */
export const languages = Object.keys(catalogues).map((value) => ({
  value,
  label: new Intl.DisplayNames([value], { type: "language" }).of(value) ?? value,
}));

/** The language of the page: the one that the visitor chose, or else the first of the browser's that there is. */
export const language =
  [readStored(storageKey) ?? "", ...navigator.languages.map(primary)].find((tag) => tag in catalogues) ??
  fallback;

/**
 * The texts, once {@link readMessages} has read them. That is before the first page is drawn, but after its modules have run: they use
 * texts in functions only. It is not awaited at the top level, because a build with such a module has many small chunks.
 */
export let t: Messages;

/** Reads the texts of the page's language. */
export async function readMessages(): Promise<void> {
  const messages = (await catalogues[language]?.())?.[language];
  if (messages === undefined) throw new Error(`there is no catalogue of ${language}`);
  t = messages;
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
