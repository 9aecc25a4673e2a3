import { useEffect, useRef } from "preact/hooks";

/** What the parts of a token's page do when its data have changed: a page calls all of them. */
export type Changes = Set<() => void>;

/** Calls a function whenever the token's data have changed, while the component is shown. */
export function useChanges(changes: Changes, onChange: () => void): void {
  const current = useRef(onChange);
  current.current = onChange;
  useEffect(() => {
    const call = () => current.current();
    changes.add(call);
    return () => {
      changes.delete(call);
    };
  }, [changes]);
}
