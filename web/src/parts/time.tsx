import { computed, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { currentTime } from "../data/clock.ts";
import { formatAge, formatTime } from "../format/time.ts";
import { t } from "../language/messages.ts";

/** The current time, updated once a second while the page is visible. */
export const now = signal(currentTime());

setInterval(() => {
  if (!document.hidden) now.value = currentTime();
}, 1_000);

/** How long ago a time was (5m, or in a sentence 5m ago), with the exact time as its title. The text updates without rendering the component. */
export function Age({ time, isSentence = false }: { time: string; isSentence?: boolean }) {
  const text = useMemo(() => {
    const at = Date.parse(time);
    return computed(() => {
      const age = formatAge(at, now.value);
      return age === t.time.now || !isSentence ? age : t.time.ago(age);
    });
  }, [time, isSentence]);
  return (
    <time dateTime={time} title={formatTime(time)}>
      {text}
    </time>
  );
}
