import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { EventList } from "../data/event-list.ts";

type OlderButtonProps = {
  list: Pick<EventList<never>, "hasMore" | "readMore">;
  children: ComponentChildren;
};

/** A button that reads older entries of a list, if there are any. */
export function OlderButton({ list, children }: OlderButtonProps) {
  const [isReading, setIsReading] = useState(false);
  if (!list.hasMore.value) return null;
  const read = async () => {
    setIsReading(true);
    await list.readMore();
    setIsReading(false);
  };
  return (
    <button type="button" class="button more" disabled={isReading} onClick={() => void read()}>
      {children}
    </button>
  );
}
