import { parseArgs } from "node:util";
import { StartError } from "../../runtime/start-error.ts";

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
  const values = parse();
  return {
    tokens: positive("--tokens", values.tokens, 1_000),
    trades: positive("--trades", values.trades, 1_000),
    seconds: positive("--seconds", values.seconds, 1),
    warmUp: positive("--warm-up", values["warm-up"], 1),
    changing: values.changing,
    seedOnly: values["seed-only"],
    databaseUrl: values["database-url"],
    profile: values.profile,
    json: values.json,
  };
}

function parse() {
  try {
    return parseArgs({
      allowNegative: true,
      options: {
        tokens: { type: "string", default: "1000000" },
        trades: { type: "string", default: "10000000" },
        seconds: { type: "string", default: "20" },
        "warm-up": { type: "string", default: "5" },
        changing: { type: "boolean", default: true },
        "seed-only": { type: "boolean", default: false },
        "database-url": { type: "string" },
        profile: { type: "string" },
        json: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new StartError("failed", error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function positive(name: string, value: string, minimum: number): number {
  if (/^[1-9]\d{0,8}$/.test(value) && Number(value) >= minimum) return Number(value);
  throw new StartError("failed", `${name} must be a whole number from ${minimum} up, not ${value}`);
}
