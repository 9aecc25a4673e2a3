import { readFlags, wholeNumber } from "../shared/command-line.ts";

export type LakeBenchmarkOptions = {
  tokens: number;
  trades: number;
  databaseUrl: string | undefined;
  /** How often each question is asked of each engine; the median counts. */
  runs: number;
  /** Whether to export the other tables too. */
  all: boolean;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): LakeBenchmarkOptions {
  const values = readFlags({
    tokens: { type: "string", default: "1000000" },
    trades: { type: "string", default: "10000000" },
    runs: { type: "string", default: "3" },
    all: { type: "boolean", default: false },
    "database-url": { type: "string" },
    json: { type: "string" },
  });
  return {
    tokens: wholeNumber("--tokens", values.tokens, 1_000),
    trades: wholeNumber("--trades", values.trades, 1_000),
    runs: wholeNumber("--runs", values.runs),
    all: values.all,
    databaseUrl: values["database-url"],
    json: values.json,
  };
}
