import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { plainText } from "../format/plain-text.ts";
import { displayName, displaySymbol, shortAddress } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { Amount } from "../parts/amount.tsx";
import { Icon, IconButton, VerifiedMark } from "../parts/icons.tsx";
import { Age } from "../parts/time.tsx";
import { TokenImage } from "../parts/token-image.tsx";
import { accountPath, navigate, tokenPath, withChain } from "../routing/router.ts";
import {
  addressIn,
  clearRecent,
  noteRecent,
  type Recent,
  recentSearches,
  type Suggestion,
  type Suggestions,
  useSuggestions,
} from "./suggestions.ts";

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

/** Something that the arrow keys can select and Enter opens. */
type Option = { key: string; href: string; recent?: Recent; content: ComponentChildren };

const resultsPath = (text: string) => `/?${new URLSearchParams({ q: text })}`;

/** The search field with its suggestions. Typing changes nothing but the suggestions. */
function SearchBox({ close }: { close: () => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [selected, setSelected] = useState<number>();
  /** Whether somebody was here. The search that is not open yet asks for nothing. */
  const [isUsed, setIsUsed] = useState(false);
  const text = typed.trim();
  const recent = text === "" ? recentSearches.value : [];
  const suggestions = useSuggestions(isUsed && recent.length === 0 ? text : undefined);
  const options = recent.length > 0 ? recent.map(recentOption) : optionsFor(text, suggestions);
  const address = addressIn(text);
  // There is only one token, or account, of an address. What is listed until the answer is of what was typed before.
  const usual = address !== undefined && suggestions.isCurrent && options.length > 0 ? 0 : undefined;
  const active = selected ?? usual;

  useEffect(() => setSelected(undefined), [text]);
  useEffect(() => {
    if (active !== undefined)
      document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const open = (href: string, recent: Recent | undefined) => {
    if (recent !== undefined) noteRecent(recent);
    close();
    navigate(withChain(href));
  };
  const submit = () => {
    const option = active === undefined ? undefined : options[active];
    if (option !== undefined) open(option.href, option.recent);
    else if (address !== undefined) open(tokenPath(address), undefined);
    else if (text !== "") open(resultsPath(text), { kind: "search", text });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      const from = active ?? (step > 0 ? -1 : options.length);
      setSelected((from + step + options.length) % options.length);
    }
  };
  return (
    <form class="search-box" role="search" onSubmit={submit}>
      <div class="search-field">
        <Icon name="search" />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={t.search.label}
          aria-expanded={options.length > 0}
          aria-controls={`${id}-options`}
          aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
          aria-autocomplete="list"
          placeholder={t.search.placeholder}
          maxLength={100}
          autocomplete="off"
          autocapitalize="off"
          enterkeyhint="search"
          spellcheck={false}
          value={typed}
          onFocus={() => setIsUsed(true)}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <IconButton icon="close" label={t.search.close} onClick={close} />
      </div>
      {text === "" && options.length > 0 && (
        <p class="search-head muted">
          {recent.length > 0 ? t.search.recent : t.search.trending}
          {recent.length > 0 && (
            <button
              type="button"
              class="text-button"
              onClick={() => {
                clearRecent();
                input.current?.focus();
              }}
            >
              {t.common.clear}
            </button>
          )}
        </p>
      )}
      <div id={`${id}-options`} role="listbox" aria-label={t.search.suggestions} class="search-options">
        {options.map((option, index) => (
          <a
            key={option.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            class="search-option"
            href={withChain(option.href)}
            aria-selected={index === active}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              open(option.href, option.recent);
            }}
          >
            {option.content}
          </a>
        ))}
      </div>
      <p class="search-note muted" role="status">
        {noteFor(text, suggestions)}
      </p>
    </form>
  );
}

function noteFor(text: string, { tokens, error, isSimilar, isCurrent }: Suggestions): string {
  if (text === "") return t.search.idle;
  if (!isCurrent) return t.search.searching;
  if (error !== undefined) return t.search.failed;
  if (tokens.length > 0) return isSimilar ? t.search.similar : "";
  return addressIn(text) === undefined ? t.search.nothing : t.search.noSuchAddress;
}

function optionsFor(text: string, { tokens, total, isCurrent }: Suggestions): Option[] {
  const options: Option[] = tokens.map((token) => ({
    key: token.mint,
    href: tokenPath(token.mint),
    recent: recentToken(token),
    content: <TokenOption token={token} />,
  }));
  const address = addressIn(text);
  if (address !== undefined && tokens.length === 0 && isCurrent) {
    const content = <TextOption icon="wallet" text={t.search.account(shortAddress(address))} />;
    options.push({ key: "account", href: accountPath(address), content });
  }
  if (address === undefined && total > tokens.length) {
    const content = <TextOption icon="search" text={t.search.allResults(total, plainText(text, 40))} />;
    options.push({ key: "all", href: resultsPath(text), recent: { kind: "search", text }, content });
  }
  return options;
}

const recentToken = ({ mint, name, symbol, imageUrl }: Suggestion): Recent => ({
  kind: "token",
  mint,
  name,
  symbol,
  imageUrl,
});

function recentOption(recent: Recent): Option {
  if (recent.kind === "search") {
    const content = <TextOption icon="search" text={plainText(recent.text, 60)} />;
    return { key: `search ${recent.text}`, href: resultsPath(recent.text), recent, content };
  }
  const content = (
    <>
      <TokenImage token={recent} size={32} />
      <Names {...recent} />
    </>
  );
  return { key: recent.mint, href: tokenPath(recent.mint), recent, content };
}

function TextOption({ icon, text }: { icon: "search" | "wallet"; text: string }) {
  return (
    <>
      <span class="search-icon">
        <Icon name={icon} />
      </span>
      <bdi>{text}</bdi>
    </>
  );
}

/** A token as traders tell it from its look-alikes: by image, market cap, age and whether its creator signed it. */
function TokenOption({ token }: { token: Suggestion }) {
  return (
    <>
      <TokenImage token={token} size={32} />
      <Names {...token} />
      <span class="search-facts">
        <span>
          <span class="visually-hidden">{t.common.marketCap} </span>
          <Amount bnb={token.marketCapBnb} usd={token.marketCapUsd} />
        </span>
        <span class="muted">
          {token.graduated && <span class="up">DEX</span>}{" "}
          {token.createdAt !== null && <Age time={token.createdAt} />}
        </span>
      </span>
    </>
  );
}

function Names({
  name,
  symbol,
  mint,
  verified = false,
}: Pick<Suggestion, "name" | "symbol" | "mint"> & { verified?: boolean }) {
  return (
    <span class="search-names">
      <span>
        <bdi>{displayName(name)}</bdi>
        {verified && <VerifiedMark />}
      </span>
      <span class="muted">
        <bdi>{displaySymbol(symbol)}</bdi> · {shortAddress(mint)}
      </span>
    </span>
  );
}
