import { computed, signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { StreamEvent } from "../data/client.ts";
import { createQueue } from "../data/queue.ts";
import { useStream } from "../data/use-stream.ts";
import { displayName } from "../format/text.ts";
import { readRows } from "../home/token-list.ts";
import { t } from "../language/messages.ts";
import { Icon, IconButton } from "../parts/icons.tsx";
import {
  afterEvent,
  alertKey,
  type BrowserAlert,
  isOfAccount,
  toValues,
  type Values,
  withEvent,
  withValues,
} from "./alert.ts";
import { alertPath, alertWords, browserAlerts, changeAlerts } from "./alerts.ts";
import { beep, notify } from "./notification.tsx";
import "./browser-alerts.css";

const waitingAlerts = computed(() => browserAlerts.value.filter(({ firedAt }) => firedAt === undefined));

/** Watches the browser's alerts in one of its tabs, and shows in all of them what the browser didn't show as a notification. */
export default function AlertWatcher() {
  const isWatching = useLock("browser-alerts");
  const chains = isWatching ? [...new Set(waitingAlerts.value.map(({ chainId }) => chainId))] : [];
  return (
    <>
      {chains.map((chainId) => (
        <ChainWatcher
          key={chainId ?? ""}
          chainId={chainId}
          alerts={browserAlerts.value.filter((alert) => alert.chainId === chainId)}
        />
      ))}
      <Toasts />
    </>
  );
}

/** Whether this tab holds a lock. It gets it when the tab that holds it is closed. Without locks, each tab does. */
function useLock(name: string): boolean {
  const [isHeld, setIsHeld] = useState(navigator.locks === undefined);
  useEffect(() => {
    const unmounted = new AbortController();
    const { signal } = unmounted;
    navigator.locks
      ?.request(name, { signal }, () => {
        setIsHeld(true);
        return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      })
      .catch(ignoreAbort);
    return () => unmounted.abort();
  }, [name]);
  return isHeld;
}

/** It was unmounted while it waited. */
const ignoreAbort = () => {};

/** The alerts include those that have fired: without them the query would change, and the stream reconnect, whenever one fires. */
type ChainWatcherProps = { chainId: 56 | 97 | undefined; alerts: BrowserAlert[] };

/** The fields that {@link toValues} needs. */
const fields = "mint,priceBnb,marketCapBnb,progress,graduated";

function ChainWatcher({ chainId, alerts }: ChainWatcherProps) {
  const valuesByMint = useRef(new Map<string, Values>()).current;
  /** Events wait until a reading has ended, so that an older value never follows a newer one. */
  const [inTurn] = useState(createQueue);

  /** The tokens to watch at the moment: the stream's listener is older than alerts that don't change its query. */
  const mints = () =>
    addressesOf(waitingAlerts.peek(), (alert) => alert.chainId === chainId && !isOfAccount(alert.occasion));
  const read = async () => {
    const rows = await readRows(mints(), { fields, chainId }).catch(() => []);
    // What could not be read is read with its next event.
    valuesByMint.clear();
    for (const row of rows) valuesByMint.set(row.mint, toValues(row));
    apply(withKnownValues);
  };
  const withKnownValues = (alert: BrowserAlert) => {
    const values = valuesByMint.get(alert.address);
    return values === undefined ? alert : withValues(alert, values, Date.now());
  };
  const apply = (change: (alert: BrowserAlert) => BrowserAlert) =>
    applyTo((alert) => alert.chainId === chainId, change);
  const note = async (event: StreamEvent) => {
    const values = valuesByMint.get(event.mint);
    if (values !== undefined && !event.removed) valuesByMint.set(event.mint, afterEvent(values, event));
    // What a reorg has undone is read again. An alert that has fired stays so.
    else if (mints().includes(event.mint)) await read();
    apply((alert) =>
      alert.address === event.mint ? withKnownValues(alert) : withEvent(alert, event, Date.now()),
    );
  };
  useStream(
    { ...queryOf(alerts), chainId },
    { onEvent: (event) => inTurn(() => note(event)), onGap: () => inTurn(read) },
    true,
  );
  const unseen = alerts.filter(
    ({ occasion, isArmed, firedAt }) =>
      !isOfAccount(occasion) && isArmed === undefined && firedAt === undefined,
  );
  useEffect(() => {
    if (unseen.length > 0) inTurn(read);
  }, [unseen.map(alertKey).join()]);
  return null;
}

const addressesOf = (alerts: BrowserAlert[], which: (alert: BrowserAlert) => boolean) => [
  ...new Set(alerts.filter(which).map(({ address }) => address)),
];

/** The narrowest stream that has all that alerts are about. Lists of tokens and of accounts can't be asked for at once. */
function queryOf(alerts: BrowserAlert[]) {
  const mint = addressesOf(alerts, ({ occasion }) => !isOfAccount(occasion));
  const trader = addressesOf(alerts, ({ occasion }) => occasion === "trade");
  const creator = addressesOf(alerts, ({ occasion }) => occasion === "created");
  if (trader.length + creator.length === 0) return { mint, kind: ["trade" as const, "graduated" as const] };
  if (mint.length + creator.length === 0) return { trader };
  if (mint.length + trader.length === 0) return { creator, kind: "created" as const };
  return { kind: ["trade" as const, "graduated" as const, "created" as const] };
}

/** Stores the alerts that change, and shows those that fire. */
function applyTo(
  which: (alert: BrowserAlert) => boolean,
  change: (alert: BrowserAlert) => BrowserAlert,
): void {
  const isChanged = (alert: BrowserAlert) => which(alert) && change(alert) !== alert;
  if (!browserAlerts.peek().some(isChanged)) return;
  let hasFired = false;
  changeAlerts((alerts) =>
    alerts.map((alert) => {
      if (!which(alert)) return alert;
      const next = change(alert);
      if (next.firedAt === alert.firedAt) return next;
      hasFired = true;
      return { ...next, isNotified: notify(next) };
    }),
  );
  if (hasFired) beep();
}

const openedAt = Date.now();

/** The alerts whose messages the visitor has closed in this tab. */
const closed = signal<readonly string[]>([]);

/** Messages about the alerts that have fired while this tab was open, where notifications are not allowed. */
function Toasts() {
  const toasts = browserAlerts.value
    .map((alert) => ({ ...alert, id: `${alertKey(alert)} ${alert.firedAt}` }))
    .filter(
      ({ firedAt = 0, isNotified, id }) => firedAt >= openedAt && !isNotified && !closed.value.includes(id),
    );
  return (
    <div class="toasts" role="alert">
      {toasts.map((alert) => (
        <p key={alert.id} class="toast">
          <Icon name="bell" />
          <span>
            <a href={alertPath(alert)}>
              <bdi>{displayName(alert.name)}</bdi>
            </a>{" "}
            {alertWords(alert)}
          </span>
          <IconButton
            icon="close"
            label={t.common.close}
            onClick={() => {
              closed.value = [...closed.peek(), alert.id];
            }}
          />
        </p>
      ))}
    </div>
  );
}
