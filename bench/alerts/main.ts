import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { insertSubscriptions } from "../../offchain/alert-backup.ts";
import { alertChannel } from "../../offchain/alert-store.ts";
import { inTransaction, onConnection } from "../../offchain/connection.ts";
import { newSecret, sealReceiver } from "../../src/api/alerts/receiver-secrets.ts";
import { until } from "../../test/service/condition.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import { followLiveChain, warmUpBlocks } from "../shared/live.ts";
import { request } from "../shared/load.ts";
import { type Options, whole } from "../shared/options.ts";
import { startWorker } from "../shared/process.ts";
import { formatSummaries, median, met, summarize } from "../shared/report.ts";
import { measureInTurn } from "../shared/rounds.ts";
import type { Received } from "./receiver.ts";

/* Measures how late a webhook is, and what indexing and the API notice of it. Times are in milliseconds. */

/** The target for the median delivery. */
const aim = 500;
/** How much longer a block or a request may take than without alerts. */
const maxRatio = 1.05;
const key = "5afe".repeat(16);
/** How long after the last block every message has to arrive. */
const lastArrivalMs = 3_000;

const flags = {
  /** All subscriptions, and those of them that each event matches. */
  subscriptions: whole(10_000),
  matching: whole(5),
  blocks: whole(30),
  rounds: whole(3),
  trades: whole(50),
  blockTime: whole(1_000),
};

type Delays = Awaited<ReturnType<typeof measure>>;

await runBenchmark(flags, async (options, benchmark) => {
  const { subscriptions, matching, blocks, rounds, trades } = options;
  benchmark.log(
    `Measuring: ${subscriptions} subscriptions, ${matching} for each event, ${rounds} times ${blocks} blocks of ${trades} trades`,
  );
  const compared = await measureInTurn(["without", "with"], rounds, (alerts) =>
    measure(benchmark, alerts === "with" ? options : { ...options, subscriptions: 0 }),
  );
  const all = (alerts: "without" | "with", of: keyof Delays) =>
    compared.of(alerts).flatMap((sample) => sample[of]);
  const delivered = summarize(all("with", "ofMessages"));
  const delays = {
    "block mined to Ponder's tables, without alerts": summarize(all("without", "ofPonder")),
    "block mined to Ponder's tables, with alerts": summarize(all("with", "ofPonder")),
    "GET /api/trades, without alerts": summarize(all("without", "ofApi")),
    "GET /api/trades, with alerts": summarize(all("with", "ofApi")),
    "Ponder's tables to receiver": delivered,
  };
  const ratioOf = (of: keyof Delays) => median(all("with", of)) / median(all("without", of));
  const ratios = { indexing: ratioOf("ofPonder"), "GET /api/trades": ratioOf("ofApi") };
  return {
    lines: [
      ...formatSummaries(delays),
      "",
      `median delivery below ${aim} ms: ${met(delivered.median < aim)}`,
      ...Object.entries(ratios).map(
        ([name, ratio]) =>
          `${name}: ${ratio.toFixed(2)} times the median without alerts (aim ${maxRatio}): ${met(ratio <= maxRatio)}`,
      ),
      `${delivered.count} messages arrived`,
    ],
    data: { delays, ratios },
  };
});

/** Measures the delays of blocks, requests and messages on a new database and chain. */
async function measure(
  benchmark: Benchmark,
  { subscriptions, matching, blocks, trades, blockTime }: Options<typeof flags>,
) {
  const { databaseUrl, indexer, mints, mineSteadily, commits, stop } = await followLiveChain(benchmark, {
    blockTime,
    settings: {
      ALERTS: subscriptions > 0 ? "on" : "off",
      ALERTS_KEY: key,
      ALERTS_PRIVATE_NETWORKS: "127.0.0.0/8",
      ALERTS_REQUESTS_PER_HOST: "1000000",
    },
  });
  const receiver = startWorker<Received>(benchmark, new URL("receiver.ts", import.meta.url));
  const { url } = await receiver.next();
  if (subscriptions > 0) {
    const matched = mints.flatMap((mint) => new Array<string>(matching).fill(mint));
    await onConnection(databaseUrl, (client) => subscribe(client, url, matched, subscriptions));
  }

  const ofApi: number[] = [];
  let isDone = false;
  const asking = (async () => {
    while (!isDone) {
      ofApi.push((await request(`${indexer.url}/api/trades?limit=20`)).milliseconds);
      await delay(20);
    }
  })();
  await mineSteadily(warmUpBlocks, trades);
  ofApi.splice(0);
  const measured = await mineSteadily(blocks, trades);
  isDone = true;
  await asking;
  await delay(lastArrivalMs);
  await receiver.send("arrivals");
  const { arrivals } = await receiver.next();
  await receiver.stop();
  await stop();

  const counted = new Set(measured.map(({ block }) => block));
  // A message that is repeated counts once: the first time, which a map made in reverse keeps.
  const inTime = arrivals.filter(({ block }) => counted.has(block)).reverse();
  const first = new Map(inTime.map((arrival) => [arrival.id, arrival]));
  const expected = subscriptions === 0 ? 0 : blocks * trades * matching;
  if (first.size !== expected) {
    throw new Error(`${first.size} of ${expected} messages arrived within ${lastArrivalMs / 1_000} seconds`);
  }
  const committedAt = (block: number) => commits.committedAt.get(block) ?? Number.NaN;
  return {
    ofPonder: commits.delaysOf(measured),
    ofApi,
    ofMessages: [...first.values()].map(({ block, at }) => at - committedAt(block)),
  };
}

/** Stores verified subscriptions: one for each of the mints, and the others to tokens that nobody trades. */
async function subscribe(
  client: pg.Client,
  url: string,
  mints: string[],
  subscriptions: number,
): Promise<void> {
  const untilAnyRow = (query: string) =>
    until("a row", async () => (await client.query(query)).rowCount === 1);
  const rows = Array.from({ length: subscriptions }, (_, index) => {
    const id = `alert_${index}`;
    const mint = mints[index] ?? `0x${index.toString(16).padStart(40, "0")}`;
    return {
      id,
      owner: "0x",
      chainId: 56,
      rule: { type: "events", kind: ["trade"], mint: [mint] },
      sealed: sealReceiver(Buffer.from(key, "hex"), id, { url, secret: newSecret() }),
      host: "",
      client: "",
      batch: 1,
      status: "active" as const,
      reason: null,
      digest: null,
      createdAt: new Date().toISOString(),
    };
  });
  // Subscriptions begin at the end of the journal, and it may be empty at first.
  await untilAnyRow("select from offchain.stream_event limit 1");
  await inTransaction(client, () => insertSubscriptions(client, rows));
  await client.query(`notify ${alertChannel}`);
  await untilAnyRow("select where not exists (select from offchain.alert_subscription where is_behind)");
}
