import { computed, signal } from "@preact/signals";
import { routeOf } from "./routes.ts";

/** The address that is shown. Changes with links, `navigate`, and the back button. */
export const url = signal(new URL(location.href));

export const route = computed(() => routeOf(url.value.pathname));

/** One query parameter of the address, by its name. */
export const parameter = (name: string) => url.value.searchParams.get(name) ?? undefined;

/** Where the page was scrolled to, by which going back restores it. */
type State = { scroll?: number };

const state = () => (history.state ?? {}) as State;

/** Opens an address of the explorer. With `replace`, in place of the one that is shown: the view changes and the page stays. */
export function navigate(to: string | URL, { replace = false } = {}): void {
  const next = new URL(to, location.href);
  if (replace) {
    history.replaceState(state(), "", next);
  } else {
    rememberScroll();
    history.pushState({}, "", next);
  }
  const isOtherPage = next.pathname !== url.value.pathname;
  url.value = next;
  if (!replace && isOtherPage) window.scrollTo(0, 0);
}

/** The present address with some query parameters set and others (undefined) removed. */
export function withParameters(changes: Record<string, string | undefined>): URL {
  const next = new URL(url.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  return next;
}

const rememberScroll = () => history.replaceState({ ...state(), scroll: window.scrollY }, "");

/** Follows links and the back button from now on. */
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
    // Once the page that was left is rendered anew, from what was kept of it.
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
}
