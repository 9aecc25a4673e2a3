import { useEffect } from "preact/hooks";
import { brand } from "../data/brand.ts";

/** Sets the document's title. */
export function Title({ children }: { children: string }) {
  useEffect(() => {
    document.title = `${children} · ${brand.name}`;
  }, [children]);
  return null;
}
