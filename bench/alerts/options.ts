import { readFlags, wholeNumber } from "../shared/command-line.ts";

export type BenchmarkOptions = {
  /** All subscriptions, and those of them that each event matches. */
  subscriptions: number;
  matching: number;
  blocks: number;
  /** The number of trades per block. */
  trades: number;
  /** The approximate time between blocks, in milliseconds. */
  blockTime: number;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): BenchmarkOptions {
  const values = readFlags({
    subscriptions: { type: "string", default: "10000" },
    matching: { type: "string", default: "5" },
    blocks: { type: "string", default: "60" },
    trades: { type: "string", default: "50" },
    "block-time": { type: "string", default: "1000" },
    json: { type: "string" },
  });
  return {
    subscriptions: wholeNumber("--subscriptions", values.subscriptions),
    matching: wholeNumber("--matching", values.matching),
    blocks: wholeNumber("--blocks", values.blocks),
    trades: wholeNumber("--trades", values.trades),
    blockTime: wholeNumber("--block-time", values["block-time"]),
    json: values.json,
  };
}
