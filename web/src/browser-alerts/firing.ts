import type { StreamEvent } from "../data/client.ts";
import type { BrowserAlert } from "./alert.ts";

/** What alerts about a token are compared with. Values are not a number while they are unknown. */
export type Values = Record<"price" | "marketCap" | "progress", number> & { graduated: boolean };

/** A token's values, from the API's answer. */
export const toValues = (token: {
  priceBnb: string | null;
  marketCapBnb: string | null;
  progress: number;
  graduated: boolean;
}): Values => ({
  price: Number(token.priceBnb ?? Number.NaN),
  marketCap: Number(token.marketCapBnb ?? Number.NaN),
  progress: token.graduated ? 100 : token.progress,
  graduated: token.graduated,
});

/** A token's values after one of its events. */
export function afterEvent(values: Values, event: StreamEvent): Values {
  if (event.kind === "graduated") return { ...values, progress: 100, graduated: true };
  if (event.kind !== "trade") return values;
  const price = Number(event.priceAfterBnb);
  const marketCap = (values.marketCap * price) / values.price;
  return { ...values, price, marketCap, progress: event.progress ?? values.progress };
}

/** Whether what an alert about a token waits for is so; undefined if that is unknown. */
export function isReached({ occasion, direction, limit }: BrowserAlert, values: Values): boolean | undefined {
  if (occasion === "graduated") return values.graduated;
  if (occasion === "trade" || occasion === "created") return undefined;
  const value = values[occasion];
  if (Number.isNaN(value)) return undefined;
  return direction === "below" ? value <= Number(limit) : value >= Number(limit);
}

/**
 * An alert about a token, once the token has these values. It fires if they have reached what it waits for and the last known ones had
 * not, however long ago those were. The same alert if nothing has changed.
 */
export function withValues(alert: BrowserAlert, values: Values, now: number): BrowserAlert {
  const reached = isReached(alert, values);
  if (alert.firedAt !== undefined || reached === undefined) return alert;
  if (reached && alert.isArmed === true) return { ...alert, firedAt: now };
  return alert.isArmed === !reached ? alert : { ...alert, isArmed: !reached };
}

/** An alert about an account, after an event. */
export function withEvent(alert: BrowserAlert, event: StreamEvent, now: number): BrowserAlert {
  const { occasion, address, firedAt } = alert;
  const isIt =
    (occasion === "trade" && event.kind === "trade" && event.trader === address) ||
    (occasion === "created" && event.kind === "created" && event.creator === address);
  return isIt && firedAt === undefined && !event.removed ? { ...alert, firedAt: now } : alert;
}
