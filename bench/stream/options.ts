import { readFlags, wholeNumber } from "../shared/command-line.ts";

export type BenchmarkOptions = {
  clients: number;
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
    clients: { type: "string", default: "1000" },
    blocks: { type: "string", default: "60" },
    trades: { type: "string", default: "10" },
    "block-time": { type: "string", default: "1000" },
    json: { type: "string" },
  });
  return {
    clients: wholeNumber("--clients", values.clients),
    blocks: wholeNumber("--blocks", values.blocks),
    trades: wholeNumber("--trades", values.trades),
    blockTime: wholeNumber("--block-time", values["block-time"]),
    json: values.json,
  };
}
