import { readFlags, wholeNumber } from "../shared/command-line.ts";
import { type SetupName, setupNames } from "./setups.ts";

export type BenchmarkOptions = {
  only: SetupName[];
  /** The number of blocks per measurement. */
  blocks: number;
  /** Milliseconds between blocks. */
  blockTime: number;
  /** One in this many blocks has a trade. */
  tradeEvery: number;
  rounds: number;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): BenchmarkOptions {
  const values = readFlags({
    only: { type: "string", multiple: true },
    blocks: { type: "string", default: "200" },
    "block-time": { type: "string", default: "450" },
    "trade-every": { type: "string", default: "2" },
    rounds: { type: "string", default: "1" },
    json: { type: "string" },
  });
  return {
    only: setupNames.filter((name) => values.only?.includes(name) ?? true),
    blocks: wholeNumber("--blocks", values.blocks),
    blockTime: wholeNumber("--block-time", values["block-time"]),
    tradeEvery: wholeNumber("--trade-every", values["trade-every"]),
    rounds: wholeNumber("--rounds", values.rounds),
    json: values.json,
  };
}
