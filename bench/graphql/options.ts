import { readFlags, wholeNumber } from "../shared/command-line.ts";

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions() {
  const values = readFlags({
    tokens: { type: "string", default: "1000000" },
    trades: { type: "string", default: "10000000" },
    "in-flight": { type: "string", default: "4" },
    seconds: { type: "string", default: "5" },
    "warm-up": { type: "string", default: "1" },
    only: { type: "string" },
    "database-url": { type: "string" },
    profile: { type: "string" },
    json: { type: "string" },
  });
  return {
    tokens: wholeNumber("--tokens", values.tokens, 1_000),
    trades: wholeNumber("--trades", values.trades, 1_000),
    inFlight: wholeNumber("--in-flight", values["in-flight"]),
    seconds: wholeNumber("--seconds", values.seconds),
    warmUp: wholeNumber("--warm-up", values["warm-up"]),
    only: values.only,
    databaseUrl: values["database-url"],
    profile: values.profile,
    json: values.json,
  };
}

export type BenchmarkOptions = ReturnType<typeof readOptions>;
