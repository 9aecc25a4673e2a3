import { readFlags, wholeNumber } from "../shared/command-line.ts";

export type BenchmarkOptions = {
  /** How many events of history there are; measured one after the other. */
  sizes: number[];
  tokens: number;
  accounts: number;
  /** Days that the history spans. */
  days: number;
  liveBlocks: number;
  tradesPerBlock: number;
  /** Milliseconds between live blocks. */
  blockTime: number;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): BenchmarkOptions {
  const values = readFlags({
    events: { type: "string", multiple: true, default: ["1000000"] },
    tokens: { type: "string", default: "100000" },
    accounts: { type: "string", default: "1000000" },
    days: { type: "string", default: "100" },
    "live-blocks": { type: "string", default: "1000" },
    "trades-per-block": { type: "string", default: "20" },
    "block-time": { type: "string", default: "450" },
    json: { type: "string" },
  });
  return {
    sizes: values.events.map((events) => wholeNumber("--events", events, 1_000)),
    tokens: wholeNumber("--tokens", values.tokens),
    accounts: wholeNumber("--accounts", values.accounts, 2),
    days: wholeNumber("--days", values.days),
    liveBlocks: wholeNumber("--live-blocks", values["live-blocks"]),
    tradesPerBlock: wholeNumber("--trades-per-block", values["trades-per-block"]),
    blockTime: wholeNumber("--block-time", values["block-time"]),
    json: values.json,
  };
}
