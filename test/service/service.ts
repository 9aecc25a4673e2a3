import type { Address } from "viem";
import { expect } from "vitest";
import { prepareReads } from "../../runtime/ponder/read-role.ts";
import { createSchemaLock } from "../../runtime/ponder/schema-lock.ts";
import { prepareAnalysts } from "../../runtime/prepare-analysts.ts";
import type { LaunchpadChain } from "../chain/launchpad-chain.ts";
import { differences } from "../reference-market/reconcile.ts";
import { until } from "./condition.ts";
import { createDatabase, type TestDatabase } from "./database.ts";
import { type Indexer, type IndexerOptions, startIndexer, testSchema } from "./indexer.ts";

export type Service = Awaited<ReturnType<typeof startService>>;

export type ServiceOptions = {
  env?: Record<string, string>;
  /** The local port through which the service writes to Postgres, such as a proxy's. Default: Postgres's own. */
  postgresPort?: number;
};

/** Starts a real indexer of the given chains on a new database. */
export async function startService(chains: LaunchpadChain[], { env, postgresPort }: ServiceOptions = {}) {
  const database: TestDatabase = await createDatabase();
  const { url, readUrl, sqlUrl } = database;
  const roles = { url, readUrl, schema: testSchema, log() {} };
  await prepareReads(roles);
  const databaseSqlUrl = await prepareAnalysts({ ...roles, sqlUrl, isSqlOn: true });
  const writeUrl = new URL(url);
  if (postgresPort !== undefined) writeUrl.host = `127.0.0.1:${postgresPort}`;
  const options = {
    databaseUrl: writeUrl.href,
    databaseReadUrl: readUrl,
    databaseSqlUrl,
    chains: chains.map((chain) => chain.indexed()),
    env,
  };
  let indexer: Indexer = await startIndexer(options);
  const feedsOf = ({ chainId }: LaunchpadChain) =>
    (env?.[`BNB_USD_FEED_ADDRESS_${chainId}`]?.split(",") ?? []) as Address[];

  return {
    database,
    get indexer() {
      return indexer;
    },
    /** The options with which the indexer was started. */
    options,
    /** Restarts an indexer that has ended as `npm start` does, without Ponder's wait in case the last one is still alive. */
    async restart(): Promise<void> {
      const started = new AbortController();
      const lock = { url: database.url, schema: testSchema, signal: started.signal, onLost() {} };
      await createSchemaLock(lock).acquire();
      indexer = await startIndexer(options);
      started.abort();
    },
    /** Starts a process that only serves the API, on the same database, and waits until it is ready or just up. The caller stops it. */
    async startReplica(
      changes: Partial<IndexerOptions> = {},
      { is = "ready" }: { is?: "ready" | "up" } = {},
    ): Promise<Indexer> {
      // Reads take the same route as writes, such as through a gate.
      const reads = new URL(readUrl);
      reads.host = new URL(changes.databaseUrl ?? url).host;
      const replica = await startIndexer({
        ...options,
        command: "serve",
        databaseReadUrl: reads.href,
        ...changes,
      });
      await (is === "ready" ? replica.untilReady() : replica.untilUp());
      return replica;
    },
    /** Resolves once the index equals the current state of these chains, by default all of them. Fails with the differences. */
    async expectIndexEqualsChain(some = chains): Promise<void> {
      for (const chain of some) {
        // Waits for the head first, which costs much less than comparing.
        await indexer.untilAtHead(chain.chainId, () => chain.publicClient.getBlock());
        // After a reorg the new head may have the number and the timestamp of the old one, so compares repeatedly.
        let found: string[] = [];
        await until("the index to equal the chain", async () => {
          found = await differences({ ...chain, database, priceFeeds: feedsOf(chain) });
          return found.length === 0;
        }).catch(() => expect(found).toEqual([]));
      }
    },
    async stop(): Promise<void> {
      await indexer.stop();
      await database.drop();
    },
  };
}
