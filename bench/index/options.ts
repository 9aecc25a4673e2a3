import { readFlags, wholeNumber } from "../shared/command-line.ts";

export type BenchmarkOptions = {
  tokens: number;
  trades: number;
  rounds: number;
  /** A commit of the project to compare with. */
  against: string | undefined;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): BenchmarkOptions {
  const values = readFlags({
    tokens: { type: "string", default: "5000" },
    trades: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    against: { type: "string" },
    json: { type: "string" },
  });
  return {
    tokens: wholeNumber("--tokens", values.tokens),
    trades: wholeNumber("--trades", values.trades),
    rounds: wholeNumber("--rounds", values.rounds),
    against: values.against,
    json: values.json,
  };
}
