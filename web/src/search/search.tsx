import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../language/messages.ts";
import { Icon } from "../parts/icons.tsx";
import { SearchBox } from "./search-box.tsx";

/** A button that looks like a search field, on every page. It opens the search above the page, as `/` does. */
export function Search() {
  const dialog = useRef<HTMLDialogElement>(null);
  /** How often it was closed: the next search begins with an empty field. */
  const [closed, setClosed] = useState(0);
  const open = () => {
    if (dialog.current === null || dialog.current.open) return;
    dialog.current.showModal();
    // At once, so that no letter is lost that is typed before the next frame.
    dialog.current.querySelector("input")?.focus();
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      // Another dialog is open, such as the wallet's.
      if (document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <div class="search">
      <button type="button" class="search-button" aria-haspopup="dialog" aria-keyshortcuts="/" onClick={open}>
        <Icon name="search" />
        <span>{t.search.button}</span>
        <span class="key" aria-hidden="true">
          /
        </span>
      </button>
      <dialog
        ref={dialog}
        class="search-dialog"
        aria-label={t.search.button}
        // The event comes later: by then it may be open again, with what was typed since.
        onClose={() => dialog.current?.open || setClosed((before) => before + 1)}
        // A click beside it closes it, where the browser knows this; Esc does everywhere.
        closedby="any"
      >
        <SearchBox key={closed} close={() => dialog.current?.close()} />
      </dialog>
    </div>
  );
}
