import { describeMachine, formatMachine } from "../shared/machine.ts";
import { median } from "../shared/quantile.ts";
import type { QuestionTimes } from "./ask.ts";
import type { Exported } from "./export.ts";
import type { LakeBenchmarkOptions } from "./options.ts";

/** The targets for ten million trades on 2 cores. */
const aims = { exportSeconds: 180, peakMiB: 1_024, timesFaster: 10 };

export function makeReport(
  { tokens, trades }: LakeBenchmarkOptions,
  exports: Exported[],
  asked: QuestionTimes[],
) {
  return { fixture: { tokens, trades }, machine: describeMachine(), exports, asked };
}

export function formatReport({ fixture, machine, exports, asked }: ReturnType<typeof makeReport>): string {
  return [
    "",
    `${fixture.tokens} registered tokens, ${fixture.trades} trades`,
    formatMachine(machine),
    "",
    ...exports.flatMap(({ tables, files, rows, bytes, seconds, peakMiB }) => [
      tables,
      `  ${rows} rows in ${files} files in ${seconds.toFixed(1)} s: ${Math.round(rows / seconds)} rows/s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s of Parquet (${(bytes / 1e6).toFixed(0)} MB), at most ${Math.round(peakMiB)} MiB`,
    ]),
    `aims: the trades in ${aims.exportSeconds} s within ${aims.peakMiB} MiB`,
    "",
    `${"question".padEnd(22)}${["rows", "Postgres ms", "Parquet ms", "ratio"].map((name) => name.padStart(13)).join("")}`,
    ...asked.map((asked) => `${cells(asked)}${asked.isEqual ? "" : "  THE ANSWERS DIFFER"}`),
    `aim: ${aims.timesFaster} times as fast, each`,
  ].join("\n");
}

/** The medians and their ratio. */
function cells({ question, rows, ...times }: QuestionTimes): string {
  const [postgres, parquet] = [median(times.postgres), median(times.parquet)];
  const values = [rows, Math.round(postgres), Math.round(parquet), (postgres / parquet).toFixed(1)];
  return `${question.padEnd(22)}${values.map((value) => String(value).padStart(13)).join("")}`;
}
