import { describeMachine, formatMachine } from "../shared/machine.ts";
import { median } from "../shared/quantile.ts";
import { type ChainName, chainNames } from "./chains.ts";
import { compareTables } from "./comparison.ts";
import { type ContenderName, contenders, type EndpointName, endpointNames } from "./contenders.ts";
import type { Sample } from "./sample.ts";

export type Measured = {
  chain: ChainName;
  endpoint: EndpointName;
  contender: ContenderName;
  round: number;
  sample: Sample;
};

export type Report = ReturnType<typeof makeReport>;

/** Collects everything that a reader needs to judge the numbers. */
export function makeReport(measured: Measured[], blocks: Partial<Record<ChainName, number>>) {
  const chains = chainNames.filter((name) => measured.some(({ chain }) => chain === name));
  return {
    machine: describeMachine(),
    chains: chains.map((name) => {
      const ofChain = measured.filter(({ chain }) => chain === name);
      return { name, blocks: blocks[name], comparison: compareTables(ofChain) };
    }),
    measured,
  };
}

export function formatReport({ machine, chains, measured }: Report): string {
  const lines = chains.flatMap(({ name, blocks, comparison }) => [
    "",
    `${name} chain: ${count(blocks ?? 0)} blocks`,
    ...endpointNames.flatMap((endpoint) =>
      formatTable(
        endpoint,
        measured.filter((run) => run.chain === name && run.endpoint === endpoint),
      ),
    ),
    comparison === undefined
      ? "tables: not compared, since that needs complete runs of ours and of Ponder's own sync"
      : comparison.differences.length > 0
        ? `tables that differ: ${comparison.differences.join("; ")}`
        : `tables: all ${comparison.tables} of ours and Ponder's own are equal, ${count(comparison.rows)} rows`,
  ]);
  const isExtrapolated = measured.some(({ sample }) => sample.share < 1);
  const note = "~ was stopped early and extrapolated from the share of blocks that it had synced";
  return ["", formatMachine(machine), ...lines, ...(isExtrapolated ? ["", note] : [])].join("\n");
}

function formatTable(endpoint: EndpointName, runs: Measured[]): string[] {
  const names = (Object.keys(contenders) as ContenderName[]).filter((name) =>
    runs.some(({ contender }) => contender === name),
  );
  if (names.length === 0) return [];
  const head = row(endpoint, "HTTP", "elements", "429", "MB", "s", "from start", "s, ratio", "elements");
  return ["", head, ...names.map((name) => formatContender(name, runs))];
}

function formatContender(name: ContenderName, runs: Measured[]): string {
  const own = runs.filter(({ contender }) => contender === name).map(({ sample }) => sample);
  const middle = (of: (sample: Sample) => number) => median(own.map(of));
  const about = own.some(({ share }) => share < 1) ? "~" : "";
  // A ratio for each round, because a temporarily slow machine slows down both sides of it.
  const ratioToOurs = (of: (sample: Sample) => number) => {
    const ratios = runs.flatMap(({ contender, round, sample }) => {
      const ours = runs.find((run) => run.contender === "ours" && run.round === round);
      return contender === name && ours !== undefined ? [of(sample) / of(ours.sample)] : [];
    });
    return ratios.length === 0 ? "" : about + median(ratios).toFixed(2);
  };
  return row(
    contenders[name],
    about + count(middle(({ asked }) => asked.requests)),
    about + count(middle(({ asked }) => asked.elements)),
    about + count(middle(({ asked }) => asked.refused)),
    about + middle(({ asked }) => asked.megabytes).toFixed(1),
    about + middle(({ seconds }) => seconds).toFixed(1),
    about + middle(({ startUp, seconds }) => startUp + seconds).toFixed(1),
    ratioToOurs(({ seconds }) => seconds),
    ratioToOurs(({ asked }) => asked.elements),
  );
}

const widths = [9, 10, 9, 9, 9, 12, 10, 10];

function row(name: string, ...cells: string[]): string {
  const padded = cells.map((cell, index) => cell.padStart(widths[index] ?? 10));
  return `${name.padEnd(23)}${padded.join("")}`.trimEnd();
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
