import { computed, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { formatAge, formatTime } from "../format/time.ts";

/** The current time, updated once a second while the page is visible. */
const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);

/** How long ago a time was, with the exact time as its title. The text updates without rendering the component. */
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
