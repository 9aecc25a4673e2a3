import type { Address } from "viem";
import { sum } from "./groups.ts";
import type { Market } from "./observed-trades.ts";

export const windowSeconds = { "5m": 300n, "1h": 3_600n, "6h": 21_600n, "24h": 86_400n } as const;
type WindowName = keyof typeof windowSeconds;

/** A token's trading in a window of time. Wei; prices with 36 decimals. */
export type ExpectedWindow = {
  token: Address;
  window: WindowName;
  volume: bigint;
  /** With 18 decimals; null if none of the trades had a rate. */
  volumeUsd: bigint | null;
  buys: number;
  sells: number;
  traders: number;
  /** The prices at the window's start and end, from which the price change is computed. */
  from: bigint;
  to: bigint;
};

/** Computes all windows from every trade of every token. They end at the time of the chain's last block, inclusive. */
export function expectedWindows({ trades, curves }: Market, now: bigint): ExpectedWindow[] {
  return [...curves].flatMap(([token, { opening }]) => {
    const own = trades.filter((trade) => trade.token === token);
    return (Object.keys(windowSeconds) as WindowName[]).map((window) => {
      const within = own.filter(({ timestamp }) => timestamp > now - windowSeconds[window]);
      const to = own.at(-1)?.to ?? opening;
      const rated = within.flatMap(({ volumeUsd }) => volumeUsd ?? []);
      return {
        token,
        window,
        volume: sum(within.map(({ bnb }) => bnb)),
        volumeUsd: rated.length === 0 ? null : sum(rated),
        buys: within.filter(({ isBuy }) => isBuy).length,
        sells: within.filter(({ isBuy }) => !isBuy).length,
        traders: new Set(within.map(({ trader }) => trader)).size,
        from: within[0]?.from ?? to,
        to,
      };
    });
  });
}
