import { describeMachine, formatMachine } from "../shared/machine.ts";
import type { BuiltChain } from "./chain/build-chain.ts";
import { type Measure, type Round, summarize, summarizeAgainst, sumOf } from "./statistics.ts";

export type Report = ReturnType<typeof makeReport>;

/** Collects everything that a reader needs to judge the numbers. `commit` is the one that ours is compared with, if any. */
export function makeReport(
  { tokens, trades, transactions, head, live }: BuiltChain,
  rounds: Round[],
  commit: string | undefined,
) {
  const [first] = rounds;
  if (first === undefined) throw new Error("no rounds");
  return {
    chain: { tokens, trades, transactions, blocks: head, liveBlocks: live.length },
    events: { backfill: first.ours.backfillEvents, live: first.ours.liveEvents },
    machine: describeMachine(),
    measures: summarize(rounds),
    against: { commit, measures: summarizeAgainst(rounds) },
    rounds,
  };
}

export function formatReport({ chain, events, machine, measures, against, rounds }: Report): string {
  const kinds = Object.entries(events.backfill)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${kind} ${thousands(count)}`);
  const isFullSize = chain.tokens >= 5_000 && chain.trades >= 100_000;
  const formatAll = (list: Measure[]) => list.map((measure) => formatMeasure(measure, isFullSize));
  return [
    "",
    `${chain.tokens} tokens and ${chain.trades} trades: ${thousands(chain.transactions)} transactions in ${chain.blocks} blocks`,
    `${thousands(sumOf(events.backfill))} events in the backfill: ${kinds.join(", ")}`,
    `${thousands(sumOf(events.live))} events in ${chain.liveBlocks} live blocks`,
    formatMachine(machine),
    "",
    row("", "ours", "bare", "ratio", "range", "aim"),
    ...formatAll(measures),
    "",
    ...(against.measures === undefined
      ? []
      : [
          row("", "ours", against.commit?.slice(0, 8) ?? "", "ratio", "range", "aim"),
          ...formatAll(against.measures),
          "",
        ]),
    `Medians of ${rounds.length} rounds. The aims are for 5000 tokens and 100000 trades.`,
  ].join("\n");
}

function formatMeasure(measure: Measure, isFullSize: boolean): string {
  const { name, unit, ours, other, ratio, ratioRange, aim } = measure;
  const amount = (value: number) => (unit === "s" ? value.toFixed(2) : thousands(Math.round(value)));
  return row(
    `${name} (${unit})`,
    amount(ours),
    amount(other),
    ratio.toFixed(2),
    ratioRange.map((value) => value.toFixed(2)).join("–"),
    aim === undefined ? "" : verdict(aim, ratio, isFullSize),
  );
}

function verdict(aim: NonNullable<Measure["aim"]>, ratio: number, isFullSize: boolean): string {
  const [words, isMet] =
    "atMost" in aim
      ? [`at most ${aim.atMost.toFixed(1)}`, ratio <= aim.atMost]
      : [`at least ${aim.atLeast.toFixed(1)}`, ratio >= aim.atLeast];
  if (!isFullSize) return `${words}: too small a chain to tell`;
  return `${words}: ${isMet ? "met" : "missed"}`;
}

function row(name: string, ...cells: string[]): string {
  const [ours = "", other = "", ratio = "", range = "", aim = ""] = cells;
  return `${name.padEnd(26)}${ours.padStart(9)}${other.padStart(9)}${ratio.padStart(8)}${range.padStart(14)}   ${aim}`.trimEnd();
}

function thousands(count: number): string {
  return count.toLocaleString("en-US");
}
