import { setImmediate as yieldToEventLoop } from "node:timers/promises";
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

/** While clients connect, requests wait for this many milliseconds, and then begin for as many. */
const phaseMs = 16;
/** Milliseconds of each tick of the event loop in which requests begin; the last one may take longer. */
const budgetMs = 0.5;
/** Requests that can wait do so as if their client had used this many milliseconds more: behind all others for up to 5 s. */
const patienceMs = 250;
/** They also wait this long, at most, for clients that connect, since some of those have other requests. */
const maxCrowdMs = 2_000;

type Beginning = { use: Use; since: number; begin: () => void; isPatient: boolean };

/**
 * Spreads the beginnings of requests over the ticks of the event loop. The client whose beginnings took the least time lately comes
 * first: a hundred requests, of one client or of as many, then don't make the next one wait for all of them. Those that can wait come last.
 */
export function createTurns() {
  /** The requests that have not begun. */
  const waiting = new FairQueue<Beginning>();
  const usage = createUsage();
  function rank(beginning: Beginning, now: number): number {
    if (!beginning.isPatient) return usage.rank(beginning, now);
    const letsOthersConnect = isAccepting() && now - beginning.since < maxCrowdMs;
    return letsOthersConnect ? Number.POSITIVE_INFINITY : usage.rank(beginning, now) + patienceMs;
  }
  /** Whether a request has begun in this tick, or others wait. */
  let isBusy = false;

  async function run(): Promise<void> {
    await yieldToEventLoop();
    for (;;) {
      // Node accepts one connection per tick, so a client that connects behind a crowd is kept waiting by all that happens meanwhile.
      const accepted = performance.now() + phaseMs;
      while (waiting.weight > 0 && isAccepting() && performance.now() < accepted) await yieldToEventLoop();
      const worked = performance.now() + phaseMs;
      do {
        if (waiting.weight === 0) {
          isBusy = false;
          return;
        }
        const until = performance.now() + budgetMs;
        do {
          const next = waiting.shift(undefined, rank);
          if (next === undefined) break;
          const begunAt = performance.now();
          void Promise.resolve().then(next.begin);
          // Lets it run before the time is read.
          for (let microtask = 0; microtask < 3; microtask++) await undefined;
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
    // Otherwise the client's own requests would wait behind its patient ones.
    const line = isPatient ? `${client} patient` : client;
    waiting.push(line, { use: usage.of(client), since: performance.now(), begin, isPatient });
  };
}

type TickBudgetOptions = {
  /** Milliseconds of each tick in which callers run one after the other without waiting. Default: one caller per tick. */
  budgetMs?: number;
};

/**
 * Spreads work that blocks the event loop for some milliseconds over its ticks: in each tick, the returned function resolves
 * for one caller, or for as many as fit the budget. A hundred at once then don't make everyone else wait for all of them.
 */
export function createTickBudget({ budgetMs = 0 }: TickBudgetOptions = {}): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isDraining = false;
  /** When this tick's budget is used up; undefined until the first caller has run in it. */
  let until: number | undefined;

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
    while (waiting.length > 0) {
      await whenAccepted();
      if (budgetMs === 0) await yieldToEventLoop();
      else while (!isInBudget()) await yieldToEventLoop();
      waiting.shift()?.();
      // Lets that caller run before the next one's turn.
      for (let microtask = 0; microtask < 3; microtask++) await undefined;
    }
    isDraining = false;
  }

  return () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (!isDraining) void drain();
    });
}
