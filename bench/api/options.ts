import { readFlags, wholeNumber } from "../shared/command-line.ts";

export type BenchmarkOptions = {
  tokens: number;
  trades: number;
  seconds: number;
  warmUp: number;
  changing: boolean;
  seedOnly: boolean;
  databaseUrl: string | undefined;
  profile: string | undefined;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): BenchmarkOptions {
  const values = readFlags({
    tokens: { type: "string", default: "1000000" },
    trades: { type: "string", default: "10000000" },
    seconds: { type: "string", default: "20" },
    "warm-up": { type: "string", default: "20" },
    changing: { type: "boolean", default: true },
    "seed-only": { type: "boolean", default: false },
    "database-url": { type: "string" },
    profile: { type: "string" },
    json: { type: "string" },
  });
  return {
    tokens: wholeNumber("--tokens", values.tokens, 1_000),
    trades: wholeNumber("--trades", values.trades, 1_000),
    seconds: wholeNumber("--seconds", values.seconds),
    warmUp: wholeNumber("--warm-up", values["warm-up"]),
    changing: values.changing,
    seedOnly: values["seed-only"],
    databaseUrl: values["database-url"],
    profile: values.profile,
    json: values.json,
  };
}
