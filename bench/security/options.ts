import { isIP } from "node:net";
import { parseArgs } from "node:util";
import { StartError } from "../../runtime/start-error.ts";
import { attacks } from "./attacks/index.ts";

export type BenchmarkOptions = {
  tokens: number;
  trades: number;
  /** A service that runs already; undefined: one of its own. */
  url: string | undefined;
  /** The process whose memory is measured, of a service that runs already. */
  pid: number | undefined;
  /** Names of attacks. */
  attacks: string[];
  /** Whether each request in flight comes from an address of its own, too. */
  modes: ("one" | "many")[];
  inFlight: number;
  /** At most, for each attack. */
  requests: number;
  seconds: number;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): BenchmarkOptions {
  const values = parse();
  const chosen = values.attack ?? Object.keys(attacks);
  for (const name of chosen) {
    if (attacks[name] === undefined) {
      throw new StartError(
        "failed",
        `--attack must be one of ${Object.keys(attacks).join(", ")}, not ${name}`,
      );
    }
  }
  return {
    tokens: positive("--tokens", values.tokens),
    trades: positive("--trades", values.trades),
    url: values.url === undefined ? undefined : loopback(values.url),
    pid: values.pid === undefined ? undefined : positive("--pid", values.pid),
    attacks: chosen,
    modes: values.addresses === undefined ? ["one", "many"] : [addressesOf(values.addresses)],
    inFlight: positive("--in-flight", values["in-flight"]),
    requests: positive("--requests", values.requests),
    seconds: positive("--seconds", values.seconds),
    json: values.json,
  };
}

function parse() {
  try {
    return parseArgs({
      options: {
        tokens: { type: "string", default: "200000" },
        trades: { type: "string", default: "1000000" },
        url: { type: "string" },
        pid: { type: "string" },
        attack: { type: "string", multiple: true },
        addresses: { type: "string" },
        "in-flight": { type: "string", default: "100" },
        requests: { type: "string", default: "500" },
        seconds: { type: "string", default: "10" },
        json: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new StartError("failed", error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function addressesOf(value: string): "one" | "many" {
  if (value === "one" || value === "many") return value;
  throw new StartError("failed", `--addresses must be one or many, not ${value}`);
}

/** Whoever attacks another machine does so with another tool. */
function loopback(value: string): string {
  const { hostname, protocol } = URL.canParse(value) ? new URL(value) : { hostname: "", protocol: "" };
  const isLoopback = hostname === "localhost" || (isIP(hostname) === 4 && hostname.startsWith("127."));
  if (protocol === "http:" && isLoopback) return value;
  throw new StartError("failed", `--url must be an http URL of this machine (127.0.0.1), not ${value}`);
}

function positive(name: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new StartError("failed", `${name} must be a whole number from 1 up, not ${value}`);
}
