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

/** Creates a log for what may happen many times a second: at most one line about a subject in so many milliseconds. */
export function createThrottledLog(
  log: (line: string) => void,
  quietMs: number,
): (subject: string, what: string) => void {
  const lastLoggedAt = new Map<string, number>();

  return (subject, what) => {
    const now = performance.now();
    if (now - (lastLoggedAt.get(subject) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    lastLoggedAt.set(subject, now);
    log(`${subject} ${what}`);
  };
}
