import { computed, signal } from "@preact/signals";
import { chainId } from "../data/chain.ts";

/** The current address. It changes with links, `navigate`, and the back button. */
export const url = signal(new URL(location.href));

export const route = computed(() => routeOf(url.value.pathname));

/** A query parameter of the current address. */
export const parameter = (name: string) => url.value.searchParams.get(name) ?? undefined;

/** The scroll position of a history entry, which going back restores. */
type State = { scroll?: number };

const state = () => (history.state ?? {}) as State;

/** Opens an address of the explorer. `replace` replaces the current history entry and keeps the scroll position. */
export function navigate(to: string | URL, { replace = false } = {}): void {
  const next = new URL(to, location.href);
  if (replace) {
    history.replaceState(state(), "", next);
  } else {
    rememberScroll();
    history.pushState({}, "", next);
  }
  const isOther = subjectOf(next) !== subjectOf(url.value);
  url.value = next;
  if (!replace && isOther) window.scrollTo(0, 0);
}

/** What an address is about. The rest of it says how that is shown. */
const subjectOf = ({ pathname, searchParams }: URL) => `${pathname} ${searchParams.get("q")}`;

/** The current address with these query parameters set, or removed if undefined or empty. */
export function withParameters(changes: Record<string, string | undefined>): URL {
  const next = new URL(url.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  return next;
}

const rememberScroll = () => history.replaceState({ ...state(), scroll: window.scrollY }, "");

/** Starts handling links, forms and the back button. */
export function startRouter(): void {
  history.scrollRestoration = "manual";
  let settling: ReturnType<typeof setTimeout> | undefined;
  window.addEventListener(
    "scroll",
    () => {
      clearTimeout(settling);
      settling = setTimeout(rememberScroll, 150);
    },
    { passive: true },
  );
  window.addEventListener("popstate", () => {
    clearTimeout(settling);
    url.value = new URL(location.href);
    const { scroll = 0 } = state();
    // Wait until the page has been rendered from its cached data.
    requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo(0, scroll)));
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.target !== "" || link.origin !== location.origin) return;
    if (link.hasAttribute("download") || routeOf(link.pathname).page === "nothing") return;
    if (link.hash !== "") return;
    event.preventDefault();
    navigate(link.href);
  });
  // The pages themselves do what a form is for; only a dialog's form is left to the browser, which closes the dialog.
  document.addEventListener("submit", (event) => {
    if (event.target instanceof HTMLFormElement && event.target.method !== "dialog") event.preventDefault();
  });
}

/** The page that an address shows, and its parameters. */
type Route =
  | { page: "home" }
  | { page: "board" }
  | { page: "token"; mint: string }
  | { page: "account"; address: string }
  | { page: "create" }
  | { page: "leaderboard" }
  | { page: "stats" }
  | { page: "alerts" }
  | { page: "nothing" };

const address = "(0x[0-9a-fA-F]{40})";

/** The route of a path. The server answers the same paths with the explorer. */
function routeOf(path: string): Route {
  if (path === "/") return { page: "home" };
  if (/^\/(board|create|leaderboard|stats|alerts)$/.test(path)) return { page: path.slice(1) as "create" };
  const mint = new RegExp(`^/token/${address}$`).exec(path)?.[1];
  if (mint !== undefined) return { page: "token", mint: mint.toLowerCase() };
  const account = new RegExp(`^/account/${address}$`).exec(path)?.[1];
  if (account !== undefined) return { page: "account", address: account.toLowerCase() };
  return { page: "nothing" };
}

export const tokenPath = (mint: string) => `/token/${mint}`;
export const accountPath = (account: string) => `/account/${account}`;

/** Adds the current chain to a path of the explorer. */
export function withChain(path: string): string {
  if (chainId.value === undefined) return path;
  return `${path}${path.includes("?") ? "&" : "?"}chain=${chainId.value}`;
}
