import { readStoredJson, writeStored } from "../data/storage.ts";
import { hasThousands, withPoint } from "../format/number.ts";
import { listedWarnings, riskVerdict } from "../token/risk-notes.tsx";
import { type ColumnName, columns } from "./columns.ts";
import type { Row } from "./row.ts";

/** The numbers that a column's filter may limit. Amounts are in the currency in which they were entered. */
export const limits = [
  { name: "maxAgeMinutes", unit: "min" },
  { name: "minMarketCap", unit: "money" },
  { name: "maxMarketCap", unit: "money" },
  { name: "minVolume", unit: "money" },
  { name: "minHolders", unit: "" },
  { name: "maxCreatorPercent", unit: "%" },
  { name: "maxTopTenPercent", unit: "%" },
  { name: "maxInsiderPercent", unit: "%" },
  { name: "maxSniperPercent", unit: "%" },
  { name: "maxBundlerPercent", unit: "%" },
] as const;

export const switches = [{ name: "hasLinks" }, { name: "isVerified" }, { name: "isNotHighRisk" }] as const;

type LimitName = (typeof limits)[number]["name"];
type SwitchName = (typeof switches)[number]["name"];
type Currency = "usd" | "bnb";

/** A column's filter: only what was set is there. */
export type Filter = Partial<Record<LimitName, number>> &
  Partial<Record<SwitchName, true>> & { currency: Currency };

export const emptyFilter: Filter = { currency: "bnb" };

/** How many conditions a filter has. */
export const countConditions = ({ currency: _, ...conditions }: Filter): number =>
  Object.keys(conditions).length;

/** The filter's conditions that the API has too, so that a filtered column isn't filled from the newest tokens alone. */
export function toQuery({ currency, ...filter }: Filter) {
  return {
    // The API's volumes are in BNB.
    minVolumeBnb: currency === "bnb" ? filter.minVolume : undefined,
    minHolders: filter.minHolders,
    maxCreatorPercent: filter.maxCreatorPercent,
    maxInsiderPercent: filter.maxInsiderPercent,
    maxSniperPercent: filter.maxSniperPercent,
    maxBundlerPercent: filter.maxBundlerPercent,
    verified: filter.isVerified,
  };
}

/** Whether a filter has conditions that only this page checks. */
export function isCheckedHere({ currency, ...filter }: Filter): boolean {
  const { maxAgeMinutes, minMarketCap, maxMarketCap, minVolume, maxTopTenPercent } = filter;
  const numbers = [maxAgeMinutes, minMarketCap, maxMarketCap, maxTopTenPercent];
  if (currency === "usd") numbers.push(minVolume);
  return (
    numbers.some((limit) => limit !== undefined) || filter.hasLinks === true || filter.isNotHighRisk === true
  );
}

/** Whether a token meets a column's filter. */
export function passes(row: Row, filter: Filter, now: number): boolean {
  const { risk, windows } = row;
  const day = windows["24h"];
  const money = (bnb: string, usd: string | undefined) =>
    filter.currency === "usd" ? (usd === undefined ? undefined : Number(usd)) : Number(bnb);
  const marketCap = money(row.marketCapBnb, row.marketCapUsd);
  const ageMinutes = row.createdAt === null ? 0 : (now - Date.parse(row.createdAt)) / 60_000;
  return (
    isAtMost(ageMinutes, filter.maxAgeMinutes) &&
    isAtLeast(marketCap, filter.minMarketCap) &&
    isAtMost(marketCap, filter.maxMarketCap) &&
    isAtLeast(money(day.volumeBnb, day.volumeUsd), filter.minVolume) &&
    isAtLeast(row.holderCount, filter.minHolders) &&
    isAtMost(risk.creatorPercent ?? 0, filter.maxCreatorPercent) &&
    isAtMost(risk.top10Percent ?? 0, filter.maxTopTenPercent) &&
    isAtMost(risk.insidersPercent ?? 0, filter.maxInsiderPercent) &&
    isAtMost(risk.snipersPercent ?? 0, filter.maxSniperPercent) &&
    isAtMost(risk.bundlersPercent ?? 0, filter.maxBundlerPercent) &&
    (filter.hasLinks !== true || hasLinks(row)) &&
    (filter.isVerified !== true || row.verified) &&
    (filter.isNotHighRisk !== true || riskVerdict(listedWarnings(row)).level !== "high")
  );
}

/** What isn't known meets no limit: a filter must not let through what it can't judge. */
const isAtLeast = (value: number | undefined, limit: number | undefined) =>
  limit === undefined || (value !== undefined && value >= limit);
const isAtMost = (value: number | undefined, limit: number | undefined) =>
  limit === undefined || (value !== undefined && value <= limit);

const hasLinks = ({ websiteUrl, twitterUrl, telegramUrl }: Row) =>
  [websiteUrl, twitterUrl, telegramUrl].some((url) => url !== null && url !== "");

/** The API takes no larger limits. */
const maxOf = (unit: string) => (unit === "%" ? 100 : 1e9);

/** A typed limit; undefined if there is none, null if it is not a number, or too large. */
export function parseLimit(text: string, unit: string): number | null | undefined {
  const typed = withPoint(text);
  if (typed === "") return undefined;
  if (hasThousands(text)) return null;
  // 1.000 holders are a thousand, and not one.
  if (unit === "" && !/^\d+$/.test(typed)) return null;
  return /^\d{1,10}(\.\d{1,6})?$/.test(typed) && Number(typed) <= maxOf(unit) ? Number(typed) : null;
}

export type Filters = Record<ColumnName, Filter>;

const storageKey = "board-filters";

/** The filters that the browser has stored. */
export function readFilters(): Filters {
  const stored = (readStoredJson(storageKey) ?? {}) as Record<string, unknown>;
  return Object.fromEntries(columns.map(({ name }) => [name, validFilter(stored[name])])) as Filters;
}

export const storeFilters = (filters: Filters): void => writeStored(storageKey, JSON.stringify(filters));

/** Whatever is of the right form in a stored filter. */
export function validFilter(stored: unknown): Filter {
  const values = (typeof stored === "object" ? stored : null) as Record<string, unknown> | null;
  const filter: Filter = { currency: values?.currency === "usd" ? "usd" : "bnb" };
  for (const { name, unit } of limits) {
    const limit = values?.[name];
    if (typeof limit === "number" && parseLimit(String(limit), unit) === limit) filter[name] = limit;
  }
  for (const { name } of switches) if (values?.[name] === true) filter[name] = true;
  return filter;
}
