import type { AlertStore } from "../../../offchain/alert-store.ts";
import { singleFlight } from "../concurrency/single-flight.ts";
import { type AnySubscription, toProgress } from "./deliverer.ts";
import { report } from "./report.ts";

type Unsaved = { subscription: AnySubscription; onSaved: (() => void)[] };

const saveMs = 100;
const retryMs = 1_000;

/**
 * Saves where subscriptions are, many at a time and a moment later: what is lost in a crash is only sent twice.
 *
 * @param onLost called if another process has the lease
 */
export function createProgressSaver(store: AlertStore, lease: number, onLost: () => void) {
  const unsaved = new Map<string, Unsaved>();
  let timer: NodeJS.Timeout | undefined;

  function schedule(milliseconds: number): void {
    timer ??= setTimeout(() => void flush().catch(report), milliseconds).unref();
  }

  /** Puts back what could not be saved, unless there is something newer. */
  function keep(batch: [string, Unsaved][]): void {
    for (const [id, { subscription, onSaved }] of batch) {
      const newer = unsaved.get(id);
      unsaved.set(id, {
        subscription: newer?.subscription ?? subscription,
        onSaved: [...onSaved, ...(newer?.onSaved ?? [])],
      });
    }
  }

  /** Saves everything now. Throws the driver's error if the database fails; it is tried again. */
  const flush = singleFlight(async () => {
    clearTimeout(timer);
    timer = undefined;
    if (unsaved.size === 0) return;
    const batch = [...unsaved];
    unsaved.clear();
    const progress = batch.map(([, { subscription }]) => toProgress(subscription));
    let saved: string[] | undefined;
    try {
      saved = await store.saveProgress(lease, progress);
    } catch (error) {
      keep(batch);
      schedule(retryMs);
      throw error;
    }
    if (saved === undefined) {
      onLost();
      return;
    }
    const ids = new Set(saved);
    for (const [index, [id, { subscription, onSaved }]] of batch.entries()) {
      if (!ids.has(id)) continue;
      subscription.row.position = progress[index]?.position ?? subscription.row.position;
      for (const call of onSaved) call();
    }
    // Their owners have changed them: they are saved once that is loaded.
    keep(batch.filter(([id]) => !ids.has(id)));
  });

  return {
    flush,
    /** Saves a subscription soon, then calls these callbacks and those of the calls before. */
    save(subscription: AnySubscription, onSaved: (() => void)[]): void {
      keep([[subscription.row.id, { subscription, onSaved: [] }]]);
      const entry = unsaved.get(subscription.row.id);
      if (entry === undefined) return;
      entry.subscription = subscription;
      entry.onSaved.push(...onSaved);
      schedule(saveMs);
    },
    /** Forgets a subscription that has ended. */
    forget(id: string): void {
      for (const call of unsaved.get(id)?.onSaved ?? []) call();
      unsaved.delete(id);
    },
  };
}
