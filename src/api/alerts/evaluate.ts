import { formatUnits, parseUnits } from "viem";
import type { Database } from "../database/database.ts";
import { chainEventId } from "../market/event-id.ts";
import { parseCursor } from "../stream/cursor.ts";
import type { StreamItem } from "../stream/read-page.ts";
import { type CrossesRule, type Metric, tradeMetrics } from "./alert-rule.schema.ts";
import {
  readBalances,
  readTokenValues,
  readVolumesAt,
  type TokenKey,
  type TokenValues,
  type VolumeAt,
} from "./alerts.query.ts";
import {
  applyValue,
  beginCondition,
  type Condition,
  type ConditionState,
  removeEvent,
  valueDecimals,
} from "./conditions.ts";
import { firingId } from "./messages.ts";

/** A condition of a subscription, and its state so far. */
export type Watched = {
  id: string;
  chainId: number;
  rule: CrossesRule;
  condition: Condition;
  /** Undefined before its first evaluation. */
  state: ConditionState | undefined;
};

/** By the id of the subscription: its owner's changes replace what is watched, also while something is awaited. */
export type ConditionStates = Map<string, ConditionState>;

export type NewFiring = { subscription: string; kind: "met" | "retracted"; data: Record<string, unknown> };

export const tokenKey = (chainId: number, mint: string) => `${chainId} ${mint}`;

const isOfTrade = (metric: Metric) => tradeMetrics.some((name) => name === metric);

/** A decimal as an integer with {@link valueDecimals}. */
const toValue = (decimal: string | number) => parseUnits(String(decimal), valueDecimals);
const wei = 10n ** BigInt(valueDecimals - 18);

/**
 * Evaluates conditions after events of the journal, in their order. Returns the new states, which it doesn't store, and the messages.
 * It reads the index only for tokens that have both an event and a condition.
 *
 * @param watchedByToken conditions by {@link tokenKey}
 */
export async function evaluate(
  db: Database,
  watchedByToken: Map<string, Set<Watched>>,
  items: StreamItem[],
): Promise<{ states: ConditionStates; firings: NewFiring[] }> {
  const states: ConditionStates = new Map();
  const firings: NewFiring[] = [];
  const touched = items.filter(
    ({ kind, chainId, mint }) => kind !== "registered" && watchedByToken.has(tokenKey(chainId, mint)),
  );
  if (touched.length === 0) return { states, firings };
  const tokens = new Map(touched.map(({ chainId, mint }) => [tokenKey(chainId, mint), { chainId, mint }]));
  const values = new Map(
    (await readTokenValues(db, [...tokens.values()])).map((row) => [tokenKey(row.chain_id, row.mint), row]),
  );
  /** The last event of each token that is still true: what the index says now is measured after it. */
  const lastOf = new Map(
    touched.filter(({ isRemoved }) => !isRemoved).map((item) => [tokenKey(item.chainId, item.mint), item]),
  );

  for (const item of touched) {
    const key = tokenKey(item.chainId, item.mint);
    const { position = "" } = item;
    const event = parseCursor(item.cursor)?.event ?? 0;
    const watching = [...(watchedByToken.get(key) ?? [])];
    const isLast = lastOf.get(key) === item;
    const volumes =
      item.trade === undefined || item.isRemoved
        ? new Map<number, VolumeAt>()
        : await readVolumes(db, watching, { ...item, id: position });
    const balances = isLast ? await readWatchedBalances(db, watching, item) : new Map<string, bigint>();
    // Those that are watched by now: while something was read, one may have been replaced.
    for (const watched of watchedByToken.get(key) ?? []) {
      const { id, rule, condition } = watched;
      const state = states.get(id) ?? watched.state;
      if (state === undefined) continue;
      const message = firingId(id, event);
      if (item.isRemoved) {
        const removed = removeEvent(state, position);
        if (removed.state !== state) states.set(id, removed.state);
        if (removed.retracted !== null) {
          const data = {
            id: message,
            retracts: removed.retracted,
            rule,
            event: chainEventId(item.chainId, position),
            mint: item.mint,
          };
          firings.push({ subscription: id, kind: "retracted", data });
        }
        continue;
      }
      const measured = isOfTrade(rule.metric)
        ? measureTrade(rule, item, volumes, values.get(key))
        : isLast
          ? measureNow(rule, balances, values.get(key))
          : undefined;
      if (measured === undefined) continue;
      const next = applyValue(condition, state, { position, message, ...measured });
      if (next.state !== state) states.set(id, next.state);
      if (!next.hasMet) continue;
      const { shown } = measured;
      const data = {
        id: message,
        rule,
        value: shown,
        event: chainEventId(item.chainId, position),
        mint: item.mint,
        cause: JSON.parse(item.data),
      };
      firings.push({ subscription: id, kind: "met", data });
    }
  }
  return { states, firings };
}

/** Reads the values of new conditions, from which they begin. A condition whose token is not indexed begins at 0. */
export async function beginConditions(db: Database, watched: Watched[]): Promise<ConditionStates> {
  const rows = await readTokenValues(
    db,
    watched.map(({ chainId, rule }) => ({ chainId, mint: rule.mint })),
  );
  const values = new Map(rows.map((row) => [tokenKey(row.chain_id, row.mint), row]));
  const states: ConditionStates = new Map();
  for (const [key, watching] of Map.groupBy(watched, ({ chainId, rule }) => tokenKey(chainId, rule.mint))) {
    const { chainId, rule } = watching[0] as Watched;
    const balances = await readWatchedBalances(db, watching, { chainId, mint: rule.mint });
    for (const each of watching) {
      const measured = measureNow(each.rule, balances, values.get(key));
      states.set(each.id, beginCondition(each.condition, measured?.value ?? 0n));
    }
  }
  return states;
}

const secondsOf = ({ windowMinutes = 0 }: CrossesRule) => 60 * windowMinutes;

/** Reads the volumes before a trade, in all windows that conditions on its token are about. */
async function readVolumes(
  db: Database,
  watching: Watched[],
  { chainId, mint, id }: TokenKey & { id: string },
): Promise<Map<number, VolumeAt>> {
  const rules = watching.map(({ rule }) => rule).filter(({ metric }) => metric === "volumeBnb");
  const windows = [...new Set(rules.map(secondsOf))];
  return windows.length === 0 ? new Map() : await readVolumesAt(db, { chainId, mint, id, windows });
}

/** Reads what the accounts hold that conditions on a token are about. */
async function readWatchedBalances(
  db: Database,
  watching: Watched[],
  { chainId, mint }: TokenKey,
): Promise<Map<string, bigint>> {
  const accounts = [...new Set(watching.flatMap(({ rule }) => rule.account ?? []))];
  return accounts.length === 0 ? new Map() : await readBalances(db, { chainId, mint, accounts });
}

type Measured = { value: bigint; before?: bigint; shown: string };

const fromDecimal = (decimal: string | number): Measured => fromValue(toValue(decimal));
const fromValue = (value: bigint): Measured => ({ value, shown: formatUnits(value, valueDecimals) });

function measureTrade(
  rule: CrossesRule,
  { trade }: StreamItem,
  volumes: Map<number, VolumeAt>,
  values: TokenValues | undefined,
): Measured | undefined {
  if (trade === undefined) return undefined;
  const { priceAfterBnb, priceAfterUsd, progress } = trade;
  const supply = BigInt(values?.total_supply_raw ?? 0);
  const capOf = (price: string) => fromValue((toValue(price) * supply) / 10n ** 18n);
  switch (rule.metric) {
    case "priceBnb":
      return fromDecimal(priceAfterBnb);
    case "priceUsd":
      return priceAfterUsd === undefined ? undefined : fromDecimal(priceAfterUsd);
    case "marketCapBnb":
      return capOf(priceAfterBnb);
    case "marketCapUsd":
      return priceAfterUsd === undefined ? undefined : capOf(priceAfterUsd);
    case "progress":
      return progress === null ? undefined : fromDecimal(progress);
    default: {
      const volume = volumes.get(secondsOf(rule));
      return volume && { ...fromValue(volume.value * wei), before: volume.before * wei };
    }
  }
}

/** Measures what the index says now. A window's volume counts from the next trade on. */
function measureNow(
  { metric, account }: CrossesRule,
  balances: Map<string, bigint>,
  values: TokenValues | undefined,
): Measured | undefined {
  if (values === undefined) return undefined;
  const supply = BigInt(values.total_supply_raw);
  const circulating = BigInt(values.circulating_raw);
  const price = BigInt(values.price_bnb_x36);
  const priceUsd = values.price_usd_x36 === null ? undefined : BigInt(values.price_usd_x36);
  const share = (balance: bigint) =>
    fromValue(circulating <= 0n ? 0n : (balance * 100n * 10n ** BigInt(valueDecimals)) / circulating);
  const cap = (priceX36: bigint) => fromValue((priceX36 * supply) / 10n ** 18n);
  switch (metric) {
    case "priceBnb":
      return fromValue(price);
    case "priceUsd":
      return priceUsd === undefined ? undefined : fromValue(priceUsd);
    case "marketCapBnb":
      return cap(price);
    case "marketCapUsd":
      return priceUsd === undefined ? undefined : cap(priceUsd);
    case "progress":
      return fromDecimal(values.progress);
    case "holders":
      return fromDecimal(values.holders);
    case "creatorPercent":
      return share(BigInt(values.creator_balance_raw));
    case "insidersPercent":
      return share(BigInt(values.insider_balance_raw));
    case "snipersPercent":
      return share(BigInt(values.sniper_balance_raw));
    case "accountPercent": {
      const balance = balances.get(account ?? "");
      return balance === undefined ? undefined : share(balance);
    }
    case "volumeBnb":
      return fromValue(0n);
  }
}
