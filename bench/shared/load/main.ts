import { readFileSync } from "node:fs";
import type { LoadJob, LoadResult, Times } from "./load.ts";
import { openSenders } from "./senders.ts";

/*
 * A process that only sends requests and measures their times. Each of its connections sends the next request as soon as the previous
 * one is answered. All requests that are sent during the measured time count.
 */

const job: LoadJob = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const { requests } = job.target;
const senders = await openSenders(job.target, job.inFlight);

const from = performance.now() + 1_000 * job.warmUpSeconds;
const to = from + 1_000 * job.seconds;
const taken = new Map<string, number[]>();
let next = 0;
let refused = 0;
let answeredInTime = 0;
await Promise.all(
  senders.map(async (sender) => {
    for (;;) {
      const index = next++ % requests.length;
      const sentAt = performance.now();
      if (sentAt >= to) return;
      const isAnswered = await sender.send(index);
      if (sentAt < from) continue;
      const answeredAt = performance.now();
      if (!isAnswered) refused++;
      if (answeredAt <= to) answeredInTime++;
      const group = requests[index]?.group ?? "";
      const times = taken.get(group);
      if (times === undefined) taken.set(group, [answeredAt - sentAt]);
      else times.push(answeredAt - sentAt);
    }
  }),
);
await Promise.all(senders.map((sender) => sender.close()));

const all = [...taken.values()].flat();
const result: LoadResult = {
  count: all.length,
  perSecond: answeredInTime / job.seconds,
  times: summary(all),
  groups: Object.fromEntries(
    [...taken].map(([group, times]) => [group, { count: times.length, ...summary(times) }]),
  ),
  refused,
};
console.log(JSON.stringify(result));

function summary(times: number[]): Times {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { median: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1) ?? Number.NaN };
}
