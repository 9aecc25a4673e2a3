import { useEffect } from "preact/hooks";

/** The title of the page. */
export function Title({ children }: { children: string }) {
  useEffect(() => {
    document.title = `${children} · Launchpad`;
  }, [children]);
  return null;
}
