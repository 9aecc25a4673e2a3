import { validAddresses } from "../data/addresses.ts";

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
