import type { AlertSettings } from "../../../config/alerts.ts";
import type { AlertLease, AlertRow, AlertStore } from "../../../offchain/alert-store.ts";
import { singleFlight } from "../concurrency/single-flight.ts";
import type { Database } from "../database/database.ts";
import { formatCursor, isAtOrAfter, parseCursor } from "../stream/cursor.ts";
import { matchAll, readStreamPage, type StreamItem } from "../stream/read-page.ts";
import { readStreamEnd, type StreamFilter, type StreamPosition } from "../stream/stream-page.query.ts";
import { type AlertRule, alertRule, toFilter } from "./alert-rule.schema.ts";
import { readOldestEvent } from "./alerts.query.ts";
import type { Attempt } from "./attempts.ts";
import { type ConditionState, toCondition } from "./conditions.ts";
import { type AnySubscription, createDeliverer, openSubscription } from "./deliverer.ts";
import { createPlaceFinder, enterJournal } from "./enter-journal.ts";
import { beginConditions, type ConditionStates, evaluate, tokenKey, type Watched } from "./evaluate.ts";
import { createEventSource, createFiringSource, latestPosition } from "./message-sources.ts";
import { prepareEventMessage, toFiringMessage } from "./messages.ts";
import { createProgressSaver } from "./progress-saver.ts";
import { report } from "./report.ts";
import { createRuleIndex } from "./rule-index.ts";

export type DispatcherOptions = {
  db: Database;
  store: AlertStore;
  attempt: Attempt;
  settings: AlertSettings;
  /** Attempts so far, of all times that this process has had the lease. */
  counts: { delivered: number; failed: number };
  leaseSeconds: number;
};

type Lease = AlertLease & {
  /** When it was asked for, by `performance.now`. */
  startedAt: number;
  /** The end of the stream, from which the first delivery ever begins. */
  end: StreamPosition;
};

/** A part of the journal whose messages may still be on their way. */
type Page = { start: StreamPosition; outstanding: number };

type Following =
  | { subscription: AnySubscription; filter: StreamFilter }
  | { subscription: AnySubscription; watched: Watched };

/** A request must end before the lease does, by this much. */
const marginMs = 2_000;
const pageSize = 500;
const changesSize = 1_000;

/**
 * Delivers for as long as the lease is held: reads the journal once for all subscriptions, evaluates conditions, and pushes messages to
 * those that are not behind. Resolves once all subscriptions are loaded.
 */
export async function startDispatcher(
  { db, store, attempt, settings, counts, leaseSeconds }: DispatcherOptions,
  { startedAt, end, ...taken }: Lease,
) {
  const findPlace = createPlaceFinder(db);
  const { lease, delivered, evaluated } = await enterJournal({ findPlace, store, end }, taken);
  const following = new Map<string, Following>();
  // One that is behind reads the journal for itself, and one that is paused nothing: there may be thousands of either.
  const index = createRuleIndex<AnySubscription>(({ isBehind, status }) => !isBehind && status === "active");
  const watchedByToken = new Map<string, Set<Watched>>();
  /** New conditions, which have no value to begin from yet. */
  const unbegun = new Set<Watched>();
  /** The last message of each condition. */
  const newest = new Map<string, number>();
  const pages: Page[] = [];
  let leaseUntil = startedAt + 1_000 * leaseSeconds;
  let isLost = false;
  let revision = "0";
  /** Everything up to here was pushed to those that are not behind. */
  let position: StreamPosition = parseCursor(delivered ?? "") ?? end;
  let evaluatedEvent = evaluated ?? position.event;
  let advancedAt = performance.now();

  const saver = createProgressSaver(store, lease, () => {
    isLost = true;
  });
  const deliverer = createDeliverer({
    attempt,
    leaseLeft: () => (isLost ? 0 : leaseUntil - performance.now() - marginMs),
    save: saver.save,
    onAttempt: ({ error }) => void counts[error === null ? "delivered" : "failed"]++,
  });

  /** The position up to which everyone who is not behind has everything, whatever is stored of single subscriptions. */
  function safePosition(): StreamPosition {
    while (pages[0]?.outstanding === 0) pages.shift();
    return pages[0]?.start ?? position;
  }

  function open(row: AlertRow, rule: AlertRule, wasBehind: boolean): Following {
    // Nothing is pushed to one that is paused: it lacks what comes from now on.
    const isBehind = wasBehind || row.status === "paused";
    if (rule.type === "events") {
      const filter = toFilter(row.chain_id, rule);
      const source = createEventSource(db, { id: row.id, filter, findPlace, pushed: () => position });
      const stored = parseCursor(row.position) ?? { event: 0, version: 0, registration: undefined };
      // One that is not behind has everything up to there, even if nothing matched that would have been noted.
      const at = isBehind ? stored : latestPosition(stored, position);
      return {
        subscription: openSubscription(settings.key, row, { position: at, source, isBehind }),
        filter,
      };
    }
    const state = (row.condition as ConditionState | null) ?? undefined;
    const watched = { id: row.id, chainId: row.chain_id, rule, condition: toCondition(rule), state };
    const parts = {
      position: Number(row.position),
      source: createFiringSource(store, { id: row.id, pushed: () => newest.get(row.id) ?? 0 }),
      isBehind,
    };
    return { subscription: openSubscription(settings.key, row, parts), watched };
  }

  /** @param earlier the run that still sends a message: two requests at a time would not be in order */
  function add(followed: Following, earlier: Promise<void> | undefined): void {
    const { subscription } = followed;
    following.set(subscription.row.id, followed);
    if ("filter" in followed) index.add(subscription, followed.filter);
    else {
      const { watched } = followed;
      const key = tokenKey(watched.chainId, watched.rule.mint);
      watchedByToken.set(key, (watchedByToken.get(key) ?? new Set()).add(watched));
      if (watched.state === undefined) unbegun.add(watched);
    }
    if (earlier === undefined) deliverer.start(subscription);
    else deliverer.startAfter(subscription, earlier);
  }

  function remove(followed: Following): void {
    const { subscription } = followed;
    deliverer.retire(subscription);
    following.delete(subscription.row.id);
    if ("filter" in followed) index.remove(subscription, followed.filter);
    else {
      const key = tokenKey(followed.watched.chainId, followed.watched.rule.mint);
      const others = watchedByToken.get(key);
      others?.delete(followed.watched);
      unbegun.delete(followed.watched);
      if (others?.size === 0) watchedByToken.delete(key);
    }
  }

  /** Takes over what an owner has changed. What this process knows better than the row stays. */
  function load(row: AlertRow, rule: AlertRule): void {
    const previous = following.get(row.id);
    if (previous !== undefined) remove(previous);
    if (row.status === "ended" || row.status === "unverified") {
      saver.forget(row.id);
      return;
    }
    const followed = open(
      row,
      rule,
      previous !== undefined || row.is_behind || isLacking(row.id, row.position),
    );
    const { subscription } = followed;
    if (previous !== undefined) {
      const { subscription: earlier } = previous;
      // One that is behind reads from its row's place, which may be that of a replay.
      const isKnownBetter = !row.is_behind && earlier.row.position === row.position;
      if (isKnownBetter) subscription.position = placeOf(previous);
      if ("watched" in followed && "watched" in previous) followed.watched.state = previous.watched.state;
      subscription.recent = earlier.recent;
      const lacking = earlier.queue.flatMap(({ onSettled }) => onSettled ?? []);
      saver.save(subscription, lacking);
    }
    add(followed, previous?.subscription.run);
  }

  /** Where a receiver is, also if it has nothing on its way, so that this was not noted. */
  function placeOf(followed: Following): unknown {
    const { isBehind, queue, position: at, source } = followed.subscription;
    if (isBehind || "watched" in followed) return at;
    return source.latest(at, queue.length === 0 ? position : (queue[0]?.from ?? at));
  }

  /** Whether a condition has messages that its receiver lacks. */
  const isLacking = (id: string, at: string) => (newest.get(id) ?? 0) > Number(at);

  const reload = singleFlight(async () => {
    while (!isLost) {
      const rows = await store.readChanged(revision, changesSize);
      for (const row of rows) {
        try {
          load(row, alertRule.parse(row.rule));
        } catch (error) {
          // One that was sealed with another key must not stop the others.
          console.error(`alerts: ${row.id} can't be read: ${error instanceof Error ? error.message : error}`);
        }
        revision = row.revision;
      }
      if (rows.length < changesSize) break;
    }
    void advance().catch(report);
  });

  /** Begins conditions that are new, and stores from where. Not during an evaluation: neither of them would have its events. */
  async function begin(): Promise<void> {
    while (unbegun.size > 0 && !isLost) {
      const fresh = [...unbegun].slice(0, changesSize);
      await saveStates(evaluatedEvent, await beginConditions(db, fresh), []);
      for (const watched of fresh) unbegun.delete(watched);
    }
  }

  async function saveStates(
    event: number,
    states: ConditionStates,
    firings: Parameters<AlertStore["saveEvaluation"]>[3],
  ): Promise<void> {
    const rows = [...states].map(([id, state]) => ({ id, state }));
    const saved = await store.saveEvaluation(lease, event, rows, firings);
    if (saved === undefined) {
      isLost = true;
      return;
    }
    evaluatedEvent = Math.max(evaluatedEvent, event);
    for (const { id, state } of rows) {
      const followed = following.get(id);
      if (followed !== undefined && "watched" in followed) followed.watched.state = state;
    }
    for (const { subscription: id, ...firing } of saved) {
      newest.set(id, Number(firing.id));
      const followed = following.get(id);
      if (followed === undefined) continue;
      deliverer.push(followed.subscription, {
        message: toFiringMessage(id, firing),
        position: Number(firing.id),
      });
    }
  }

  function push(items: StreamItem[], start: StreamPosition): void {
    const page = { start, outstanding: 0 };
    for (const item of items) {
      const subscriptions = index.match(item);
      const at = parseCursor(item.cursor);
      if (at === undefined || subscriptions.length === 0) continue;
      const toMessage = prepareEventMessage(item);
      for (const subscription of subscriptions) {
        // It is ahead of what this process reads again after it took over.
        if (isAtOrAfter(subscription.position, at)) continue;
        page.outstanding++;
        const message = toMessage(subscription.row.id);
        const onSettled = () => void page.outstanding--;
        deliverer.push(subscription, { message, position: at, from: start, onSettled });
      }
    }
    if (page.outstanding > 0) pages.push(page);
  }

  const advance = singleFlight(async () => {
    if (isLost) return;
    await begin();
    const end = await readStreamEnd(db);
    if (end === undefined) return;
    while (!isLost && !isAtOrAfter(position, end)) {
      const start = position;
      const page = await readStreamPage(db, { after: start, upTo: end, filter: matchAll, limit: pageSize });
      // Also if events were pruned, or even all, while the page was read, which then lacks them.
      if (page.hasBegun || start.event < (await readOldestEvent(db, end)) - 1) {
        await skipTo(page.end);
        continue;
      }
      const evaluatedBefore = evaluatedEvent;
      const isNew = ({ kind, cursor }: StreamItem) =>
        kind !== "registered" && (parseCursor(cursor)?.event ?? 0) > evaluatedBefore;
      const { states, firings } = await evaluate(db, watchedByToken, page.items.filter(isNew));
      if (states.size > 0 || firings.length > 0) await saveStates(page.end.event, states, firings);
      if (isLost) return;
      evaluatedEvent = Math.max(evaluatedBefore, page.end.event);
      push(page.items, start);
      position = page.end;
    }
    advancedAt = performance.now();
  });

  /**
   * Goes on at a later place, because the journal lacks what comes before, or was begun anew. Every subscription reads from its own
   * place, and is told of the gap.
   */
  async function skipTo(end: StreamPosition): Promise<void> {
    const watched = [...following.values()].flatMap((followed) =>
      "watched" in followed ? [followed.watched] : [],
    );
    const gaps = watched.map(({ id }) => ({
      subscription: id,
      kind: "gap" as const,
      data: {
        reason: "The journal no longer has what came before: the condition begins with the current value.",
      },
    }));
    await saveStates(end.event, await beginConditions(db, watched), gaps);
    position = end;
    for (const followed of following.values()) {
      if ("filter" in followed) deliverer.fallBehind(followed.subscription);
    }
  }

  try {
    for (const { id, newest: last } of await store.readPending()) newest.set(id, last);
    await reload();
  } catch (error) {
    // Those that were read are sent by whoever takes the lease now.
    isLost = true;
    deliverer.stop();
    throw error;
  }

  return {
    advance,
    reload,
    async renew(): Promise<boolean> {
      const renewedAt = performance.now();
      // Taken before it is saved who is behind, and so lacks what comes before this position.
      const safe = formatCursor(safePosition());
      await saver.flush();
      if (isLost || !(await store.renewLease(lease, leaseSeconds, safe))) {
        isLost = true;
        return false;
      }
      leaseUntil = renewedAt + 1_000 * leaseSeconds;
      // Those that stopped while the lease could not be renewed.
      for (const { subscription } of following.values()) deliverer.start(subscription);
      return true;
    },
    /** Notes where those are that have had nothing to receive for long, before the journal no longer has that place. */
    notePositions(): void {
      for (const followed of following.values()) {
        const { subscription } = followed;
        if ("watched" in followed || subscription.isBehind) continue;
        subscription.position = placeOf(followed);
        saver.save(subscription, []);
      }
    },
    stop(): void {
      deliverer.stop();
    },
    async release(): Promise<void> {
      deliverer.stop();
      const safe = formatCursor(safePosition());
      await saver.flush();
      if (!isLost) await store.releaseLease(lease, safe);
      isLost = true;
    },
    state: () => ({
      following: following.size,
      behind: [...following.values()].filter(({ subscription }) => subscription.isBehind).length,
      failing: [...following.values()].filter(({ subscription }) => subscription.failures > 0).length,
      idleSeconds: Math.round((performance.now() - advancedAt) / 1_000),
    }),
  };
}
