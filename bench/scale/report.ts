import { describeMachine, formatMachine } from "../shared/machine.ts";
import { median, quantile } from "../shared/quantile.ts";
import type { Sample } from "./measure.ts";
import type { BenchmarkOptions } from "./options.ts";

const aims = { bytesPerEvent: 500, memory: 2_048, delay: 300, hot: 80, holdersAt: 200 };
const updatedTables = ["token", "curve", "account", "holder"];

export type Report = ReturnType<typeof makeReport>;

export function makeReport(options: BenchmarkOptions, samples: Sample[]) {
  return { options, machine: describeMachine(), samples };
}

export function formatReport({ options, machine, samples }: Report): string {
  const { liveBlocks, tradesPerBlock, blockTime } = options;
  return [
    "",
    formatMachine(machine),
    ...samples.flatMap((sample) => {
      const { events, tokens, memory, delays, holdersAt, relations, updates, quarters } = sample;
      const bytes = relations.reduce((sum, relation) => sum + relation.bytes, 0) / events;
      return [
        "",
        `${count(events)} events of ${count(tokens)} tokens`,
        `  ${count(sample.eventsPerSecond)} events/s until /ready; by quarters ${quarters.map(count).join(", ")}; the rest took ${sample.finishing.toFixed(1)} s`,
        `  peak memory ${count(memory.ready)} MiB at /ready, ${count(memory.live)} MiB after live blocks: aim ${count(aims.memory)}`,
        `  ${bytes.toFixed(0)} bytes per event: aim ${aims.bytesPerEvent}`,
        ...formatRelations(sample),
        `  ${liveBlocks} live blocks with ${tradesPerBlock} transactions, one every ${blockTime} ms (${count(sample.liveEvents)} events):`,
        `    in the tables after ${median(delays).toFixed(0)} ms, 99 % after ${quantile(delays, 0.99).toFixed(0)}: aim ${aims.delay}${delays.length < liveBlocks ? `; ${liveBlocks - delays.length} never` : ""}`,
        ...updates
          .filter((row) => row.updates > 0)
          .map(({ table, updates, hot, dead }) => {
            const aim = updatedTables.includes(table) ? `: aim ${aims.hot}` : "";
            return `    ${table}: ${count(updates)} updates, ${((100 * hot) / updates).toFixed(0)} % HOT${aim}; ${count(dead)} dead rows`;
          }),
        `  all ${count(holdersAt.holders)} holders of a token with ${count(holdersAt.movements)} trades at a time: ${median(holdersAt.times).toFixed(0)} ms, at most ${Math.max(...holdersAt.times).toFixed(0)}: aim ${aims.holdersAt}`,
      ];
    }),
  ].join("\n");
}

/** The tables that take at least a hundredth, each with its parts, the largest first. */
function formatRelations({ relations, events }: Sample): string[] {
  const byTable = Map.groupBy(relations, ({ table }) => table);
  const sizeOf = (list: { bytes: number }[]) => list.reduce((sum, { bytes }) => sum + bytes, 0) / events;
  const least = sizeOf(relations) / 100;
  return [...byTable]
    .filter(([, list]) => sizeOf(list) >= least)
    .toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a))
    .map(([table, list]) => {
      const parts = list
        .toSorted((a, b) => b.bytes - a.bytes)
        .map(({ index, bytes }) => `${index ?? "rows"} ${(bytes / events).toFixed(1)}`);
      return `    ${sizeOf(list).toFixed(1).padStart(6)} ${table}: ${parts.join(", ")}`;
    });
}

const count = (value: number) => Math.round(value).toLocaleString("en-US");
