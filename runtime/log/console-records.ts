import { format } from "node:util";

const levels = { debug: 20, log: 30, info: 30, warn: 40, error: 50 } as const;

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
