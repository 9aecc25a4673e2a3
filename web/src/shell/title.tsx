import { useEffect } from "preact/hooks";

/** Sets the document's title. */
export function Title({ children }: { children: string }) {
  useEffect(() => {
    document.title = `${children} · Launchpad`;
  }, [children]);
  return null;
}
