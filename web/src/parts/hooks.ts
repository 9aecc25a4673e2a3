import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Whether a media query matches, now and whenever that changes. */
export function useMedia(query: string): boolean {
  const [isMatching, setIsMatching] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const note = () => setIsMatching(media.matches);
    note();
    media.addEventListener("change", note);
    return () => media.removeEventListener("change", note);
  }, [query]);
  return isMatching;
}

/** How long a button that takes another one's place stays disabled, so that the second click of a double click does nothing. */
const settleMs = 700;

/** Whether a component has been there for longer than a double click takes. */
export function useSettled(): boolean {
  const [hasSettled, setHasSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasSettled(true), settleMs);
    return () => clearTimeout(timer);
  }, []);
  return hasSettled;
}

/** Highlights an element for a moment when the value changes, unless the visitor prefers reduced motion. */
export function useFlash<Target extends HTMLElement>(value: string | undefined): RefObject<Target | null> {
  const target = useRef<Target>(null);
  const lastValue = useRef(value);
  useEffect(() => {
    const previous = lastValue.current;
    lastValue.current = value;
    if (previous === undefined || value === undefined || previous === value) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const kind = Number(value) >= Number(previous) ? "up" : "down";
    const colour = `color-mix(in srgb, var(--${kind}) 26%, transparent)`;
    target.current?.animate([{ background: colour }, { background: "transparent" }], 900);
  }, [value]);
  return target;
}
