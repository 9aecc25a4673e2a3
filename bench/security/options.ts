import { isIP } from "node:net";
import { StartError } from "../../runtime/start-error.ts";
import { readFlags, wholeNumber } from "../shared/command-line.ts";
import { attacks } from "./attacks/index.ts";

export type BenchmarkOptions = {
  tokens: number;
  trades: number;
  /** A running service; undefined to start one. */
  url: string | undefined;
  /** The process id of a running service, to measure its memory. */
  pid: number | undefined;
  /** Names of attacks. */
  attacks: string[];
  /** Whether requests come from one address, from one per request in flight, or both in turn. */
  modes: ("one" | "many")[];
  inFlight: number;
  /** How long each attack lasts. */
  seconds: number;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): BenchmarkOptions {
  const values = readFlags({
    tokens: { type: "string", default: "200000" },
    trades: { type: "string", default: "1000000" },
    url: { type: "string" },
    pid: { type: "string" },
    attack: { type: "string", multiple: true },
    addresses: { type: "string" },
    "in-flight": { type: "string", default: "100" },
    seconds: { type: "string", default: "10" },
    json: { type: "string" },
  });
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
    tokens: wholeNumber("--tokens", values.tokens),
    trades: wholeNumber("--trades", values.trades),
    url: values.url === undefined ? undefined : loopback(values.url),
    pid: values.pid === undefined ? undefined : wholeNumber("--pid", values.pid),
    attacks: chosen,
    modes: values.addresses === undefined ? ["one", "many"] : [addressesOf(values.addresses)],
    inFlight: wholeNumber("--in-flight", values["in-flight"]),
    seconds: wholeNumber("--seconds", values.seconds),
    json: values.json,
  };
}

function addressesOf(value: string): "one" | "many" {
  if (value === "one" || value === "many") return value;
  throw new StartError("failed", `--addresses must be one or many, not ${value}`);
}

/** Refuses other machines: this tool must not be used to attack them. */
function loopback(value: string): string {
  const { hostname, protocol } = URL.canParse(value) ? new URL(value) : { hostname: "", protocol: "" };
  const isLoopback = hostname === "localhost" || (isIP(hostname) === 4 && hostname.startsWith("127."));
  if (protocol === "http:" && isLoopback) return value;
  throw new StartError("failed", `--url must be an http URL of this machine (127.0.0.1), not ${value}`);
}
