import { parseArgs } from "node:util";
import { StartError } from "../../runtime/start-error.ts";

export type BenchmarkOptions = {
  tokens: number;
  trades: number;
  rounds: number;
  /** A commit of the project to measure too. */
  against: string | undefined;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): BenchmarkOptions {
  const values = parse();
  return {
    tokens: positive("--tokens", values.tokens),
    trades: positive("--trades", values.trades),
    rounds: positive("--rounds", values.rounds),
    against: values.against,
    json: values.json,
  };
}

function parse() {
  try {
    return parseArgs({
      options: {
        tokens: { type: "string", default: "5000" },
        trades: { type: "string", default: "100000" },
        rounds: { type: "string", default: "3" },
        against: { type: "string" },
        json: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new StartError("failed", error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function positive(name: string, value: string): number {
  if (/^[1-9]\d{0,7}$/.test(value)) return Number(value);
  throw new StartError("failed", `${name} must be a whole number from 1 up, not ${value}`);
}
