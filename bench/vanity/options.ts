import { availableParallelism } from "node:os";
import { readFlags, wholeNumber } from "../shared/command-line.ts";

export type VanityBenchmarkOptions = {
  threads: number;
  seconds: number;
  rounds: number;
  salts: number;
  /** The URL of a running service to measure over HTTP as well. */
  url: string | undefined;
  json: string | undefined;
};

/** Reads the command line. Throws an error that names what is wrong. */
export function readOptions(): VanityBenchmarkOptions {
  const values = readFlags({
    threads: { type: "string", default: String(Math.max(1, availableParallelism() - 1)) },
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    salts: { type: "string", default: "300" },
    url: { type: "string" },
    json: { type: "string" },
  });
  const { url, json } = values;
  if (url !== undefined && !URL.canParse(url)) throw new Error(`--url must be a URL, not ${url}`);
  return {
    threads: wholeNumber("--threads", values.threads),
    seconds: wholeNumber("--seconds", values.seconds),
    rounds: wholeNumber("--rounds", values.rounds),
    salts: wholeNumber("--salts", values.salts),
    url: url?.replace(/\/+$/, ""),
    json,
  };
}
