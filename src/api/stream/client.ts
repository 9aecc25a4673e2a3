import type { Writable } from "node:stream";

/** A connected client of the stream. */
export type StreamClient = {
  /** The response body. */
  body: ReadableStream<Uint8Array>;
  /** Aborted when the client is closed, by either side. */
  closed: AbortSignal;
  /** Queues bytes for the client, or cuts it off if too many are queued already. */
  send(bytes: Uint8Array): void;
  /** Resolves once the queue is empty or the client is closed. */
  drained(): Promise<void>;
  /** Ends the response after the queued bytes. */
  close(): void;
  /** Destroys the connection, dropping queued bytes. */
  destroy(): void;
};

/**
 * @param maxBytes the most bytes that may be queued in this process before the client is cut off
 * @param outgoing the underlying response, which buffers too, and knows when the connection is closed
 */
export function createStreamClient(maxBytes: number, outgoing: Writable | undefined): StreamClient {
  const closing = new AbortController();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let drain: PromiseWithResolvers<void> | undefined;

  function settle(): void {
    drain?.resolve();
    drain = undefined;
  }

  function handleClose(): void {
    outgoing?.off("close", handleClose);
    closing.abort();
    settle();
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(streamController) {
        controller = streamController;
      },
      pull: settle,
      cancel: handleClose,
    },
    // No read-ahead, so that the queue holds exactly what is waiting.
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  outgoing?.once("close", handleClose);
  if (outgoing?.destroyed === true) handleClose();

  function destroy(): void {
    if (closing.signal.aborted) return;
    handleClose();
    if (outgoing === undefined) controller?.error(new Error("the client reads too slowly"));
    else outgoing.destroy();
  }

  const queuedBytes = () => -(controller?.desiredSize ?? 0);
  const bufferedBytes = () => queuedBytes() + (outgoing?.writableLength ?? 0);

  return {
    body,
    closed: closing.signal,
    send(bytes) {
      if (closing.signal.aborted) return;
      if (bufferedBytes() <= maxBytes) controller?.enqueue(bytes);
      else destroy();
    },
    async drained() {
      if (closing.signal.aborted || queuedBytes() === 0) return;
      drain ??= Promise.withResolvers();
      await drain.promise;
    },
    close() {
      if (closing.signal.aborted) return;
      handleClose();
      controller?.close();
    },
    destroy,
  };
}
