import { groupDigits } from "./number.ts";

const units = [
  { seconds: 86_400 * 365, sign: "y", name: "year" },
  { seconds: 86_400, sign: "d", name: "day" },
  { seconds: 3_600, sign: "h", name: "hour" },
  { seconds: 60, sign: "m", name: "minute" },
] as const;

/** Formats how long ago a time was in one unit: 12s, 5m, 3h, 2d. A time in the future, as when clocks differ, is "now". */
export function formatAge(time: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - time) / 1_000));
  for (const unit of units) {
    if (seconds >= unit.seconds) return `${Math.floor(seconds / unit.seconds)}${unit.sign}`;
  }
  return seconds < 1 ? "now" : `${seconds}s`;
}

/** Formats a span in words: 45 seconds, 2 minutes, 3 days. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  for (const unit of units) {
    if (whole >= unit.seconds) return plural(Math.floor(whole / unit.seconds), unit.name);
  }
  return plural(whole, "second");
}

export const plural = (count: number, noun: string) =>
  `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Formats the exact time in the visitor's time zone. */
export function formatTime(time: string | number): string {
  return new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}
