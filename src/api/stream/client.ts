import type { Writable } from "node:stream";

export type StreamClient = ReturnType<typeof createStreamClient>;

/** Shared by all clients, since an error of its own would record the stack for each. */
const gone = new Error("the stream is closed");

/**
 * A connected client of the stream.
 *
 * @param maxBytes the most bytes that may be queued in this process before the client is cut off
 * @param outgoing what the client reads, which buffers too, and knows when the connection is closed
 */
export function createStreamClient(maxBytes: number, outgoing: Writable) {
  const closing = new AbortController();
  /** What `outgoing` has not taken yet. */
  const queue: Uint8Array[] = [];
  let queuedBytes = 0;
  let hasStarted = false;
  let drain: PromiseWithResolvers<void> | undefined;

  function settle(): void {
    drain?.resolve();
    drain = undefined;
  }

  function flush(): void {
    while (hasStarted && queue.length > 0 && !outgoing.writableNeedDrain) {
      const bytes = queue.shift() as Uint8Array;
      queuedBytes -= bytes.length;
      outgoing.write(bytes);
    }
    if (queuedBytes > 0) return;
    settle();
    if (hasStarted && closing.signal.aborted) outgoing.end();
  }

  function leave(): void {
    closing.abort(gone);
    queue.length = 0;
    queuedBytes = 0;
    settle();
  }

  outgoing.on("drain", flush);
  outgoing.once("close", leave);
  if (outgoing.destroyed) leave();

  /** Destroys the connection, dropping queued bytes. */
  function destroy(): void {
    if (closing.signal.aborted) return;
    leave();
    outgoing.destroy();
  }

  return {
    /** Aborted when the client is closed, by either side. */
    closed: closing.signal,
    /** Returns the number of bytes that wait here, apart from those that `outgoing` buffers. */
    queuedBytes: () => queuedBytes,
    /** Begins to write: until then, everything is queued. */
    start(): void {
      hasStarted = true;
      flush();
    },
    /** Queues bytes for the client, or cuts it off if too many are queued already. */
    send(bytes: Uint8Array): void {
      if (closing.signal.aborted) return;
      if (queuedBytes + outgoing.writableLength > maxBytes) {
        destroy();
        return;
      }
      queue.push(bytes);
      queuedBytes += bytes.length;
      flush();
    },
    /** Resolves once the queue is empty or the client is closed. */
    async drained(): Promise<void> {
      if (closing.signal.aborted || queuedBytes === 0) return;
      drain ??= Promise.withResolvers();
      await drain.promise;
    },
    /** Ends the response after the queued bytes. */
    close(): void {
      if (closing.signal.aborted) return;
      closing.abort(gone);
      settle();
      flush();
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
