import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { EmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { ours } from "../index/apps.ts";
import type { CachedChain } from "../index/chain/cached-chain.ts";
import { createDatabase, dropDatabase } from "../index/database.ts";
import { type Indexer, startIndexer } from "../index/indexer.ts";
import type { Processes } from "../index/processes.ts";
import { checksumsOf } from "./checksums.ts";
import { askedOf, type Sample } from "./sample.ts";

export type RunOptions = {
  chain: CachedChain;
  /** In front of the node, for this run alone. */
  endpoint: EmulatedEndpoint;
  /** A Postgres, and the name of a database to make on it. */
  serverUrl: string;
  name: string;
  /** Seconds after which to stop. */
  limit: number;
};

const schema = "sync";

/** Indexes the chain into a new database, by our sync or by Ponder's own. */
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
      // Ponder takes 20 requests/s and somewhat more for what a URL allows; an endpoint of one's own is listed many times.
      ...(sync === "ponder" && !isLimited(endpoint) ? { PONDER_RPC_URL_56: listed(endpoint.url, 40) } : {}),
    },
  });
  const servesAt = await indexer.untilServing();
  const readyAt = await readyWithin(indexer, limit);
  const asked = askedOf(endpoint);
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

/** When the backfill was done, in milliseconds since 1970; undefined if it takes longer than this. */
async function readyWithin(indexer: Indexer, seconds: number): Promise<number | undefined> {
  const ready = indexer.untilReady();
  if (seconds === Number.POSITIVE_INFINITY) return (await ready).readyAt;
  // It fails once the indexer is stopped.
  ready.catch(() => undefined);
  const controller = new AbortController();
  const late = delay(seconds * 1_000, undefined, { signal: controller.signal }).catch(() => undefined);
  return (await Promise.race([ready, late]).finally(() => controller.abort()))?.readyAt;
}

/** The same URL, so many times. */
const listed = (url: string, times: number): string =>
  Array.from({ length: times }, (_, index) => `${url}/?lane=${index + 1}`).join(",");
