import type { ChildProcess, SendHandle, Serializable } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

/** A socket as Node holds it, which is passed on without being read. */
export type RawHandle = { close(): void };

export type Message = { kind: string; [field: string]: unknown };

type Listener = (message: Message, handle: RawHandle | undefined) => void;

/** Messages between a process and its parent or child, of which each may bring a socket. */
export type Channel = {
  /** Resolves once it is sent; the sender keeps its copy of the socket. Throws when the other process is gone. */
  send(message: Message, handle?: RawHandle): Promise<void>;
  /** Calls the listener with each message, until the returned function is called. */
  listen(listener: Listener): () => void;
};

/** @param process a child with a channel, or this process, which is one */
export function channelOf(process: ChildProcess | NodeJS.Process): Channel {
  return {
    send: (message, handle) =>
      new Promise((resolve, reject) => {
        if (!process.send || !process.connected) return reject(new Error("the other process is gone"));
        // Node takes raw handles too, which its types leave out.
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

/** The next message of a kind, and its socket. Throws when it does not come in time, and the signal's reason. */
export async function nextMessage(
  channel: Channel,
  kind: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<{ message: Message; handle: RawHandle | undefined }> {
  const found = Promise.withResolvers<{ message: Message; handle: RawHandle | undefined }>();
  const stop = channel.listen((message, handle) => {
    if (message.kind === kind) found.resolve({ message, handle });
  });
  const over = new AbortController();
  const waiting = delay(timeoutMs, undefined, { signal: AbortSignal.any([signal, over.signal]) });
  try {
    return await Promise.race([
      found.promise,
      waiting.then(() => {
        throw new Error(`waited ${timeoutMs / 1_000} s in vain for "${kind}" of the other process`);
      }),
    ]);
  } finally {
    stop();
    over.abort();
    waiting.catch(isCalledOff);
  }
}

/** What is left of waiting when the message has come. */
const isCalledOff = () => {};
