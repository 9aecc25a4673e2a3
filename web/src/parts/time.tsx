import { computed, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { formatAge, formatTime } from "../format/time.ts";

/** The time of day, once a second while the page is visible. */
const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);

/** How long ago, with the exact time at hand. Its text changes without its component being rendered. */
export function Age({ time, suffix = "" }: { time: string; suffix?: string }) {
  const text = useMemo(() => {
    const at = Date.parse(time);
    return computed(() => {
      const age = formatAge(at, now.value);
      return age === "now" ? age : age + suffix;
    });
  }, [time, suffix]);
  return (
    <time dateTime={time} title={formatTime(time)}>
      {text}
    </time>
  );
}
