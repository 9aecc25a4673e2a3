import type { Variables } from "./values.ts";

export const logLevels = ["error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ["json", "pretty"] as const;

export type LogSettings = {
  level: LogLevel;
  format: (typeof logFormats)[number];
};

export const defaultLog: LogSettings = { level: "info", format: "pretty" };

/**
 * Reads how to log. White space around a value doesn't matter, as in all settings. Invalid values count as unset: whoever reads all
 * settings reports them, and logs that.
 */
export function readLogSettings({ LOG_LEVEL, LOG_FORMAT }: Variables): LogSettings {
  return {
    level: logLevels.find((level) => level === LOG_LEVEL?.trim()) ?? defaultLog.level,
    format: logFormats.find((format) => format === LOG_FORMAT?.trim()) ?? defaultLog.format,
  };
}

type Write<Level> = (line: string, level?: Level) => void;

/** Creates a log for what may happen many times a second: at most one line about a subject in so many milliseconds. */
export function createThrottledLog<Level extends LogLevel>(log: Write<Level>, quietMs: number) {
  const loggedAt = new Map<string, number>();

  return (subject: string, what: string, level?: Level): void => {
    const now = performance.now();
    for (const [earlier, at] of loggedAt) if (now - at >= quietMs) loggedAt.delete(earlier);
    if (loggedAt.has(subject)) return;
    loggedAt.set(subject, now);
    log(`${subject} ${what}`, level);
  };
}

/**
 * Creates a log for what is tried again and again, and mostly fails for the same reason: a line is left out if its reason is that of the
 * line before. An empty line logs nothing, and makes the next one count as new.
 */
export function createChangeLog<Level extends LogLevel>(log: Write<Level>) {
  let last = "";

  return (line: string, level?: Level, reason = line): void => {
    if (line !== "" && reason !== last) log(line, level);
    last = reason;
  };
}
