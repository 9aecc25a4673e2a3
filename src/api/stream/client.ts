import type { Writable } from "node:stream";

export type StreamClient = ReturnType<typeof createStreamClient>;

/**
 * A connected client of the stream.
 *
 * @param maxBytes the most bytes that may be queued in this process before the client is cut off
 * @param outgoing the underlying response, which buffers too, and knows when the connection is closed
 */
export function createStreamClient(maxBytes: number, outgoing: Writable | undefined) {
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

  /** Destroys the connection, dropping queued bytes. */
  function destroy(): void {
    if (closing.signal.aborted) return;
    handleClose();
    if (outgoing === undefined) controller?.error(new Error("the client reads too slowly"));
    else outgoing.destroy();
  }

  const queuedBytes = () => -(controller?.desiredSize ?? 0);
  const bufferedBytes = () => queuedBytes() + (outgoing?.writableLength ?? 0);

  return {
    /** The response body. */
    body,
    /** Aborted when the client is closed, by either side. */
    closed: closing.signal,
    /** Returns the number of bytes that the client has not taken yet, apart from those that the response buffers. */
    queuedBytes,
    /** Queues bytes for the client, or cuts it off if too many are queued already. */
    send(bytes: Uint8Array): void {
      if (closing.signal.aborted) return;
      if (bufferedBytes() <= maxBytes) controller?.enqueue(bytes);
      else destroy();
    },
    /** Resolves once the queue is empty or the client is closed. */
    async drained(): Promise<void> {
      if (closing.signal.aborted || queuedBytes() === 0) return;
      drain ??= Promise.withResolvers();
      await drain.promise;
    },
    /** Ends the response after the queued bytes. */
    close(): void {
      if (closing.signal.aborted) return;
      handleClose();
      controller?.close();
    },
    destroy,
  };
}

/**
 * Limits the clients of a process. When the limit is reached, the address with the most clients loses its oldest one to an address
 * with fewer, so that nobody can keep everyone else out.
 */
export function createClientLimit(max: number) {
  /** Each address's clients, the oldest first. */
  const addresses = new Map<string, Set<StreamClient>>();
  let taken = 0;

  const count = (address: string) => addresses.get(address)?.size ?? 0;

  function leave(address: string, client: StreamClient): void {
    taken--;
    addresses.get(address)?.delete(client);
    if (count(address) === 0) addresses.delete(address);
  }

  return {
    /** Returns the number of clients of an address. */
    count,
    /** Returns whether there is a place for one more client of the address, cutting off another client if necessary. */
    makeRoom(address: string): boolean {
      if (taken < max) return true;
      let largest = new Set<StreamClient>();
      for (const clients of addresses.values()) if (clients.size > largest.size) largest = clients;
      // With no more than this, the two addresses would keep taking the place from each other.
      if (largest.size <= count(address) + 1) return false;
      const [oldest] = largest;
      oldest?.destroy();
      return true;
    },
    /** Gives the client a place until it is closed. */
    add(address: string, client: StreamClient): void {
      taken++;
      const clients = addresses.get(address) ?? new Set();
      addresses.set(address, clients.add(client));
      client.closed.addEventListener("abort", () => leave(address, client), { once: true });
    },
  };
}
