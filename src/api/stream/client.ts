import type { Writable } from "node:stream";

/** A client of the stream, from when it has connected until it is closed. */
export type StreamClient = {
  /** What it reads. */
  body: ReadableStream<Uint8Array>;
  /** Aborted when it is closed, by whomever. */
  closed: AbortSignal;
  /** Queues bytes for it; or closes it, when too much waits already. */
  send(bytes: Uint8Array): void;
  /** Resolves once what was sent is on its way, or the client is closed. */
  drained(): Promise<void>;
  /** Ends the answer. */
  close(): void;
  /** Ends the connection, without waiting for what is queued. */
  cut(): void;
};

/**
 * @param mostBytes may wait in this process before the client is cut off
 * @param outgoing the response beneath, which buffers too and knows when the connection is gone
 */
export function createStreamClient(mostBytes: number, outgoing: Writable | undefined): StreamClient {
  const closing = new AbortController();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let drain: PromiseWithResolvers<void> | undefined;

  function settle(): void {
    drain?.resolve();
    drain = undefined;
  }

  function gone(): void {
    outgoing?.off("close", gone);
    closing.abort();
    settle();
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull: settle,
      cancel: gone,
    },
    // Nothing is wanted before it is asked for, so that what is queued is all that waits.
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  outgoing?.once("close", gone);
  if (outgoing?.destroyed === true) gone();

  function cut(): void {
    if (closing.signal.aborted) return;
    gone();
    if (outgoing === undefined) controller?.error(new Error("the client reads too slowly"));
    else outgoing.destroy();
  }

  const queued = () => -(controller?.desiredSize ?? 0);
  const waiting = () => queued() + (outgoing?.writableLength ?? 0);

  return {
    body,
    closed: closing.signal,
    send(bytes) {
      if (closing.signal.aborted) return;
      if (waiting() <= mostBytes) controller?.enqueue(bytes);
      else cut();
    },
    async drained() {
      if (closing.signal.aborted || queued() === 0) return;
      drain ??= Promise.withResolvers();
      await drain.promise;
    },
    close() {
      if (closing.signal.aborted) return;
      gone();
      controller?.close();
    },
    cut,
  };
}
