import { once } from "node:events";
import { connect } from "node:net";
import { now, receiveMessage, sendMessage } from "../shared/process.ts";

/*
 * A process that only holds streams open and records when trades arrive. It parses no more of an event than its id and its block.
 */

export type ClientsJob = {
  port: number;
  clients: number;
  /** The number of trades that each client expects. */
  events: number;
};

/**
 * By block, the Unix times in milliseconds at which its trades arrived. Sent once all clients are connected, and once each has all
 * trades.
 */
export type Arrivals = Record<string, number[]>;

const job = await receiveMessage<ClientsJob>();
const arrivals: Arrivals = {};
/** The ids of the trades, in the order in which the first client received them. */
const order: string[] = [];

/** Resolves once the client receives events. `done` resolves once it has all of them. */
async function openClient(): Promise<{ done: Promise<void> }> {
  const socket = connect({ port: job.port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  socket.write("GET /api/stream HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
  const ready = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  let text = "";
  let count = 0;
  socket.on("data", (chunk) => {
    const time = now();
    text += chunk.toString("latin1");
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      if (block.includes("\nevent: ready\n")) ready.resolve();
      if (!block.includes("\nevent: trade\n")) continue;
      const id = /id: (\S+)/.exec(block)?.[1] ?? "";
      // All clients must receive the same events in the same order, each once.
      order[count] ??= id;
      if (order[count] !== id) throw new Error(`a client got ${id} where others got ${order[count]}`);
      count++;
      const number = /"block":(\d+)/.exec(block)?.[1] ?? "";
      arrivals[number] ??= [];
      arrivals[number].push(time);
      if (count === job.events) done.resolve();
    }
  });
  socket.on("close", () => {
    if (count < job.events) throw new Error(`a client was cut off after ${count} of ${job.events} trades`);
  });
  await ready.promise;
  return { done: done.promise };
}

const clients: { done: Promise<void> }[] = [];
while (clients.length < job.clients) {
  const some = Math.min(50, job.clients - clients.length);
  clients.push(...(await Promise.all(Array.from({ length: some }, openClient))));
}
await sendMessage(arrivals);
await Promise.all(clients.map(({ done }) => done));
await sendMessage(arrivals);
