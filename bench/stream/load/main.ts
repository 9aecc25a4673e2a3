import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { type LoadJob, type LoadResult, readyLine } from "./load.ts";

/*
 * A process that only holds streams open and records when trades arrive. It parses no more of an event than its id and its block.
 */

const job: LoadJob = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const arrivals = new Map<string, number[]>();
/** The ids of the trades, in the order in which the first client received them. */
const order: string[] = [];
const now = () => performance.timeOrigin + performance.now();

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
      recordArrival(/"block":(\d+)/.exec(block)?.[1] ?? "", time);
      if (count === job.events) done.resolve();
    }
  });
  socket.on("close", () => {
    if (count < job.events) throw new Error(`a client was cut off after ${count} of ${job.events} trades`);
  });
  await ready.promise;
  return { done: done.promise };
}

function recordArrival(block: string, time: number): void {
  const times = arrivals.get(block);
  if (times === undefined) arrivals.set(block, [time]);
  else times.push(time);
}

const clients: { done: Promise<void> }[] = [];
while (clients.length < job.clients) {
  const some = Math.min(50, job.clients - clients.length);
  clients.push(...(await Promise.all(Array.from({ length: some }, openClient))));
}
console.log(readyLine);
await Promise.all(clients.map(({ done }) => done));
const result: LoadResult = Object.fromEntries(arrivals);
writeFileSync(job.result, JSON.stringify(result));
process.exit(0);
