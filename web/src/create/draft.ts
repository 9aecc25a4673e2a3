import { effect, signal } from "@preact/signals";
import { readStoredJson, writeStored } from "../data/storage.ts";
import { parseAmount } from "../format/number.ts";
import { linkUrl } from "./link-url.ts";

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
  imageUrl?: string;
  salt?: string;
  /** The token address that the salt gives. */
  expected?: string;
  /** The creator's tokens when the wallet was asked to confirm: a token of this name that is not among them is the launched one. */
  hadTokens?: string[];
  hash?: string;
  mint?: string;
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

export const form = signal<Form>({
  ...emptyForm,
  ...(readStoredJson("create-form") as Partial<Form> | null),
});
export const launch = signal<Launch | undefined>(
  (readStoredJson("create-launch") as Launch | null) ?? undefined,
);

effect(() => writeStored("create-form", JSON.stringify(form.value)));
effect(() => writeStored("create-launch", JSON.stringify(launch.value)));

export const clearForm = () => {
  form.value = emptyForm;
};

const bytes = (text: string) => new TextEncoder().encode(text).length;

/** Returns the form's problems by field. The limits are those of the contracts and the API. */
export function validateForm(checked: Form): Partial<Record<keyof Form, string>> {
  const problems: Partial<Record<keyof Form, string>> = {};
  if (checked.name.trim() === "") problems.name = "A token needs a name.";
  else if (bytes(checked.name) > 64)
    problems.name = "At most 64 bytes. Non-English letters take two to four bytes each.";
  if (checked.symbol.trim() === "") problems.symbol = "A token needs a symbol.";
  else if (bytes(checked.symbol) > 16) problems.symbol = "At most 16 bytes.";
  for (const field of ["websiteUrl", "twitterUrl", "telegramUrl"] as const) {
    const url = linkUrl(field, checked[field]);
    if (url !== "" && !/^https?:\/\/[^\s@]+$/i.test(url)) {
      problems[field] =
        field === "websiteUrl"
          ? "Enter an address such as https://frog.example"
          : "Enter a name such as @frog, or an address that begins with https://";
    }
  }
  const { problem } = parseAmount(checked.firstBuy);
  if (problem !== undefined) problems.firstBuy = problem;
  return problems;
}
