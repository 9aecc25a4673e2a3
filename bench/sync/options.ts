import { StartError } from "../../runtime/start-error.ts";
import { readFlags, wholeNumber } from "../shared/command-line.ts";
import { type ChainName, chainNames } from "./chains.ts";
import { type ContenderName, contenderNames, type EndpointName, endpointNames } from "./contenders.ts";

export type BenchmarkOptions = {
  only: ContenderName[];
  chains: ChainName[];
  endpoints: EndpointName[];
  rounds: number;
  /** Seconds after which a run is stopped and extrapolated. */
  limit: number;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): BenchmarkOptions {
  const values = readFlags({
    only: { type: "string", multiple: true },
    chain: { type: "string", multiple: true },
    endpoint: { type: "string", multiple: true },
    rounds: { type: "string", default: "1" },
    limit: { type: "string", default: "120" },
    full: { type: "boolean", default: false },
    json: { type: "string" },
  });
  return {
    only: chosen("--only", values.only, contenderNames),
    chains: chosen("--chain", values.chain, chainNames),
    endpoints: chosen("--endpoint", values.endpoint, endpointNames),
    rounds: wholeNumber("--rounds", values.rounds),
    limit: values.full ? Number.POSITIVE_INFINITY : wholeNumber("--limit", values.limit, 20),
    json: values.json,
  };
}

/** The names given with a flag, or all. */
function chosen<Name extends string>(flag: string, values: string[] | undefined, names: Name[]): Name[] {
  const unknown = values?.find((value) => !names.includes(value as Name));
  if (unknown !== undefined) {
    throw new StartError("failed", `${flag} takes ${names.join(", ")}, not ${unknown}`);
  }
  return values === undefined ? names : names.filter((name) => values.includes(name));
}
