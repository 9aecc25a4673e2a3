import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { newSecret, sealReceiver } from "../../src/api/alerts/receiver-secrets.ts";
import { ours } from "../index/apps.ts";
import { startNode } from "../index/chain/node.ts";
import { createDatabase, dropDatabase } from "../index/database.ts";
import { startIndexer } from "../index/indexer.ts";
import type { Processes } from "../index/processes.ts";
import { type CommitWatch, watchCommits } from "../stream/commits.ts";
import { type Market, openMarket } from "../stream/market.ts";
import type { BenchmarkOptions } from "./options.ts";

/** Milliseconds. */
export type Delays = {
  /** For each block, from mining until it was in Ponder's tables. */
  ofPonder: number[];
  /** For each request to the API. */
  ofApi: number[];
  /** For each message, since its block was in Ponder's tables. Empty without alerts. */
  sinceCommitted: number[];
};

const schema = "bench";
const key = "5afe".repeat(16);
/** Blocks that don't count, while V8 warms up. */
const warmUpBlocks = 10;

/** Measures the same blocks without alerts, and then with them, on a new database and chain each. */
export async function measure(processes: Processes, serverUrl: string, options: BenchmarkOptions) {
  return {
    without: await measureOnce(processes, serverUrl, options, 0),
    with: await measureOnce(processes, serverUrl, options, options.subscriptions),
  };
}

async function measureOnce(
  processes: Processes,
  serverUrl: string,
  { matching, blocks, trades, blockTime }: BenchmarkOptions,
  subscriptions: number,
): Promise<Delays> {
  const node = await startNode(processes, []);
  const market = await openMarket(node);
  const databaseUrl = await createDatabase(serverUrl, "bench_alerts");
  const indexer = await startIndexer(processes, ours, {
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
  const receiver = fork(fileURLToPath(new URL("receiver.ts", import.meta.url)));
  const [{ port }] = (await once(receiver, "message")) as [{ port: number }];
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  if (subscriptions > 0) await subscribe(database, { market, subscriptions, matching, port });
  const commits = await watchCommits(databaseUrl, schema);
  const ofApi: number[] = [];
  const isDone = new AbortController();
  const requests = askContinually(
    `http://127.0.0.1:${indexer.port}/api/trades?limit=20`,
    ofApi,
    isDone.signal,
  );
  const mined: { block: number; minedAt: number }[] = [];
  for (let count = 0; count < warmUpBlocks + blocks; count++) {
    if (count === warmUpBlocks) ofApi.splice(0);
    mined.push(await market.mine(trades));
    await delay(blockTime + 100 * Math.random());
  }
  isDone.abort();
  await requests;
  await delay(3_000);
  receiver.send("result");
  const [{ arrivals }] = (await once(receiver, "message")) as [
    { arrivals: { id: string; block: number; at: number }[] },
  ];
  const counted = mined.slice(warmUpBlocks);
  const sinceCommitted =
    subscriptions === 0 ? [] : delaysOf(arrivals, counted, commits, blocks * trades * matching);
  const ofPonder = counted.map(
    ({ block, minedAt }) => (commits.committedAt.get(block) ?? Number.NaN) - minedAt,
  );
  receiver.disconnect();
  await database.end();
  await commits.stop();
  await indexer.stop();
  await node.process.stop();
  await dropDatabase(serverUrl, "bench_alerts");
  return { ofPonder, ofApi, sinceCommitted };
}

/** Throws unless every message has arrived, each once. */
function delaysOf(
  arrivals: { id: string; block: number; at: number }[],
  blocks: { block: number }[],
  { committedAt }: CommitWatch,
  expected: number,
): number[] {
  const counted = new Set(blocks.map(({ block }) => block));
  const first = new Map(
    arrivals.filter(({ block }) => counted.has(block)).map((arrival) => [arrival.id, arrival]),
  );
  if (first.size !== expected)
    throw new Error(`${first.size} of ${expected} messages arrived within 3 seconds`);
  return [...first.values()].map(({ block, at }) => at - (committedAt.get(block) ?? Number.NaN));
}

/** Stores verified subscriptions: `matching` to each of the market's tokens, and the others to tokens that nobody trades. */
async function subscribe(
  database: pg.Client,
  {
    market,
    subscriptions,
    matching,
    port,
  }: { market: Market; subscriptions: number; matching: number; port: number },
): Promise<void> {
  const mints = market.tokens.flatMap((mint) => new Array<string>(matching).fill(mint.toLowerCase()));
  const rows = Array.from({ length: subscriptions }, (_, index) => {
    const id = `alert_${index}`;
    const mint = mints[index] ?? `0x${index.toString(16).padStart(40, "0")}`;
    const receiver = { url: `http://127.0.0.1:${port}/`, secret: newSecret() };
    return {
      id,
      rule: { type: "events", kind: ["trade"], mint: [mint] },
      sealed: sealReceiver(Buffer.from(key, "hex"), id, receiver),
    };
  });
  await database.query("begin");
  await database.query(
    `insert into offchain.alert_subscription (id, owner, chain_id, rule, sealed, host, client, batch, status, position, is_behind, revision)
     select row ->> 'id', '0x', 56, row -> 'rule', row ->> 'sealed', '', '', 1, 'active',
       (select max(id) || '-0' from offchain.stream_event), true, place
     from jsonb_array_elements($1::jsonb) with ordinality as given (row, place)`,
    [JSON.stringify(rows)],
  );
  await database.query("update offchain.alert_work set revision = $1", [subscriptions]);
  await database.query("commit");
  await database.query("notify offchain_alert");
  for (let isBehind = true; isBehind; ) {
    await delay(500);
    const found = await database.query("select from offchain.alert_subscription where is_behind limit 1");
    isBehind = found.rowCount !== 0;
  }
}

async function askContinually(url: string, times: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const askedAt = performance.now();
    await (await fetch(url)).text();
    times.push(performance.now() - askedAt);
    await delay(20);
  }
}
