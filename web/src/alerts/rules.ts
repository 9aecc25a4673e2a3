import type { components } from "../data/client.ts";
import { fromUnits, hasThousands, parseAmount } from "../format/number.ts";
import { t } from "../language/messages.ts";

/** What an alert is about. */
export type Target =
  | { kind: "token"; mint: string; graduated: boolean; now: Partial<Record<Crosses["metric"], Value>> }
  | { kind: "account"; address: string };

/** What a token's value is at the moment, as far as it is known. */
type Value = string | number | null | undefined;

/** What it can wait for: an event, or a value that crosses a limit. */
const metrics = [
  "price",
  "marketCap",
  "progress",
  "volumeBnb",
  "holders",
  "creatorPercent",
  "insidersPercent",
  "snipersPercent",
  "accountPercent",
] as const;

export type Metric = (typeof metrics)[number];

export type Occasion = "trade" | "created" | "graduated" | "liquidityRemoved" | Metric;

/** Those that fit a target, the most usual first. Nothing on the curve happens to a token that has left it. */
export function occasionsOf(target: Target): Occasion[] {
  if (target.kind === "account") return ["trade", "created", "graduated", "liquidityRemoved"];
  const onCurve = target.graduated ? [] : (["progress", "graduated"] as const);
  const [price, marketCap, , ...others] = metrics;
  return ["trade", price, marketCap, ...onCurve, "liquidityRemoved", ...others];
}

/** Those of them that a browser can watch by itself. */
export const browserOccasionsOf = (target: Target) => {
  const watched: readonly Occasion[] =
    target.kind === "account" ? ["trade", "created"] : ["marketCap", "price", "progress", "graduated"];
  return watched.filter((occasion) => occasionsOf(target).includes(occasion));
};

export const isMetric = (occasion: Occasion): occasion is Metric =>
  (metrics as readonly string[]).includes(occasion);

export const windows = ["5", "60", "1440"] as const;

/** The form as it is filled in. */
export type Draft = {
  occasion: Occasion;
  side: "all" | "buy" | "sell";
  minBnb: string;
  direction: "above" | "below";
  limit: string;
  currency: "usd" | "bnb";
  windowMinutes: (typeof windows)[number];
  account: string;
  isOnce: boolean;
};

/** A rule as the API takes it. */
export type Rule = components["schemas"]["AlertRule"];

type Crosses = Extract<Rule, { type: "crosses" }>;

/** How far a value has to go back before it can cross its limit again, in percent of the limit: the API's default. */
const hysteresisPercent = 5;

const kinds = {
  trade: "trade",
  created: "created",
  graduated: "graduated",
  liquidityRemoved: "liquidity_removed",
} as const;

export const isAddress = (text: string) => /^0x[0-9a-f]{40}$/i.test(text.trim());

/** What is measured in percent of a whole. */
export const isPercent = (metric: Metric) => metric === "progress" || metric.endsWith("Percent");

/** The rule of a filled in form; undefined while something is missing or wrong. */
export function toRule(draft: Draft, target: Target): Rule | undefined {
  const { occasion } = draft;
  if (isMetric(occasion))
    return target.kind === "token" ? toCondition(occasion, draft, target.mint) : undefined;
  const isTrade = occasion === "trade";
  const minBnb = isTrade ? decimal(draft.minBnb, 18) : "";
  if (minBnb === undefined) return undefined;
  const whose =
    target.kind === "token"
      ? { mint: [target.mint] }
      : { [isTrade ? "trader" : "creator"]: [target.address] };
  return {
    type: "events",
    kind: [kinds[occasion]],
    ...whose,
    ...(isTrade && draft.side !== "all" ? { side: draft.side } : {}),
    ...(minBnb === "" || minBnb === "0" ? {} : { minBnb }),
  };
}

function toCondition(occasion: Metric, draft: Draft, mint: string): Rule | undefined {
  const limit = decimal(draft.limit, 36);
  const account = draft.account.trim().toLowerCase();
  if (limit === undefined || limit === "" || (isPercent(occasion) && Number(limit) > 100)) return undefined;
  if (occasion === "accountPercent" && !isAddress(account)) return undefined;
  return {
    type: "crosses",
    mint,
    metric: metricOf(occasion, draft.currency),
    [draft.direction]: limit,
    hysteresisPercent,
    repeat: draft.isOnce ? "once" : "always",
    ...(occasion === "accountPercent" ? { account } : {}),
    ...(occasion === "volumeBnb" ? { windowMinutes: Number(draft.windowMinutes) } : {}),
  };
}

/** The name of what a form asks for, in the API. */
export function metricOf(metric: Metric, currency: Draft["currency"]): Crosses["metric"] {
  if (metric === "price") return currency === "usd" ? "priceUsd" : "priceBnb";
  if (metric === "marketCap") return currency === "usd" ? "marketCapUsd" : "marketCapBnb";
  return metric;
}

/** A typed number as the API takes it: empty if nothing was typed, and undefined for what is not a number, or could be two. */
export function decimal(text: string, decimals: number): string | undefined {
  if (numberProblem(text, decimals) !== undefined) return undefined;
  const { units } = parseAmount(text, decimals);
  return units === undefined ? "" : fromUnits(units, decimals);
}

/** Why a typed text is no number that an alert takes. A limit that was understood otherwise would only be noticed by its silence. */
export const numberProblem = (text: string, decimals: number): string | undefined =>
  hasThousands(text) ? t.amount.oneSeparator : parseAmount(text, decimals).problem;

/** The address of a receiver as the API stores it; undefined if it can't be one. */
export function receiverUrl(text: string): string | undefined {
  const typed = text.trim();
  if (!/^https?:\/\//i.test(typed) || !URL.canParse(typed)) return undefined;
  return new URL(typed).href;
}
