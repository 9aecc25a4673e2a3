import { setImmediate as nextTick } from "node:timers/promises";
import { isAccepting } from "./accepting.ts";

/** While clients connect, requests wait for this many milliseconds, and then begin for as many. */
const phaseMs = 16;
/** Milliseconds of each tick of the event loop in which requests begin; the last one may take longer. */
const budgetMs = 0.5;

/**
 * Spreads the beginnings of requests over the ticks of the event loop, one of each client in turn. A client that sends a hundred at
 * once then doesn't make the next one wait for all of them, only for those that began already.
 */
export function createTurns() {
  /** The requests of each client that have not begun; the client whose turn it is comes first. */
  const waiting = new Map<string, (() => void)[]>();
  /** Whether a request has begun in this tick, or others wait. */
  let isBusy = false;

  function next(): (() => void) | undefined {
    for (const [client, requests] of waiting) {
      waiting.delete(client);
      const first = requests.shift();
      if (requests.length > 0) waiting.set(client, requests);
      return first;
    }
    return undefined;
  }

  async function run(): Promise<void> {
    await nextTick();
    for (;;) {
      // Node accepts one connection per tick, so a client that connects behind a crowd is kept waiting by all that happens meanwhile.
      const accepted = performance.now() + phaseMs;
      while (waiting.size > 0 && isAccepting() && performance.now() < accepted) await nextTick();
      const worked = performance.now() + phaseMs;
      do {
        const until = performance.now() + budgetMs;
        do {
          const begin = next();
          if (begin === undefined) {
            isBusy = false;
            return;
          }
          void Promise.resolve().then(begin);
          // Lets it run before the time is read.
          for (let microtask = 0; microtask < 3; microtask++) await undefined;
        } while (performance.now() < until);
        await nextTick();
      } while (!isAccepting() || performance.now() < worked);
    }
  }

  /** Calls `begin` at once if no other request began in this tick and nobody is connecting, else when it is the client's turn. */
  return (client: string, begin: () => void): void => {
    const isFirst = !isBusy;
    if (isFirst) {
      isBusy = true;
      void run();
      if (!isAccepting()) {
        begin();
        return;
      }
    }
    const requests = waiting.get(client);
    if (requests === undefined) waiting.set(client, [begin]);
    else requests.push(begin);
  };
}
