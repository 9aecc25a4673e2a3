import { useEffect, useRef } from "preact/hooks";
import { search } from "../home/view.ts";
import { Icon } from "../parts/icons.tsx";
import { navigate, url } from "../routing/router.ts";
import { tokenPath } from "../routing/routes.ts";
import { withChain } from "../routing/with-chain.ts";

/** The search starts this long after the last keystroke. */
const debounceMs = 180;

/** Searches while the visitor types. A full address opens its token. */
export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = url.value.searchParams.get("q") ?? "";

  useEffect(() => {
    // Shows the search that the back button returns to. While the visitor types, the field is up to date already.
    if (input.current !== null && document.activeElement !== input.current) input.current.value = asked;
  }, [asked]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener("keydown", focus);
    return () => window.removeEventListener("keydown", focus);
  }, []);

  const go = () => {
    clearTimeout(timer.current);
    const text = input.current?.value.trim() ?? "";
    if (/^0x[0-9a-fA-F]{40}$/.test(text)) navigate(withChain(tokenPath(text.toLowerCase())));
    else if (text !== asked) search(text);
  };
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Search tokens by name, symbol, description or address"
        placeholder="Search tokens"
        defaultValue={asked}
        maxLength={100}
        autocomplete="off"
        spellcheck={false}
        onInput={() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(go, debounceMs);
        }}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </form>
  );
}
