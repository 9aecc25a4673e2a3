import type { AlertAttempt, AlertProgress, AlertRow } from "../../../offchain/alert-store.ts";
import { createFairSemaphore } from "../concurrency/semaphore.ts";
import { type Attempt, PostponedError } from "./attempts.ts";
import type { AlertMessage } from "./messages.ts";
import { toBody } from "./messages.ts";
import { openReceiver, type Receiver } from "./receiver-secrets.ts";
import { report } from "./report.ts";

/** A message on its way, and where its receiver is once it has it. */
export type Pending<Position> = {
  message: AlertMessage;
  position: Position;
  /** Where a receiver was that had everything before it and what was pushed along with it. */
  from?: Position;
  /** Called once the message is delivered, or the subscription is known to be behind. */
  onSettled?: () => void;
};

/** Where a subscription's messages come from. */
export type MessageSource<Position> = {
  /** Reads the next messages after a position, and where the receiver is after them. */
  read(position: Position): Promise<{ pending: Pending<Position>[]; end: Position }>;
  /** Whether nothing after this position has been pushed yet. */
  isAtEnd(position: Position): boolean;
  /** The later one of two positions. */
  latest(left: Position, right: Position): Position;
  format(position: Position): string;
};

export type Subscription<Position> = {
  row: AlertRow;
  receiver: Receiver;
  source: MessageSource<Position>;
  /** Everything up to here is delivered. */
  position: Position;
  /** Whether it reads its messages from the source. Else they are pushed into its queue. */
  isBehind: boolean;
  queue: Pending<Position>[];
  status: "active" | "paused";
  reason: string | null;
  failures: number;
  failingSince: number | undefined;
  retryAt: number | undefined;
  recent: AlertAttempt[];
  /** The run that sends its messages, one after the other. */
  run: Promise<void> | undefined;
  /** Aborted once it is replaced or removed. */
  retired: AbortController;
  timer: NodeJS.Timeout | undefined;
};

/** A subscription with any kind of position. */
// biome-ignore lint/suspicious/noExplicitAny: positions stay with the source that made them.
export type AnySubscription = Subscription<any>;

const maxQueued = 200;
const keptAttempts = 20;
const firstRetryMs = 5_000;
const maxRetryMs = 3_600_000;
const giveUpMs = 72 * 3_600_000;
/**
 * Pages of the journal that are read at a time for those that are behind, whose wallets take turns: half of the connections, so that
 * replays of a week keep neither new events nor the lease waiting.
 */
const maxReads = 2;
const maxReadWaitMs = 60_000;

/** The pause after so many failures in a row: 5 s, three times as long after each, one hour at most; up to a fifth longer at random. */
export function retryPause(failures: number, random = Math.random()): number {
  const pause = Math.min(maxRetryMs, firstRetryMs * 3 ** Math.min(failures - 1, 20));
  return Math.round(pause * (1 + random / 5));
}

/**
 * Milliseconds until a receiver may be tried again. A time that is further off than any pause, or any `Retry-After`, was noted before the
 * clock was set back: it counts as over, since it may be years off.
 */
function pauseLeft({ retryAt = 0 }: Pick<AnySubscription, "retryAt">): number {
  const left = retryAt - Date.now();
  return left > 2 * maxRetryMs ? 0 : Math.max(0, left);
}

type DelivererOptions = {
  attempt: Attempt;
  /** Milliseconds for which this process may still send. */
  leaseLeft: () => number;
  /** Saves what was delivered, then calls these callbacks. A later call for the same subscription replaces an earlier one. */
  save: (subscription: AnySubscription, onSaved: (() => void)[]) => void;
  onAttempt: (attempt: AlertAttempt) => void;
};

/**
 * Sends each subscription's messages one after the other, so that they arrive in order. A receiver that fails is tried again with
 * growing pauses for 72 hours; then its subscription is paused, and keeps its place.
 */
export function createDeliverer({ attempt, leaseLeft, save, onAttempt }: DelivererOptions) {
  let isStopped = false;
  const limitReads = createFairSemaphore({
    concurrency: maxReads,
    maxPerClient: maxReads,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitMs: maxReadWaitMs,
    refuse: () => new PostponedError(1_000),
  });

  const isRetired = ({ retired }: AnySubscription) => retired.signal.aborted;

  const isRunnable = (subscription: AnySubscription) =>
    !isStopped && !isRetired(subscription) && subscription.status === "active" && leaseLeft() > 0;

  /** Makes a subscription read its messages again, after something went wrong with those that were pushed. */
  function fallBehind(subscription: AnySubscription): void {
    const lacking = subscription.queue.splice(0);
    const [first] = lacking;
    if (first?.from !== undefined) {
      subscription.position = subscription.source.latest(subscription.position, first.from);
    }
    subscription.isBehind = true;
    save(
      subscription,
      lacking.flatMap(({ onSettled }) => onSettled ?? []),
    );
  }

  async function run(subscription: AnySubscription): Promise<void> {
    const { row, source, queue, retired } = subscription;
    while (isRunnable(subscription) && pauseLeft(subscription) === 0) {
      if (!subscription.isBehind) {
        if (queue.length === 0) return;
        await sendQueue(subscription, queue);
        continue;
      }
      const read = async () =>
        isRunnable(subscription) ? await source.read(subscription.position) : undefined;
      const page = await limitReads(row.owner, read, retired.signal);
      if (page === undefined || isRetired(subscription)) return;
      const { pending, end } = page;
      await sendQueue(subscription, pending);
      if (pending.length > 0) continue;
      subscription.position = end;
      // Nothing may be awaited between this check and the change, or what is pushed in between would be lost.
      if (!source.isAtEnd(end)) continue;
      subscription.isBehind = false;
      save(subscription, []);
      return;
    }
  }

  /** Sends messages until there are no more, or until a failure. Removes those that are delivered. */
  async function sendQueue(subscription: AnySubscription, queue: Pending<unknown>[]): Promise<void> {
    const { row, source } = subscription;
    while (queue.length > 0 && isRunnable(subscription)) {
      const sent = queue.slice(0, row.batch);
      const [first, last] = [sent[0], sent.at(-1)];
      if (first === undefined || last === undefined) return;
      const { id, body } = toBody(
        sent.map(({ message }) => message),
        row.batch > 1,
      );
      const at = new Date().toISOString();
      const { position } = subscription;
      const {
        answer: _,
        retryAfter,
        ...result
      } = await attempt(subscription.receiver, id, body, Date.now() + leaseLeft());
      if (isRetired(subscription)) return;
      const attempted = {
        at,
        first: first.message.id,
        last: last.message.id,
        from: source.format(position),
        ...result,
      };
      subscription.recent = [attempted, ...subscription.recent].slice(0, keptAttempts);
      onAttempt(attempted);
      if (result.error !== null) {
        fail(subscription, result.status, retryAfter);
        return;
      }
      subscription.position = last.position;
      subscription.failures = 0;
      subscription.failingSince = undefined;
      subscription.retryAt = undefined;
      save(
        subscription,
        sent.flatMap(({ onSettled }) => onSettled ?? []),
      );
      // Too many were pushed meanwhile, so that all of them are read again, after these.
      if (queue[0] !== first) return;
      queue.splice(0, sent.length);
    }
  }

  function fail(subscription: AnySubscription, status: number | null, retryAfter: number): void {
    subscription.failures++;
    subscription.failingSince ??= Date.now();
    if (status === 410) pauseDelivery(subscription, "gone");
    else if (Date.now() - subscription.failingSince >= giveUpMs) pauseDelivery(subscription, "failing");
    else {
      const pause = Math.max(retryPause(subscription.failures), 1_000 * retryAfter);
      subscription.retryAt = Date.now() + pause;
      wakeUp(subscription);
    }
    fallBehind(subscription);
  }

  function pauseDelivery(subscription: AnySubscription, reason: string): void {
    subscription.status = "paused";
    subscription.reason = reason;
    subscription.retryAt = undefined;
  }

  /** Runs the subscription when its pause is over. */
  function wakeUp(subscription: AnySubscription): void {
    clearTimeout(subscription.timer);
    subscription.timer = setTimeout(() => start(subscription), pauseLeft(subscription));
    subscription.timer.unref();
  }

  /** Sends a subscription's messages, unless that is going on already. */
  function start(subscription: AnySubscription): void {
    if (subscription.run !== undefined || !isRunnable(subscription)) return;
    if (!subscription.isBehind && subscription.queue.length === 0) return;
    if (pauseLeft(subscription) > 0) {
      wakeUp(subscription);
      return;
    }
    subscription.run = run(subscription)
      .catch((error: unknown) => {
        // It waited for its turn to read.
        if (error === subscription.retired.signal.reason) return;
        if (!(error instanceof PostponedError)) report(error);
        // What has replaced it has its place and its queue.
        if (isRetired(subscription)) return;
        // The database failed, or it is not this host's turn: what was in the queue is read again.
        fallBehind(subscription);
        const pause = error instanceof PostponedError ? error.milliseconds : 1_000;
        subscription.timer = setTimeout(() => start(subscription), pause).unref();
      })
      .finally(() => {
        subscription.run = undefined;
        if (subscription.queue.length > 0) start(subscription);
      });
  }

  return {
    start,
    /** Sends a subscription's messages after an earlier run has ended. */
    startAfter(subscription: AnySubscription, earlier: Promise<void>): void {
      subscription.run = earlier.finally(() => {
        subscription.run = undefined;
        start(subscription);
      });
    },
    /** Makes a subscription read its messages from its own place. */
    fallBehind(subscription: AnySubscription): void {
      fallBehind(subscription);
      start(subscription);
    },
    /** Queues a new message. A receiver that can't keep up reads it from the journal later. */
    push(subscription: AnySubscription, pending: Pending<unknown>): void {
      if (subscription.isBehind || subscription.status !== "active") {
        pending.onSettled?.();
        return;
      }
      subscription.queue.push(pending);
      if (subscription.queue.length > maxQueued) fallBehind(subscription);
      start(subscription);
    },
    /** Stops sending to a subscription that was changed or ended. */
    retire(subscription: AnySubscription): void {
      subscription.retired.abort();
      clearTimeout(subscription.timer);
    },
    stop(): void {
      isStopped = true;
    },
  };
}

/** What to store of a subscription. */
export function toProgress(subscription: AnySubscription): AlertProgress {
  const { row, position, source, isBehind, failures, failingSince, retryAt, recent, status, reason } =
    subscription;
  const iso = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());
  return {
    id: row.id,
    revision: row.revision,
    status,
    reason,
    position: source.format(position),
    is_behind: isBehind,
    failures,
    failing_since: iso(failingSince),
    retry_at: iso(retryAt),
    recent,
  };
}

/** The subscription of a stored row. Throws if the operator's key is another one. */
export function openSubscription<Position>(
  key: Buffer,
  row: AlertRow,
  parts: Pick<Subscription<Position>, "position" | "source" | "isBehind">,
): Subscription<Position> {
  return {
    ...parts,
    row,
    receiver: openReceiver(key, row),
    queue: [],
    status: row.status === "active" ? "active" : "paused",
    reason: row.reason,
    failures: row.failures,
    failingSince: row.failing_since?.getTime(),
    retryAt: row.retry_at?.getTime(),
    recent: row.recent,
    run: undefined,
    retired: new AbortController(),
    timer: undefined,
  };
}
