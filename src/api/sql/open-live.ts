import type { Context } from "hono";
import { hangUpOf } from "../concurrency/share-fairly.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { ProblemException } from "../http/problem.ts";
import type { Statement } from "./check-statement.ts";
import { liveLimits } from "./limits.ts";
import type { LiveStatements } from "./live-statements.ts";

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  // For nginx, which would else keep events back until it has enough of them.
  "x-accel-buffering": "no",
  connection: "close",
};

const heartbeatMs = 15_000;

/** Live queries by address, of all servers that Ponder starts in this process. */
const openedBy = new Map<string, number>();

function change(address: string, by: 1 | -1): void {
  const left = (openedBy.get(address) ?? 0) + by;
  if (left > 0) openedBy.set(address, left);
  else openedBy.delete(address);
}

/** Answers with a stream of events: the rows of a statement, now and whenever they have changed. */
export async function openLive(
  c: Context,
  { live, statement, trustedHops }: { live: LiveStatements; statement: Statement; trustedHops: number },
): Promise<Response> {
  const address = clientKey(clientIp(c, trustedHops));
  if ((openedBy.get(address) ?? 0) >= liveLimits.perAddress) throw tooMany();
  change(address, 1);
  const hangUp = hangUpOf(c);
  const events = createEvents();
  const ending = AbortSignal.any([hangUp, events.closed]);
  try {
    const { answer, leave } = await live.follow(statement, events, hangUp);
    const heartbeat = setInterval(events.beat, heartbeatMs).unref();
    const end = () => {
      clearInterval(heartbeat);
      leave();
      change(address, -1);
      events.end();
    };
    if (ending.aborted) end();
    else ending.addEventListener("abort", end, { once: true });
    events.show(answer);
  } catch (error) {
    change(address, -1);
    throw error;
  }
  return c.body(events.body, 200, headers);
}

/** Events for a client that may read slowly: of answers that it has not taken, it gets the last one alone. */
function createEvents() {
  const closing = new AbortController();
  const encoder = new TextEncoder();
  let waiting: string | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isWanted = false;

  function send(): void {
    if (!isWanted || waiting === undefined || closing.signal.aborted) return;
    const next = waiting;
    // The next one may be wanted before this call returns.
    isWanted = false;
    waiting = undefined;
    controller?.enqueue(encoder.encode(next));
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull() {
        isWanted = true;
        send();
      },
      cancel: () => closing.abort(),
    },
    { highWaterMark: 1 },
  );

  return {
    body,
    closed: closing.signal,
    show(answer: string) {
      waiting = `data: ${answer}\n\n`;
      send();
    },
    beat() {
      waiting ??= ":\n\n";
      send();
    },
    end() {
      if (!closing.signal.aborted) {
        closing.abort();
        controller?.close();
      }
    },
  };
}

function tooMany(): ProblemException {
  return new ProblemException({
    status: 429,
    code: "too_many_streams",
    title: "Too many streams",
    detail: `Your address follows ${liveLimits.perAddress} live queries, which is as many as it may: end one first.`,
    retryAfter: 30,
  });
}
