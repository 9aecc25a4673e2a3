import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { EmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { ours } from "../index/apps.ts";
import type { CachedChain } from "../index/chain/cached-chain.ts";
import { createDatabase, dropDatabase } from "../index/database.ts";
import { type Indexer, startIndexer } from "../index/indexer.ts";
import type { Processes } from "../index/processes.ts";
import { checksumsOf } from "./checksums.ts";
import { readTraffic, type Sample } from "./sample.ts";

export type RunOptions = {
  chain: CachedChain;
  /** The endpoint in front of the node, used by this run only. */
  endpoint: EmulatedEndpoint;
  /** A Postgres server, and the name of a database to create on it. */
  serverUrl: string;
  name: string;
  /** The run is stopped after this many seconds. */
  limit: number;
};

const schema = "sync";

/** Indexes the chain into a new database, with our sync or Ponder's own. */
export async function runPonder(
  processes: Processes,
  sync: "ours" | "ponder",
  { chain, endpoint, serverUrl, name, limit }: RunOptions,
): Promise<Sample> {
  const databaseUrl = await createDatabase(serverUrl, name);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const indexer = await startIndexer(processes, ours, {
    databaseUrl,
    schema,
    rpcUrl: endpoint.url,
    deployment: chain.deployment,
    settings: {
      SYNC_56: sync === "ponder" ? "ponder" : "",
      POLLING_INTERVAL_56: "1000",
      // Ponder limits itself to slightly more than 20 requests/s per URL, so an unlimited endpoint is listed many times.
      ...(sync === "ponder" && !isLimited(endpoint)
        ? { PONDER_RPC_URL_56: repeatUrl(endpoint.url, 40) }
        : {}),
    },
  });
  const servesAt = await indexer.untilServing();
  const readyAt = await readyWithin(indexer, limit);
  const asked = readTraffic(endpoint);
  const share = readyAt === undefined ? await indexer.backfilledShare() : 1;
  const sample: Sample = {
    asked,
    share,
    seconds: ((readyAt ?? Date.now()) - servesAt) / 1_000,
    startUp: (servesAt - indexer.startedAt) / 1_000,
    checksums: share === 1 ? await checksumsOf(client, schema) : undefined,
  };
  await indexer.stop();
  await client.end();
  await dropDatabase(serverUrl, name);
  return sample;
}

const isLimited = (endpoint: EmulatedEndpoint) =>
  endpoint.settings().requestsPerSecond < Number.POSITIVE_INFINITY;

/** The Unix time in milliseconds at which the backfill was done; undefined if it takes longer than this. */
async function readyWithin(indexer: Indexer, seconds: number): Promise<number | undefined> {
  const ready = indexer.untilReady();
  if (seconds === Number.POSITIVE_INFINITY) return (await ready).readyAt;
  // Rejects once the indexer is stopped.
  ready.catch(() => undefined);
  const controller = new AbortController();
  const late = delay(seconds * 1_000, undefined, { signal: controller.signal }).catch(() => undefined);
  return (await Promise.race([ready, late]).finally(() => controller.abort()))?.readyAt;
}

/** The same URL, repeated. */
const repeatUrl = (url: string, times: number): string =>
  Array.from({ length: times }, (_, index) => `${url}/?lane=${index + 1}`).join(",");
