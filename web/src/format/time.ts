const units = [
  { seconds: 86_400 * 365, sign: "y", name: "year" },
  { seconds: 86_400, sign: "d", name: "day" },
  { seconds: 3_600, sign: "h", name: "hour" },
  { seconds: 60, sign: "m", name: "minute" },
] as const;

/** How long ago, in one unit: 12s, 5m, 3h, 2d. What lies ahead, by clocks that differ, is now. */
export function formatAge(time: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - time) / 1_000));
  for (const unit of units) {
    if (seconds >= unit.seconds) return `${Math.floor(seconds / unit.seconds)}${unit.sign}`;
  }
  return seconds < 1 ? "now" : `${seconds}s`;
}

/** A span in words: 45 seconds, 2 minutes, 3 days. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  for (const unit of units) {
    if (whole >= unit.seconds) return plural(Math.floor(whole / unit.seconds), unit.name);
  }
  return plural(whole, "second");
}

export const plural = (count: number, noun: string) =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

/** The exact time, in the visitor's zone. */
export function formatTime(time: string | number): string {
  return new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}
