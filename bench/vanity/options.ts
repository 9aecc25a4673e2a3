import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

export type VanityBenchmarkOptions = {
  threads: number;
  seconds: number;
  rounds: number;
  salts: number;
  /** Where a running service is, to measure it over HTTP too. */
  url: string | undefined;
  json: string | undefined;
};

/** Reads the command line. Throws an error that names what is wrong. */
export function readOptions(): VanityBenchmarkOptions {
  const { values } = parseArgs({
    options: {
      threads: { type: "string", default: String(Math.max(1, availableParallelism() - 1)) },
      seconds: { type: "string", default: "3" },
      rounds: { type: "string", default: "3" },
      salts: { type: "string", default: "300" },
      url: { type: "string" },
      json: { type: "string" },
    },
  });
  const { url, json } = values;
  if (url !== undefined && !URL.canParse(url)) throw new Error(`--url must be a URL, not ${url}`);
  return {
    threads: positive("--threads", values.threads),
    seconds: positive("--seconds", values.seconds),
    rounds: positive("--rounds", values.rounds),
    salts: positive("--salts", values.salts),
    url: url?.replace(/\/+$/, ""),
    json,
  };
}

function positive(name: string, value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new Error(`${name} must be a whole number from 1 up, not ${value}`);
}
