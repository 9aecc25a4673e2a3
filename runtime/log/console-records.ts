import { format } from "node:util";
import type { LogLevel } from "../../config/log.ts";

const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } satisfies Record<
  string,
  LogLevel
>;

/**
 * Makes what our code logs beside Ponder a record like Ponder's own: a line of JSON on stdout. An error with its stack is one record
 * in place of twenty lines.
 */
export function printConsoleAsRecords(): void {
  for (const [method, level] of Object.entries(levels)) {
    console[method as keyof typeof levels] = (...args: unknown[]) => {
      process.stdout.write(`${JSON.stringify({ level, time: Date.now(), msg: format(...args) })}\n`);
    };
  }
}
