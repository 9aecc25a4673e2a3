import { readFileSync } from "node:fs";
import { getRequest, openConnection } from "./http-connection.ts";
import type { LoadJob, LoadResult, Times } from "./load.ts";

/*
 * A process that does nothing but send requests and take their times. So many connections, each of which sends the next
 * request as soon as the last is answered. Every request counts that is sent in the measured time.
 */

const job: LoadJob = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const requests = job.requests.map(({ path, group }) => ({ data: getRequest(path), group }));
const connections = await Promise.all(Array.from({ length: job.inFlight }, () => openConnection(job.port)));

const from = performance.now() + 1_000 * job.warmUpSeconds;
const to = from + 1_000 * job.seconds;
const taken = new Map<string, number[]>();
let next = 0;
let refused = 0;
let answeredInTime = 0;
await Promise.all(
  connections.map(async (connection) => {
    for (;;) {
      const request = requests[next++ % requests.length];
      const sentAt = performance.now();
      if (request === undefined || sentAt >= to) return;
      const status = await connection.send(request.data);
      if (sentAt < from) continue;
      const answeredAt = performance.now();
      if (status !== 200) refused++;
      if (answeredAt <= to) answeredInTime++;
      const times = taken.get(request.group);
      if (times === undefined) taken.set(request.group, [answeredAt - sentAt]);
      else times.push(answeredAt - sentAt);
    }
  }),
);
for (const connection of connections) connection.close();

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
