import { describeMachine, formatMachine } from "../machine.ts";
import type { BuiltChain } from "./chain/build-chain.ts";
import { type Measure, type Round, summarize, sumOf } from "./statistics.ts";

export type Report = ReturnType<typeof makeReport>;

/** Everything that a reader needs to judge the numbers. */
export function makeReport({ tokens, trades, transactions, head, live }: BuiltChain, rounds: Round[]) {
  const [first] = rounds;
  if (first === undefined) throw new Error("no rounds");
  return {
    chain: { tokens, trades, transactions, blocks: head, liveBlocks: live.length },
    events: { backfill: first.ours.backfillEvents, live: first.ours.liveEvents },
    machine: describeMachine(),
    measures: summarize(rounds),
    rounds,
  };
}

export function formatReport({ chain, events, machine, measures, rounds }: Report): string {
  const kinds = Object.entries(events.backfill).map(([kind, count]) => `${kind} ${thousands(count)}`);
  return [
    "",
    `${chain.tokens} tokens and ${chain.trades} trades: ${thousands(chain.transactions)} transactions in ${chain.blocks} blocks`,
    `${thousands(sumOf(events.backfill))} events in the backfill: ${kinds.join(", ")}`,
    `${thousands(sumOf(events.live))} events in ${chain.liveBlocks} live blocks`,
    formatMachine(machine),
    "",
    row("", "ours", "bare", "ratio", "range", "aim"),
    ...measures.map((measure) => formatMeasure(measure, chain.tokens >= 5_000 && chain.trades >= 100_000)),
    "",
    `Medians of ${rounds.length} rounds. The aims are for 5000 tokens and 100000 trades.`,
  ].join("\n");
}

function formatMeasure(measure: Measure, isFullSize: boolean): string {
  const { name, unit, ours, bare, ratio, ratioRange, aim } = measure;
  const amount = (value: number) => (unit === "s" ? value.toFixed(2) : thousands(Math.round(value)));
  const outcome = !isFullSize
    ? "too small a chain to tell"
    : aim !== undefined && ratio <= aim
      ? "met"
      : "missed";
  const verdict = aim === undefined ? "" : `at most ${aim.toFixed(1)}: ${outcome}`;
  return row(
    `${name} (${unit})`,
    amount(ours),
    amount(bare),
    ratio.toFixed(2),
    ratioRange.map((value) => value.toFixed(2)).join("–"),
    verdict,
  );
}

function row(name: string, ...cells: string[]): string {
  const [ours = "", bare = "", ratio = "", range = "", aim = ""] = cells;
  return `${name.padEnd(26)}${ours.padStart(9)}${bare.padStart(9)}${ratio.padStart(8)}${range.padStart(13)}   ${aim}`.trimEnd();
}

function thousands(count: number): string {
  return count.toLocaleString("en-US");
}
