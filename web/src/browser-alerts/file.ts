import { maxStarred, validAddresses } from "../data/storage.ts";
import { alertKey, type BrowserAlert, maxAlerts, toAlert } from "./alert.ts";

/** What a file of the watchlist contains: stars by kind and chain, as they are stored, and alerts. */
export type Contents = { watchlist: Record<string, string[]>; alerts: BrowserAlert[] };

const version = 1;

/** Far more than a full watchlist on each chain with all its alerts. */
export const maxFileBytes = 200_000;

/** Both kinds, on each chain. */
const keys = ["", "56", "97", "account", "account56", "account97"];

export const toFile = (contents: Contents) => JSON.stringify({ version, ...contents }, null, 2);

/** Reads a file. Undefined if anything in it isn't as {@link toFile} writes it. */
export function fromFile(text: string): Contents | undefined {
  const file = parse(text);
  if (file?.version !== version || !Array.isArray(file.alerts) || !isObject(file.watchlist)) return undefined;
  const alerts = file.alerts.map(toAlert).filter((alert) => alert !== undefined);
  if (alerts.length < file.alerts.length || alerts.length > maxAlerts) return undefined;
  const watchlist: Contents["watchlist"] = {};
  for (const [key, list] of Object.entries(file.watchlist)) {
    const addresses = validAddresses(list);
    const isWhole = Array.isArray(list) && addresses.length === list.length;
    if (!keys.includes(key) || !isWhole) return undefined;
    watchlist[key] = addresses;
  }
  return { watchlist, alerts };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const file: unknown = JSON.parse(text);
    return isObject(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Adds what a file contains after what is there, as far as there is room. Nothing is removed. */
export function merge(current: Contents, file: Contents): Contents & { stars: number; added: number } {
  const watchlist = { ...current.watchlist };
  let stars = 0;
  for (const [key, addresses] of Object.entries(file.watchlist)) {
    const before = watchlist[key] ?? [];
    const after = [...new Set([...before, ...addresses])].slice(0, maxStarred);
    stars += after.length - before.length;
    watchlist[key] = after;
  }
  const alerts = new Map(current.alerts.map((alert) => [alertKey(alert), alert]));
  for (const alert of file.alerts) {
    if (alerts.size >= maxAlerts || alerts.has(alertKey(alert))) continue;
    // What was last seen then may be long ago: what is seen next counts.
    alerts.set(alertKey(alert), { ...alert, isArmed: undefined });
  }
  return { watchlist, alerts: [...alerts.values()], stars, added: alerts.size - current.alerts.length };
}
