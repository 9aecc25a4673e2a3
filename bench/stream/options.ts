import { parseArgs } from "node:util";
import { StartError } from "../../runtime/start-error.ts";

export type BenchmarkOptions = {
  clients: number;
  blocks: number;
  /** In a block. */
  trades: number;
  /** Milliseconds from block to block, about. */
  blockTime: number;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): BenchmarkOptions {
  const values = parse();
  return {
    clients: positive("--clients", values.clients),
    blocks: positive("--blocks", values.blocks),
    trades: positive("--trades", values.trades),
    blockTime: positive("--block-time", values["block-time"]),
    json: values.json,
  };
}

function parse() {
  try {
    return parseArgs({
      options: {
        clients: { type: "string", default: "1000" },
        blocks: { type: "string", default: "60" },
        trades: { type: "string", default: "10" },
        "block-time": { type: "string", default: "1000" },
        json: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new StartError("failed", error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function positive(name: string, value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new StartError("failed", `${name} must be a whole number from 1 up, not ${value}`);
}
