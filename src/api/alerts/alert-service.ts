import type { AlertSettings } from "../../../config/alerts.ts";
import type { Environment } from "../../../config/env.ts";
import { onReload } from "../../../config/reload.ts";
import { type AlertStore, createAlertStore } from "../../../offchain/alert-store.ts";
import { createPool, openDatabase } from "../database/database.ts";
import { counter, gauge, metricText } from "../http/metric-text.ts";
import { processShutdown } from "../ponder/internals.ts";
import { readStreamEnd, type StreamPosition } from "../stream/stream-page.query.ts";
import { startAlertWork } from "./alert-work.ts";
import { type Attempt, createAttemptsThread } from "./attempts.ts";

export type AlertService = {
  settings: AlertSettings;
  store: AlertStore;
  attempt: Attempt;
  /** Reads the current end of the stream; undefined before its journal begins. */
  readEnd(): Promise<StreamPosition | undefined>;
  work: ReturnType<typeof startAlertWork>;
  stop(): Promise<void>;
};

/** Starts alerts, if they are on. */
export function startAlerts({
  alerts: settings,
  databaseUrl,
  databaseSchema,
  streamRetentionHours,
}: Environment): AlertService | undefined {
  onReload("alerts");
  if (settings === undefined) return undefined;
  const name = `${databaseSchema}_alerts`;
  const pool = createPool({ url: databaseUrl, name, connections: 4, statementSeconds: 10 });
  const store = createAlertStore(pool);
  const thread = createAttemptsThread(settings);
  const { attempt } = thread;
  const work = startAlertWork({
    databaseUrl,
    pool,
    store,
    attempt,
    settings,
    retentionHours: streamRetentionHours,
    name: `${name}_listener`,
  });
  const service: AlertService = {
    settings,
    store,
    attempt,
    readEnd: () => readStreamEnd(openDatabase(pool)),
    work,
    async stop() {
      await work.stop();
      await thread.stop();
    },
  };
  onReload("alerts", service.stop);
  // Not with the server: in development, the next one may have the same modules, and so this service.
  processShutdown()?.add(() => service.stop());
  return service;
}

/** Metrics in the text format of Prometheus. Without alerts they have no values. */
export function readAlertMetrics(service: AlertService | undefined): string {
  const counts = service?.work.counts;
  const now = service?.work.state();
  return metricText([
    counter(
      "launchpad_alert_deliveries_total",
      "Attempts to deliver alerts, by whether the receiver accepted them",
      [
        { labels: { result: "delivered" }, value: counts?.delivered },
        { labels: { result: "failed" }, value: counts?.failed },
      ],
    ),
    gauge(
      "launchpad_alert_subscriptions",
      "Subscriptions that this process delivers to; only the one that delivers has it",
      now?.following,
    ),
    gauge(
      "launchpad_alert_subscriptions_behind",
      "Of those, the ones that read the journal from an earlier place",
      now?.behind,
    ),
    gauge(
      "launchpad_alert_subscriptions_failing",
      "Of those, the ones whose last attempt failed",
      now?.failing,
    ),
    gauge(
      "launchpad_alert_idle_seconds",
      "Seconds since the deliverer last was at the end of the journal. It looks every 5 seconds",
      now?.idleSeconds,
    ),
  ]);
}
