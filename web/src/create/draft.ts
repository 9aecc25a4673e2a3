import { effect, signal } from "@preact/signals";

/** What the form has. All of it is text, as it is typed. */
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

/** A launch on its way: what is done of it. It outlives the tab, so that a token that was paid for gets its registration. */
export type Launch = {
  form: Form;
  chainId: number;
  creator: string;
  imageUrl?: string;
  salt?: string;
  /** The address that the salt gives. */
  expected?: string;
  /** Tokens that the creator had when the wallet was asked: another one of this name is the one that was asked for. */
  hadTokens?: string[];
  hash?: string;
  mint?: string;
};

const emptyForm: Form = {
  ...{ name: "", symbol: "", burnPercent: 50, description: "", websiteUrl: "", twitterUrl: "" },
  ...{ telegramUrl: "", firstBuy: "", isVanity: true, isSigned: true },
};

function read<Value>(key: string): Value | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage may be forbidden: then closing the tab loses it.
  }
}

export const form = signal<Form>({ ...emptyForm, ...read<Partial<Form>>("create-form") });
export const launch = signal<Launch | undefined>(read<Launch>("create-launch"));

effect(() => keep("create-form", form.value));
effect(() => keep("create-launch", launch.value));

export const clearForm = () => {
  form.value = emptyForm;
};

const bytes = (text: string) => new TextEncoder().encode(text).length;

/** What is wrong with the form, by field. The contracts and the API have the same limits. */
export function problemsOf(checked: Form): Partial<Record<keyof Form, string>> {
  const problems: Partial<Record<keyof Form, string>> = {};
  if (checked.name.trim() === "") problems.name = "A token needs a name.";
  else if (bytes(checked.name) > 64)
    problems.name = "At most 64 bytes: letters outside English take two to four.";
  if (checked.symbol.trim() === "") problems.symbol = "A token needs a symbol.";
  else if (bytes(checked.symbol) > 16) problems.symbol = "At most 16 bytes.";
  for (const field of ["websiteUrl", "twitterUrl", "telegramUrl"] as const) {
    const text = checked[field].trim();
    if (text !== "" && !/^https?:\/\/[^\s@]+$/i.test(text)) {
      problems[field] = "A whole address, which begins with https://";
    }
  }
  if (checked.firstBuy.trim() !== "" && !/^\d*\.?\d{0,18}$/.test(checked.firstBuy.trim())) {
    problems.firstBuy = "A number, with at most 18 decimals.";
  }
  return problems;
}
