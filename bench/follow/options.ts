import { StartError } from "../../runtime/start-error.ts";
import { readFlags, wholeNumber } from "../shared/command-line.ts";
import { type SetupName, setupNames } from "./setups.ts";

export type BenchmarkOptions = {
  only: SetupName[];
  /** The number of blocks per measurement. */
  blocks: number;
  /** Milliseconds between blocks. */
  blockTime: number;
  /** One in this many blocks has a trade. */
  tradeEvery: number;
  /** Tokens that the launchpad has. */
  tokens: number;
  /** Logs of other contracts in each block. */
  foreignLogs: number;
  rounds: number;
  json: string | undefined;
};

/** Tokens that are really on the chain. */
export const tradedTokens = 20;
/** What contracts other than ours emit in each block. BNB Smart Chain has some 400 logs a block. */
const densities: Record<string, number> = { none: 0, bsc: 400 };

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): BenchmarkOptions {
  const values = readFlags({
    only: { type: "string", multiple: true },
    blocks: { type: "string", default: "200" },
    "block-time": { type: "string", default: "450" },
    "trade-every": { type: "string", default: "2" },
    tokens: { type: "string", default: String(tradedTokens) },
    density: { type: "string", default: "none" },
    rounds: { type: "string", default: "1" },
    json: { type: "string" },
  });
  const foreignLogs = densities[values.density];
  if (foreignLogs === undefined)
    throw new StartError("failed", `--density must be ${Object.keys(densities).join(" or ")}`);
  return {
    only: setupNames.filter((name) => values.only?.includes(name) ?? true),
    blocks: wholeNumber("--blocks", values.blocks),
    blockTime: wholeNumber("--block-time", values["block-time"]),
    tradeEvery: wholeNumber("--trade-every", values["trade-every"]),
    tokens: wholeNumber("--tokens", values.tokens, tradedTokens),
    foreignLogs,
    rounds: wholeNumber("--rounds", values.rounds),
    json: values.json,
  };
}
