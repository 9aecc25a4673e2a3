import { effect, type Signal, signal } from "@preact/signals";

/** What a visitor chose, kept in the browser. */

/** A signal whose value stays, as one of the choices; the first is the default. */
function kept<Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Signal<Choice> {
  const stored = read(name);
  const value = signal(choices.find((choice) => choice === stored) ?? choices[0]);
  effect(() => write(name, value.value));
  return value;
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // Storage may be forbidden: then every choice lasts until the page is left.
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // As above.
  }
}

export const currency = kept("currency", ["usd", "bnb"]);
export const theme = kept("theme", ["system", "light", "dark"]);
export const listView = kept("list-view", ["cards", "table"]);

/** Applies the theme to the page whenever it changes. */
export function applyTheme(): void {
  effect(() => {
    if (theme.value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });
}
