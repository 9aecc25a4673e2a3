import type { Context } from "hono";
import { hangUpSignal } from "../concurrency/share-fairly.ts";
import { clientIp, clientKey } from "../http/client-ip.ts";
import { ProblemException } from "../http/problem.ts";
import type { Statement } from "./check-statement.ts";
import { liveLimits } from "./limits.ts";
import type { LiveStatements } from "./live-statements.ts";

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  // Keeps nginx from buffering events.
  "x-accel-buffering": "no",
  connection: "close",
};

const heartbeatMs = 15_000;

/** The number of live queries by address, for all servers that Ponder starts in this process. */
const openStreams = new Map<string, number>();

function adjustOpenStreams(address: string, by: 1 | -1): void {
  const left = (openStreams.get(address) ?? 0) + by;
  if (left > 0) openStreams.set(address, left);
  else openStreams.delete(address);
}

/** Responds with a stream of events: a statement's rows now, and again whenever they change. */
export async function openLive(
  c: Context,
  { live, statement, trustedHops }: { live: LiveStatements; statement: Statement; trustedHops: number },
): Promise<Response> {
  const address = clientKey(clientIp(c, trustedHops));
  if ((openStreams.get(address) ?? 0) >= liveLimits.perAddress) throw tooMany();
  adjustOpenStreams(address, 1);
  const hangUp = hangUpSignal(c);
  const events = createEvents();
  const ending = AbortSignal.any([hangUp, events.closed]);
  try {
    const { answer, unsubscribe } = await live.subscribe(statement, events, hangUp);
    const heartbeat = setInterval(events.beat, heartbeatMs).unref();
    const end = () => {
      clearInterval(heartbeat);
      unsubscribe();
      adjustOpenStreams(address, -1);
      events.end();
    };
    if (ending.aborted) end();
    else ending.addEventListener("abort", end, { once: true });
    events.send(answer);
  } catch (error) {
    adjustOpenStreams(address, -1);
    throw error;
  }
  return c.body(events.body, 200, headers);
}

/** An event stream that keeps only the latest result for a client that reads slowly. */
function createEvents() {
  const closing = new AbortController();
  const encoder = new TextEncoder();
  let pending: string | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let hasDemand = false;

  function flush(): void {
    if (!hasDemand || pending === undefined || closing.signal.aborted) return;
    const next = pending;
    // enqueue() may pull the next event before it returns.
    hasDemand = false;
    pending = undefined;
    controller?.enqueue(encoder.encode(next));
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull() {
        hasDemand = true;
        flush();
      },
      cancel: () => closing.abort(),
    },
    { highWaterMark: 1 },
  );

  return {
    body,
    closed: closing.signal,
    send(answer: string) {
      pending = `data: ${answer}\n\n`;
      flush();
    },
    beat() {
      pending ??= ":\n\n";
      flush();
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
    detail: `Your address has ${liveLimits.perAddress} live queries open, which is the limit: close one first.`,
    retryAfter: 30,
  });
}
