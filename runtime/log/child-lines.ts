import { format } from "node:util";
import { type LogLevel, logLevels } from "../../config/log.ts";
import { parseJson } from "../../config/parse.ts";
import { type LogRecord, renderMessage } from "./log.ts";

/** What pino calls the levels. */
const levelsByNumber: Record<number, LogLevel> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "error",
};

/**
 * Reads a line of a child process: a record of Ponder's pino, of our code beside it ({@link printConsoleAsRecords}) or of another of our
 * processes; anything else is a message, and a warning if it was written to stderr.
 */
export function readChildLine(line: string, stream: "stdout" | "stderr" = "stdout"): LogRecord {
  const { time, level, msg, chain_id: _, ...fields } = parseRecord(line) ?? {};
  if (typeof msg !== "string") {
    return { time: Date.now(), level: stream === "stdout" ? "info" : "warn", msg: line };
  }
  return {
    // Whatever else writes JSON may have no time, or one that is none.
    time: new Date(time as number | string).getTime() || Date.now(),
    level: levelsByNumber[Number(level)] ?? logLevels.find((name) => name === level) ?? "info",
    msg,
    ...fields,
  };
}

/** Whether a child's line says that nothing is wrong: a record below a warning. Any other text may explain a crash. */
export const isOrdinary = (line: string): boolean =>
  parseRecord(line) !== undefined && !/^(warn|error)$/.test(readChildLine(line).level);

/** A child's line as text for people, without time and level. */
export function textOfChildLine(line: string): string {
  const { time: _time, level: _level, ...rest } = readChildLine(line);
  return renderMessage(rest);
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  return parseJson(line) as Record<string, unknown> | undefined;
}

/** Milliseconds between lines about progress. */
const everyMs = 60_000;

/** What Ponder writes for each connection that ends, with a stack of the driver's. All of them end at once. */
const lostConnections = ["Postgres pool error", "Postgres client error"];
/** Milliseconds within which an equal error of a connection is not repeated. */
const sameErrorMs = 10_000;

/** What has been indexed of a chain since the last line about it. */
type Blocks = { blocks: number; events: number; last_block?: number; final_block?: number };

/**
 * Returns a function that writes all records but Ponder's about progress, such as one for each block, and about each lost connection.
 * In place of those it writes a summary for each chain a minute, and one line for connections that were lost together.
 */
export function createPonderFilter(write: (record: LogRecord) => void): (record: LogRecord) => void {
  const chains = new Map<string, Blocks>();
  let estimatedAt = Number.NEGATIVE_INFINITY;
  let isScheduled = false;
  let lost = { reason: "", at: Number.NEGATIVE_INFINITY };

  function writeLost(record: LogRecord): void {
    const { message: reason = String(record.error) } = record.error as { message?: string };
    if (reason === lost.reason && record.time - lost.at < sameErrorMs) return;
    lost = { reason, at: record.time };
    const { time, level } = record;
    write({ time, level, msg: `Lost a connection to Postgres: ${reason}` });
  }

  function summarize(): void {
    isScheduled = false;
    for (const [chain, blocks] of chains) {
      write({ time: Date.now(), level: "info", msg: "Indexed blocks", chain, ...blocks });
    }
    chains.clear();
  }

  function add(
    { chain, event_count: events = 0 }: LogRecord,
    blocks: number,
    changes: Partial<Blocks>,
  ): void {
    const sum = chains.get(String(chain)) ?? { blocks: 0, events: 0 };
    chains.set(String(chain), {
      ...sum,
      ...changes,
      blocks: sum.blocks + blocks,
      events: sum.events + Number(events),
    });
    if (!isScheduled) setTimeout(summarize, everyMs).unref();
    isScheduled = true;
  }

  return (record) => {
    const { msg, time } = record;
    if (msg === "Indexed block") add(record, 1, { last_block: Number(record.number) });
    else if (msg === "Finalized block") add(record, 0, { final_block: Number(record.number) });
    else if (msg === "Indexed block range") {
      const [from = 0, to = 0] = JSON.parse(String(record.block_range)) as number[];
      add(record, to - from + 1, { last_block: to });
    } else if (msg === "Updated backfill indexing progress") {
      if (time - estimatedAt < everyMs) return;
      estimatedAt = time;
      write(record);
    } else if (lostConnections.includes(msg) && record.error) writeLost(record);
    else write(record);
  };
}

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
