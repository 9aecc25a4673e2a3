import { computed } from "@preact/signals";
import { coinOf, defaultChain } from "../data/chain.ts";
import { readStored, readStoredJson, writeStored } from "../data/storage.ts";
import { t } from "../language/messages.ts";
import { accountPath, tokenPath } from "../routing/router.ts";
import { type BrowserAlert, isOfAccount, toAlert } from "./alert.ts";
import { storageKey, storedAlerts } from "./stored.ts";

const validAlerts = (stored: unknown): BrowserAlert[] =>
  (Array.isArray(stored) ? stored : []).map(toAlert).filter((alert) => alert !== undefined);

/** The browser's alerts, the last one set first. */
export const browserAlerts = computed(() => validAlerts(storedAlerts.value));

/** Changes the alerts, starting from what is stored now: another tab may just have changed it. Without storage they last as long as the page. */
export function changeAlerts(change: (alerts: BrowserAlert[]) => BrowserAlert[]): void {
  const before = readStored(storageKey) === undefined ? storedAlerts.peek() : readStoredJson(storageKey);
  const alerts = change(validAlerts(before));
  storedAlerts.value = alerts.length === 0 ? null : alerts;
  writeStored(storageKey, alerts.length === 0 ? undefined : JSON.stringify(alerts));
}

/** What an alert waits for, in words. */
export function alertWords({ occasion, direction, limit, chainId }: BrowserAlert): string {
  if (occasion === "trade" || occasion === "created") return t.alerts.ofAccount[occasion];
  if (occasion === "graduated") return t.alerts.ofToken.graduated;
  const crosses = direction === "below" ? t.alerts.fallsTo : t.alerts.risesTo;
  return crosses(
    t.alerts.metrics[occasion] ?? "",
    occasion === "progress" ? `${limit}%` : `${limit} ${coinOf(chainId ?? defaultChain())}`,
  );
}

/** The page of what an alert is about. */
export function alertPath({ occasion, address, chainId }: BrowserAlert): string {
  const path = isOfAccount(occasion) ? accountPath(address) : tokenPath(address);
  return chainId === undefined ? path : `${path}?chain=${chainId}`;
}
