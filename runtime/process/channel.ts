import type { ChildProcess, SendHandle, Serializable } from "node:child_process";
import { ignore, unlessAborted, within } from "../../config/async.ts";

/** Node's raw socket handle, which can be passed to another process without reading from it. */
export type RawHandle = { close(): void };

export type Message = { kind: string; [field: string]: unknown };

type Listener = (message: Message, handle: RawHandle | undefined) => void;

/** Messages between a process and its parent or child. Each message may carry a socket. */
export type Channel = {
  /** Resolves once the message is sent. The sender keeps its copy of the socket. Throws if the other process is gone. */
  send(message: Message, handle?: RawHandle): Promise<void>;
  /** Calls the listener with each message until the returned function is called. */
  listen(listener: Listener): () => void;
};

/** @param process a child that was started with a channel, or this process if it is such a child */
export function channelOf(process: ChildProcess | NodeJS.Process): Channel {
  return {
    send: (message, handle) =>
      new Promise((resolve, reject) => {
        if (!process.send || !process.connected) return reject(new Error("the other process is gone"));
        // Node accepts raw handles too, although its types don't.
        const sent = (error: Error | null) => (error ? reject(error) : resolve());
        process.send(message as Serializable, handle as SendHandle | undefined, {}, sent);
      }),
    listen(listener) {
      const onMessage = (message: unknown, handle: unknown) =>
        listener(message as Message, handle as RawHandle | undefined);
      (process as ChildProcess).on("message", onMessage);
      return () => void (process as ChildProcess).off("message", onMessage);
    },
  };
}

/** Passes on the sockets that one process sends to another. */
export function forwardSockets(from: Channel, to: Channel): void {
  from.listen((message, handle) => {
    if (handle === undefined) return;
    to.send(message, handle)
      // If it fails, the receiver is gone, and the clients with it. Its exit is reported.
      .catch(ignore)
      .then(() => handle.close());
  });
}

/** Waits for the next message of a kind, and its socket. Throws on timeout, and throws the signal's reason when it aborts. */
export async function nextMessage(
  channel: Channel,
  kind: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<{ message: Message; handle: RawHandle | undefined }> {
  const received = Promise.withResolvers<{ message: Message; handle: RawHandle | undefined }>();
  const stop = channel.listen((message, handle) => {
    if (message.kind === kind) received.resolve({ message, handle });
  });
  const message = within(timeoutMs, unlessAborted(received.promise, signal), () => {
    throw new Error(`the other process did not send "${kind}" within ${timeoutMs / 1_000} s`);
  });
  return await message.finally(stop);
}
