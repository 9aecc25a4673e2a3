import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { formatCount } from "../format/number.ts";
import { navigate, parameter, withParameters } from "../routing/router.ts";
import { tabOfKey } from "./tab-key.ts";

type Tab = {
  /** The value of the parameter in the address. The first tab needs none. */
  name: string;
  label: string;
  count?: number;
  render: () => ComponentChildren;
};

export type TabsProps = {
  /** What the tabs show, for screen readers. */
  label: string;
  tabs: readonly [Tab, ...Tab[]];
  /** The parameter that says which one is selected. */
  by?: string;
  class?: string;
};

/** Tabs, of which the one in the address is rendered. Arrow keys, Home and End move between them. */
export function Tabs({ label, tabs, by = "tab", class: ownClass = "" }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [first] = tabs;
  const shown = tabs.find(({ name }) => name === parameter(by)) ?? first;
  const select = (name: string) =>
    navigate(withParameters({ [by]: name === first.name ? undefined : name }), { replace: true });
  useLayoutEffect(() => {
    // On a narrow screen, the selected tab may be out of view. The page itself must not scroll.
    const tab = list.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (list.current === null || !tab) return;
    list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, [shown.name]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const names = tabs.map(({ name }) => name);
    const next = tabOfKey(event.key, names, shown.name);
    if (next === undefined) return;
    event.preventDefault();
    select(next);
    list.current?.querySelectorAll("button")[names.indexOf(next)]?.focus();
  };
  return (
    <>
      <div class={`tabs ${ownClass}`} role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            class="tab"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => select(tab.name)}
          >
            {tab.label}
            {tab.count !== undefined && <span class="tab-count"> {formatCount(tab.count)}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown.name}`}>
        {shown.render()}
      </div>
    </>
  );
}
