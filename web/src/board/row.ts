import type { components } from "../../../client/src/index.ts";
import type { StreamEvent } from "../data/client.ts";
import { fromUnits } from "../format/number.ts";

/** The fields of a token that the board shows, filters by and trades with. */
export const boardFields = [
  ...["mint", "chainId", "name", "symbol", "imageUrl", "creator", "createdAt", "verified"],
  ...["progress", "graduated", "graduatedAt", "priceBnb", "priceUsd", "marketCapBnb", "marketCapUsd"],
  ...["holderCount", "liquidityBnb", "liquidityUsd", "launchpadAddress", "pair"],
  ...["websiteUrl", "twitterUrl", "telegramUrl", "risk", "creatorRecord", "windows"],
] as const;

type Token = components["schemas"]["Token"];

/** A token on the board. */
export type Row = Pick<Token, (typeof boardFields)[number]>;

type Trade = Extract<StreamEvent, { kind: "trade" }>;

/** A decimal string of a calculated number, which never has an exponent. */
const decimal = (value: number) => value.toFixed(18);

const times = (text: string, factor: number) => decimal(Number(text) * factor);

/**
 * The row after a trade: price, market cap, progress and the day's volume follow from the event itself, so that they need no
 * request. The number of holders, the shares of groups and the liquidity come with the next reading.
 */
export function afterTrade(row: Row, trade: Trade): Row {
  const factor = Number(trade.priceAfterBnb) / Number(row.priceBnb);
  if (!Number.isFinite(factor) || factor <= 0) return row;
  const day = row.windows["24h"];
  const { priceUsd, marketCapUsd } = row;
  const usdFactor = Number(trade.priceAfterUsd) / Number(priceUsd);
  return {
    ...row,
    priceBnb: trade.priceAfterBnb,
    marketCapBnb: times(row.marketCapBnb, factor),
    ...(trade.priceAfterUsd !== undefined && marketCapUsd !== undefined && usdFactor > 0
      ? { priceUsd: trade.priceAfterUsd, marketCapUsd: times(marketCapUsd, usdFactor) }
      : {}),
    progress: row.graduated ? row.progress : (trade.progress ?? row.progress),
    windows: {
      ...row.windows,
      "24h": {
        ...day,
        trades: day.trades + 1,
        volumeBnb: decimal(Number(day.volumeBnb) + Number(fromUnits(trade.bnbAmountWei))),
        ...(day.volumeUsd === undefined
          ? {}
          : { volumeUsd: decimal(Number(day.volumeUsd) + Number(trade.amountUsd ?? 0)) }),
      },
    },
  };
}

/** The row of an answer, with what events have said of the token since the answer was requested, and it may lack. */
export function withEventsOf(known: Row, answer: Row): Row {
  const {
    priceBnb,
    priceUsd,
    marketCapBnb,
    marketCapUsd,
    progress,
    graduated,
    graduatedAt,
    windows,
    ...rest
  } = answer;
  return { ...known, ...rest };
}
