import { effect, type Signal, signal } from "@preact/signals";
import { withPoint } from "../format/number.ts";
import { readStored, writeStored } from "./storage.ts";

/** The visitor's settings, stored in the browser. */

/** A signal whose value is stored in the browser. It is one of the choices; the first one is the default. */
export function persisted<Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Signal<Choice> {
  const stored = readStored(name);
  const value = signal(choices.find((choice) => choice === stored) ?? choices[0]);
  effect(() => writeStored(name, value.value));
  return value;
}

export const currency = persisted("currency", ["usd", "bnb"]);
export const theme = persisted("theme", ["system", "light", "dark"]);
export const chartValue = persisted("chart-value", ["marketcap", "price"]);
export const chartAverages = persisted("chart-averages", ["off", "on"]);
export const listView = persisted("list-view", ["cards", "table"]);

/** The slippage limit of whoever chose none. */
const usualSlippage = "1";

/** The slippage limit of trades in percent, with at most two decimals. */
export const slippage = signal(typedSlippage(readStored("slippage") ?? "") ?? usualSlippage);
effect(() => writeStored("slippage", slippage.value));

/** A typed slippage limit as the API takes it, from 0.01 to 50; the usual one for none, undefined for anything else. */
export function typedSlippage(text: string): string | undefined {
  const typed = withPoint(text);
  if (typed === "") return usualSlippage;
  const isValid = /^\d{1,2}(\.\d{1,2})?$/.test(typed) && Number(typed) > 0 && Number(typed) <= 50;
  return isValid ? typed : undefined;
}

/** Applies the theme to the page whenever it changes. */
export function applyTheme(): void {
  effect(() => {
    if (theme.value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });
}
