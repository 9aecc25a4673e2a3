import { z } from "zod";
import { onOrOff, readVariables, type Variables } from "./values.ts";

export const logLevels = ["error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogSettings = {
  level: LogLevel;
  format: "json" | "pretty";
};

export const logVariables = z.object({
  LOG_LEVEL: z.enum(logLevels, { error: `must be ${logLevels.join(", ")}` }).default("info"),
  LOG_FORMAT: z.enum(["json", "pretty"], { error: "must be json or pretty" }).default("pretty"),
  ACCESS_LOG: onOrOff.default(false),
});

/** Reads how to log. Invalid settings count as unset: whoever reads all settings reports them, and logs that. */
export function readLogSettings(variables: Variables): LogSettings {
  const read = (names: Variables) => readVariables(logVariables, names, "", []);
  const { LOG_LEVEL, LOG_FORMAT } =
    read(variables) ?? read({ LOG_FORMAT: variables.LOG_FORMAT }) ?? logVariables.parse({});
  return { level: LOG_LEVEL, format: LOG_FORMAT };
}
