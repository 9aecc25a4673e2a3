import { setTimeout as delay, setImmediate as yieldToEventLoop } from "node:timers/promises";
import { FairQueue } from "../../../salt-search/fair-queue.ts";
import { createUsage, type Use } from "./usage.ts";

/** The most ticks that work waits for connections, so that a client that keeps connecting can't hold it up. */
const maxTicks = 16;

let accepted = 0;
let isConnecting = false;

/**
 * Call this for each accepted connection. Node accepts one connection per tick of its event loop, so a client that connects
 * behind a crowd waits one tick for each connection before it. Those ticks must therefore be short.
 */
export function noteAccepted(): void {
  accepted++;
  if (!isConnecting) void waitForIdleTick();
}

/** As long as each tick brings a connection, more may be waiting. */
async function waitForIdleTick(): Promise<void> {
  isConnecting = true;
  await yieldToEventLoop();
  for (let lastAccepted = 0; lastAccepted < accepted; ) {
    lastAccepted = accepted;
    await yieldToEventLoop();
  }
  isConnecting = false;
}

/** Whether connections are being accepted. */
const isAccepting = () => isConnecting;

/** Returns undefined if nobody is connecting; otherwise resolves once all are accepted, after 16 ticks at the latest. */
export function whenAccepted(): Promise<void> | undefined {
  return isConnecting ? waitForAll() : undefined;
}

async function waitForAll(): Promise<void> {
  for (let ticks = 0; ticks < maxTicks && isConnecting; ticks++) await yieldToEventLoop();
}

/** Resolves once all that has begun has ended, or waits for I/O or a timer: `nextTick` comes after all microtasks. */
const untilAllWait = () => new Promise<void>((resolve) => process.nextTick(resolve));

/** While clients connect, requests wait for this many milliseconds, and then begin for as many. */
const phaseMs = 16;
/** Milliseconds of each tick of the event loop in which requests begin; the last one may take longer. */
const budgetMs = 0.5;
/** How often a request that can wait begins although others wait or clients connect. */
const patienceMs = 20;

type Beginning = { use: Use; since: number; begin: () => void; isPatient: boolean };

/**
 * Spreads the beginnings of requests over the ticks of the event loop. The client whose beginnings took the least time lately comes
 * first: a hundred requests, of one client or of as many, then don't make the next one wait for all of them. Those that can wait come last.
 */
export function createTurns() {
  /** The requests that have not begun, and those that can wait. */
  const waiting = new FairQueue<Beginning>();
  const patient = new FairQueue<Beginning>();
  /** When the next of those that can wait begins at the latest. */
  let patientUntil = 0;
  const usage = createUsage();

  function takeNext(): Beginning | undefined {
    const now = performance.now();
    const overdue = now < patientUntil ? undefined : patient.shift();
    const next =
      overdue ?? waiting.shift(undefined, usage.rank) ?? (isAccepting() ? undefined : patient.shift());
    if (next?.isPatient === true) patientUntil = now + patienceMs;
    return next;
  }

  /** Whether a request has begun in this tick, or others wait. */
  let isBusy = false;

  async function run(): Promise<void> {
    await yieldToEventLoop();
    for (;;) {
      // Node accepts one connection per tick, so a client that connects behind a crowd is kept waiting by all that happens meanwhile.
      const accepted = performance.now() + phaseMs;
      while (waiting.weight + patient.weight > 0 && isAccepting() && performance.now() < accepted)
        await yieldToEventLoop();
      const worked = performance.now() + phaseMs;
      do {
        if (waiting.weight + patient.weight === 0) {
          isBusy = false;
          return;
        }
        const until = performance.now() + budgetMs;
        do {
          const next = takeNext();
          if (next === undefined) break;
          const begunAt = performance.now();
          void Promise.resolve().then(next.begin);
          await untilAllWait();
          usage.add(next.use, performance.now() - begunAt);
        } while (performance.now() < until);
        await yieldToEventLoop();
      } while (!isAccepting() || performance.now() < worked);
    }
  }

  /** Calls `begin` at once if no other request began in this tick and nobody is connecting, else when it is the client's turn. */
  return (client: string, begin: () => void, { isPatient = false } = {}): void => {
    const isFirst = !isBusy;
    if (isFirst) {
      isBusy = true;
      void run();
      if (!isAccepting()) {
        begin();
        return;
      }
    }
    const now = performance.now();
    if (isPatient && patient.weight === 0) patientUntil = now + patienceMs;
    (isPatient ? patient : waiting).push(client, { use: usage.of(client), since: now, begin, isPatient });
  };
}

type TickBudgetOptions = {
  /** Milliseconds of each tick in which callers run one after the other without waiting. Default: one caller per tick. */
  budgetMs?: number;
};

/** After work that held the event loop for longer, in milliseconds, the next caller waits for as long again. */
const longMs = 5;

/**
 * Spreads work that blocks the event loop for some milliseconds over its ticks: in each tick, the returned function resolves
 * for one caller, or for as many as fit the budget. A hundred at once then don't make everyone else wait for all of them. Long work
 * takes half of the time at most: a request needs some ten ticks, and would wait for such work in each of them. The clients that
 * callers name take turns.
 */
export function createTickBudget({
  budgetMs = 0,
}: TickBudgetOptions = {}): (client?: string) => Promise<void> {
  const waiting = new FairQueue<() => void>();
  let isDraining = false;
  /** When this tick's budget is used up; undefined until the first caller has run in it. */
  let until: number | undefined;
  /** When the pause after long work ends. */
  let pausedUntil = 0;

  function isInBudget(): boolean {
    if (until !== undefined) return performance.now() < until;
    until = performance.now() + budgetMs;
    setImmediate(() => {
      until = undefined;
    });
    return true;
  }

  async function drain(): Promise<void> {
    isDraining = true;
    while (waiting.weight > 0) {
      const pauseMs = pausedUntil - performance.now();
      if (pauseMs > 0) await delay(pauseMs);
      await whenAccepted();
      if (budgetMs === 0) await yieldToEventLoop();
      else while (!isInBudget()) await yieldToEventLoop();
      const begunAt = performance.now();
      waiting.shift()?.();
      // Lets that caller run before the next one's turn.
      for (let microtask = 0; microtask < 3; microtask++) await undefined;
      const endedAt = performance.now();
      if (endedAt - begunAt > longMs) pausedUntil = 2 * endedAt - begunAt;
    }
    isDraining = false;
  }

  return (client = "") =>
    new Promise<void>((resolve) => {
      waiting.push(client, resolve);
      if (!isDraining) void drain();
    });
}
