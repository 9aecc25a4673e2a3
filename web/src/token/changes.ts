import { useEffect, useRef } from "preact/hooks";
import type { StreamEvent } from "../data/client.ts";

/** What the parts of a token's page do when its data have changed: a page calls all of them. */
export type Changes = Set<() => void>;

/** What they do with each event of the token's stream. */
export type Events = Set<(event: StreamEvent) => void>;

/** Calls a function whenever the token's data have changed, or with each event, while the component is shown. */
export function useChanges<Args extends unknown[]>(
  changes: Set<(...args: Args) => void>,
  onChange: (...args: Args) => void,
): void {
  const current = useRef(onChange);
  current.current = onChange;
  useEffect(() => {
    const call = (...args: Args) => current.current(...args);
    changes.add(call);
    return () => {
      changes.delete(call);
    };
  }, [changes]);
}
