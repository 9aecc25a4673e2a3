import { locale, t } from "../language/messages.ts";
import { groupDigits } from "./number.ts";

const units = [
  { seconds: 86_400 * 365, name: "year" },
  { seconds: 86_400, name: "day" },
  { seconds: 3_600, name: "hour" },
  { seconds: 60, name: "minute" },
] as const;

/** Formats how long ago a time was in one unit: 12s, 5m, 3h, 2d. A time in the future, as when clocks differ, is "now". */
export function formatAge(time: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - time) / 1_000));
  for (const unit of units) {
    if (seconds >= unit.seconds) return `${Math.floor(seconds / unit.seconds)}${t.time.age[unit.name]}`;
  }
  return seconds < 1 ? t.time.now : `${seconds}${t.time.age.second}`;
}

/** Formats a span in words: 45 seconds, 2 minutes, 3 days. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  for (const unit of units) {
    if (whole >= unit.seconds) return t.time.span[unit.name](groupDigits(Math.floor(whole / unit.seconds)));
  }
  return t.time.span.second(groupDigits(whole));
}

/** Made once: making one takes 60 times as long as using it. */
const exactTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });

/** Formats the exact time in the visitor's language and time zone. */
export const formatTime = (time: string | number): string => exactTime.format(new Date(time));
