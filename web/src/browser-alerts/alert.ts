import type { StreamEvent } from "../data/client.ts";
import { validAddresses } from "../data/storage.ts";

/** An alert of this browser, which is shown while a tab of the explorer is open, and fires once. */
export type BrowserAlert = {
  occasion: Occasion;
  /** The token's, or for `trade` and `created` the account's. */
  address: string;
  /** What the page called it. Of a token, untrusted text. */
  name: string;
  /** As in the page's address: undefined for the service's default. */
  chainId?: 56 | 97 | undefined;
  /** Of a value: which way it has to cross which limit, in BNB or percent. */
  direction?: Direction | undefined;
  limit?: string | undefined;
  /** Of a token: whether what it waits for was not yet so when last seen. Undefined until it has been seen. */
  isArmed?: boolean | undefined;
  /** When it fired, in milliseconds since 1970. */
  firedAt?: number | undefined;
  /** Whether the browser has shown a notification, so that the page need not. */
  isNotified?: boolean | undefined;
};

const values = ["marketCap", "price", "progress"] as const;
const occasions = [...values, "graduated", "trade", "created"] as const;
const directions = ["above", "below"] as const;

export type ValueOccasion = (typeof values)[number];
export type Occasion = (typeof occasions)[number];
type Direction = (typeof directions)[number];

export const maxAlerts = 100;

const maxNameLength = 200;

export const isOfValue = (occasion: Occasion): occasion is ValueOccasion =>
  (values as readonly string[]).includes(occasion);

export const isOfAccount = (occasion: Occasion) => occasion === "trade" || occasion === "created";

/** What tells an alert apart from others: what it waits for. */
export const alertKey = ({ chainId, occasion, address, direction, limit }: BrowserAlert) =>
  [chainId, occasion, address, direction, limit].join(" ");

/** Adds an alert as the first one, in place of one that waits, or waited, for the same. */
export const withAlert = (alerts: readonly BrowserAlert[], alert: BrowserAlert): BrowserAlert[] =>
  [alert, ...alerts.filter((other) => alertKey(other) !== alertKey(alert))].slice(0, maxAlerts);

/** Checks an alert from the browser's storage, or from a file. Undefined if it is none. */
export function toAlert(stored: unknown): BrowserAlert | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { name, chainId, isArmed, isNotified, firedAt, ...alert } = stored as Record<string, unknown>;
  const occasion = occasions.find((one) => one === alert.occasion);
  const [address] = validAddresses([alert.address]);
  if (occasion === undefined || address === undefined) return undefined;
  if (typeof name !== "string" || name.length > maxNameLength) return undefined;
  if (chainId !== undefined && chainId !== 56 && chainId !== 97) return undefined;
  const direction = directions.find((one) => one === alert.direction);
  const limit = isLimit(alert.limit, occasion) ? alert.limit : undefined;
  if (isOfValue(occasion) && (direction === undefined || limit === undefined)) return undefined;
  return {
    occasion,
    address,
    name,
    chainId,
    ...(isOfValue(occasion) ? { direction, limit } : {}),
    isArmed: typeof isArmed === "boolean" ? isArmed : undefined,
    firedAt: typeof firedAt === "number" && isTime(firedAt) ? firedAt : undefined,
    isNotified: isNotified === true,
  };
}

const isTime = (time: number) => !Number.isNaN(new Date(time).getTime());

/** Whether this is a positive decimal number, and if it's a percentage at most 100. */
export const isLimit = (limit: unknown, occasion: Occasion): limit is string =>
  typeof limit === "string" &&
  /^\d{1,40}(\.\d{1,36})?$/.test(limit) &&
  /[1-9]/.test(limit) &&
  (occasion !== "progress" || Number(limit) <= 100);

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
