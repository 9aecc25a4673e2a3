import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { newSecret, sealReceiver } from "../../src/api/alerts/receiver-secrets.ts";
import { type Benchmark, runBenchmark } from "../shared/benchmark.ts";
import {
  type CommitWatch,
  createDatabase,
  dropDatabase,
  watchCommits,
  withClient,
} from "../shared/database.ts";
import { ours, startIndexer } from "../shared/indexer.ts";
import { type MinedBlock, openLiveMarket } from "../shared/live-market.ts";
import { startNode } from "../shared/node.ts";
import { type Options, whole } from "../shared/options.ts";
import { startWorker } from "../shared/process.ts";
import { median, met, summarize, table } from "../shared/report.ts";
import type { Arrival, ReceiverMessage } from "./receiver.ts";

/* Measures how late a webhook is, and what indexing and the API notice of it. Times are in milliseconds. */

/** The target for the median delivery. */
const aim = 500;
/** How much longer a block or a request may take than without alerts. */
const maxRatio = 1.05;
const schema = "bench";
const key = "5afe".repeat(16);
/** Blocks that don't count, while V8 warms up. */
const warmUpBlocks = 10;
/** How long after the last block every message has to arrive. */
const lastArrivalMs = 3_000;

const flags = {
  /** All subscriptions, and those of them that each event matches. */
  subscriptions: whole(10_000),
  matching: whole(5),
  blocks: whole(30),
  /** Each measures without alerts and then with them, since a machine is not equally busy all the time. */
  rounds: whole(3),
  trades: whole(50),
  blockTime: whole(1_000),
};

await runBenchmark(flags, async (options, benchmark) => {
  const { subscriptions, matching, blocks, rounds, trades } = options;
  benchmark.log(
    `Measuring: ${subscriptions} subscriptions, ${matching} for each event, ${rounds} times ${blocks} blocks of ${trades} trades`,
  );
  const { adminUrl } = await benchmark.startPostgres();
  const without = noDelays();
  const alerts = noDelays();
  for (let round = 0; round < rounds; round++) {
    addTo(without, await measure(benchmark, adminUrl, { ...options, subscriptions: 0 }));
    addTo(alerts, await measure(benchmark, adminUrl, options));
  }
  const delivered = summarize(alerts.sinceCommitted);
  const delays = {
    "block mined to Ponder's tables, without alerts": summarize(without.ofPonder),
    "block mined to Ponder's tables, with alerts": summarize(alerts.ofPonder),
    "GET /api/trades, without alerts": summarize(without.ofApi),
    "GET /api/trades, with alerts": summarize(alerts.ofApi),
    "Ponder's tables to receiver": delivered,
  };
  const ratios = {
    indexing: median(alerts.ofPonder) / median(without.ofPonder),
    "GET /api/trades": median(alerts.ofApi) / median(without.ofApi),
  };
  return {
    lines: [
      ...table([
        ["milliseconds", "median", "p90", "p99"],
        ...Object.entries(delays).map(([name, { median, p90, p99 }]) => [
          name,
          ...[median, p90, p99].map((value) => value.toFixed(1)),
        ]),
      ]),
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

type Delays = Awaited<ReturnType<typeof measure>>;

function noDelays(): Delays {
  return { ofPonder: [], ofApi: [], sinceCommitted: [] };
}

function addTo(sum: Delays, { ofPonder, ofApi, sinceCommitted }: Delays): void {
  sum.ofPonder.push(...ofPonder);
  sum.ofApi.push(...ofApi);
  sum.sinceCommitted.push(...sinceCommitted);
}

/** Measures the delays of blocks, requests and messages on a new database and chain. */
async function measure(
  benchmark: Benchmark,
  serverUrl: string,
  { subscriptions, matching, blocks, trades, blockTime }: Options<typeof flags>,
) {
  const node = await startNode(benchmark);
  const market = await openLiveMarket(node);
  const databaseUrl = await createDatabase(serverUrl, "bench_alerts");
  const indexer = await startIndexer(benchmark, ours, {
    databaseUrl,
    schema,
    rpcUrl: node.rpcUrl,
    deployment: market.deployment,
    settings: {
      ALERTS: subscriptions > 0 ? "on" : "off",
      ALERTS_KEY: key,
      ALERTS_PRIVATE_NETWORKS: "127.0.0.0/8",
      ALERTS_REQUESTS_PER_HOST: "1000000",
    },
  });
  await indexer.untilReady();
  let port: number | undefined;
  let arrivals: Arrival[] = [];
  const receiver = startWorker<ReceiverMessage>(benchmark, new URL("receiver.ts", import.meta.url), {
    job: {},
    onMessage(message) {
      if ("port" in message) port = message.port;
      else arrivals = message.arrivals;
    },
  });
  await receiver.until(() => port);
  if (subscriptions > 0) {
    const mints = market.tokens.flatMap((mint) => new Array<string>(matching).fill(mint.toLowerCase()));
    await withClient(databaseUrl, (client) =>
      subscribe(client, `http://127.0.0.1:${port}/`, mints, subscriptions),
    );
  }

  const commits = await watchCommits(databaseUrl, schema);
  const ofApi: number[] = [];
  const isDone = new AbortController();
  const requests = askContinually(
    `http://127.0.0.1:${indexer.port}/api/trades?limit=20`,
    ofApi,
    isDone.signal,
  );
  const mined: MinedBlock[] = [];
  while (mined.length < warmUpBlocks + blocks) {
    if (mined.length === warmUpBlocks) ofApi.splice(0);
    mined.push(await market.mine(trades));
    await delay(blockTime + 100 * Math.random());
  }
  isDone.abort();
  await requests;
  await delay(lastArrivalMs);
  await receiver.stop();
  await commits.stop();
  await indexer.stop();
  await node.stop();
  await dropDatabase(serverUrl, "bench_alerts");

  const counted = mined.slice(warmUpBlocks);
  const expected = subscriptions === 0 ? 0 : blocks * trades * matching;
  return {
    ofPonder: counted.map(({ block, at }) => (commits.committedAt.get(block) ?? Number.NaN) - at),
    ofApi,
    sinceCommitted: delaysOf(arrivals, counted, commits, expected),
  };
}

/** Throws unless every message has arrived. */
function delaysOf(
  arrivals: Arrival[],
  blocks: MinedBlock[],
  { committedAt }: CommitWatch,
  expected: number,
): number[] {
  const counted = new Set(blocks.map(({ block }) => block));
  const first = new Map(
    arrivals.filter(({ block }) => counted.has(block)).map((arrival) => [arrival.id, arrival]),
  );
  if (first.size !== expected)
    throw new Error(`${first.size} of ${expected} messages arrived within ${lastArrivalMs / 1_000} seconds`);
  return [...first.values()].map(({ block, at }) => at - (committedAt.get(block) ?? Number.NaN));
}

/** Stores verified subscriptions: one for each of the mints, and the others to tokens that nobody trades. */
async function subscribe(
  client: pg.Client,
  url: string,
  mints: string[],
  subscriptions: number,
): Promise<void> {
  const rows = Array.from({ length: subscriptions }, (_, index) => {
    const id = `alert_${index}`;
    const mint = mints[index] ?? `0x${index.toString(16).padStart(40, "0")}`;
    return {
      id,
      rule: { type: "events", kind: ["trade"], mint: [mint] },
      sealed: sealReceiver(Buffer.from(key, "hex"), id, { url, secret: newSecret() }),
    };
  });
  // Subscriptions begin at the journal's last event, and it may be empty at first.
  await untilAnyRow(client, "select from offchain.stream_event limit 1");
  await client.query("begin");
  await client.query(
    `insert into offchain.alert_subscription (id, owner, chain_id, rule, sealed, host, client, batch, status, position, is_behind, revision)
     select row ->> 'id', '0x', 56, row -> 'rule', row ->> 'sealed', '', '', 1, 'active',
       (select max(id) || '-0' from offchain.stream_event), true, place
     from jsonb_array_elements($1::jsonb) with ordinality as given (row, place)`,
    [JSON.stringify(rows)],
  );
  await client.query("update offchain.alert_work set revision = $1", [subscriptions]);
  await client.query("commit");
  await client.query("notify offchain_alert");
  await untilAnyRow(
    client,
    "select where not exists (select from offchain.alert_subscription where is_behind)",
  );
}

async function untilAnyRow(client: pg.Client, query: string): Promise<void> {
  while ((await client.query(query)).rowCount === 0) await delay(100);
}

async function askContinually(url: string, times: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const askedAt = performance.now();
    await (await fetch(url)).text();
    times.push(performance.now() - askedAt);
    await delay(20);
  }
}
