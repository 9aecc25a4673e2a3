import { useEffect, useState } from "preact/hooks";

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
