import { effect, signal } from "@preact/signals";
import { readStored, readStoredJson, writeStored } from "../data/storage.ts";
import { parseAmount } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { linkProblem, linkUrl, oneLine } from "./link-url.ts";

/** The values of the form's fields, as typed. */
export type Form = {
  name: string;
  symbol: string;
  burnPercent: number;
  description: string;
  websiteUrl: string;
  twitterUrl: string;
  telegramUrl: string;
  firstBuy: string;
  isVanity: boolean;
  isSigned: boolean;
};

/** A launch in progress, with the results of its steps. It is kept when the tab is closed, so that a paid token gets its registration. */
export type Launch = {
  form: Form;
  chainId: number;
  creator: string;
  /** When it began, in milliseconds since 1970: what differs between an account's launches of the same form. */
  begunAt?: number;
  imageUrl?: string;
  salt?: string;
  /** The token address that the salt gives. */
  expected?: string;
  /** The creator's tokens when the wallet was asked to confirm: a token of this name that is not among them is the launched one. */
  hadTokens?: string[];
  hash?: string | undefined;
  mint?: string;
  /** Whether the service has refused the registration for what it says: it goes on with a click only, and asks for no signature by itself. */
  isRefused?: boolean;
  /** Whether the wallet can't sign the registration: the creator decides whether it goes on without a signature. */
  cannotSign?: boolean;
};

const emptyForm: Form = {
  name: "",
  symbol: "",
  burnPercent: 50,
  description: "",
  websiteUrl: "",
  twitterUrl: "",
  telegramUrl: "",
  firstBuy: "",
  isVanity: true,
  isSigned: true,
};

/** The fields of a stored form that are as this version of the page has them; the others are empty. */
function validForm(stored: unknown): Form {
  const fields = Object.entries(emptyForm).map(([name, empty]) => {
    const value: unknown = Object(stored)[name];
    return [name, typeof value === typeof empty ? value : empty];
  });
  return Object.fromEntries(fields);
}

/** The stored launches that this version of the page can go on with. Earlier ones stored a single launch, or null. */
const validLaunches = (stored: unknown): Launch[] =>
  [stored].flat().flatMap((launch: unknown) => {
    const { form, chainId, creator } = Object(launch);
    const isLaunch = (chainId === 56 || chainId === 97) && typeof creator === "string";
    return isLaunch ? [{ ...Object(launch), form: validForm(form) }] : [];
  });

export const launchKey = "create-launch";

export const form = signal(validForm(readStoredJson("create-form")));
/** The launches in progress, the latest first, at most one of each account. */
export const launches = signal(validLaunches(readStoredJson(launchKey)));

effect(() => writeStored("create-form", JSON.stringify(form.value)));
effect(() => writeStored(launchKey, JSON.stringify(launches.value)));

/** Takes over how far another tab has come with the launches. Without storage, each tab has its own. */
export function readLaunches(): void {
  if (readStored(launchKey) !== undefined) launches.value = validLaunches(readStoredJson(launchKey));
}

/** The launch that an account has in progress. */
export const launchOf = (account: string | undefined): Launch | undefined =>
  launches.value.find(({ creator }) => creator === account);

const launchesOfOthers = (account: string) => launches.value.filter(({ creator }) => creator !== account);

/** Keeps a launch, in the place of its account's last one. */
export function keepLaunch(launch: Launch): void {
  launches.value = [launch, ...launchesOfOthers(launch.creator)];
}

export function endLaunch(account: string): void {
  launches.value = launchesOfOthers(account);
}

export const clearForm = () => {
  form.value = emptyForm;
};

const linkFields = ["websiteUrl", "twitterUrl", "telegramUrl"] as const;

/** The texts of a form as they are registered. */
export const registeredTexts = (filled: Form) => ({
  description: oneLine(filled.description),
  websiteUrl: linkUrl("websiteUrl", filled.websiteUrl),
  twitterUrl: linkUrl("twitterUrl", filled.twitterUrl),
  telegramUrl: linkUrl("telegramUrl", filled.telegramUrl),
});

const bytes = (text: string) => new TextEncoder().encode(text).length;

/** Returns the form's problems by field. The limits are those of the contracts and the API. */
export function validateForm(checked: Form): Partial<Record<keyof Form, string>> {
  const problems: Partial<Record<keyof Form, string>> = {};
  const [name, symbol] = [checked.name.trim(), checked.symbol.trim()];
  if (name === "") problems.name = t.create.needsName;
  else if (bytes(name) > 64) problems.name = t.create.longName;
  if (symbol === "") problems.symbol = t.create.needsSymbol;
  else if (bytes(symbol) > 16) problems.symbol = t.create.longSymbol;
  for (const field of linkFields) {
    const problem = linkProblem(field, checked[field]);
    if (problem !== undefined) problems[field] = problem;
  }
  const { problem } = parseAmount(checked.firstBuy);
  if (problem !== undefined) problems.firstBuy = problem;
  return problems;
}
