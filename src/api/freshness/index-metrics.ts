import { onReload } from "../../../config/reload.ts";
import { overdrafts as channel, type Overdraft } from "../../domain/amounts.ts";
import type { Database } from "../database/database.ts";
import { counter, gauge, metricText } from "../http/metric-text.ts";
import { readConnections } from "./freshness.query.ts";
import { type Readiness, staleAfter } from "./ready.ts";

/** Returns readiness, the index's lag behind the chains and the replica's behind its primary, in Prometheus' text format. */
export async function readIndexMetrics(
  readReady: () => Promise<Readiness>,
  maxLagSeconds: number,
): Promise<string> {
  const readiness = await readReady();
  const { writer, chains = [], replica } = readiness;
  const ofReplica = (value: number | null) => (replica === undefined ? [] : [{ value }]);
  const ofEach = (read: (chain: (typeof chains)[number]) => number | null) =>
    chains.map((chain) => ({ labels: { chain: chain.chainId }, value: read(chain) }));
  return metricText([
    gauge("launchpad_ready", "1 if GET /ready responds with 200", Number("ready" in readiness)),
    gauge(
      "launchpad_writer_live",
      "1 if a process indexes into the schema that is served",
      writer === undefined ? null : Number(writer === "live"),
    ),
    gauge(
      "launchpad_index_block",
      "The last indexed block",
      ofEach(({ block }) => block),
    ),
    gauge(
      "launchpad_index_lag_blocks",
      "Blocks that the index is behind the head",
      ofEach(({ lagBlocks }) => lagBlocks),
    ),
    gauge(
      "launchpad_index_lag_seconds",
      "Seconds since the first missing block, or since an RPC endpoint last answered",
      ofEach(({ lagSeconds }) => lagSeconds),
    ),
    gauge(
      "launchpad_index_lag_max_seconds",
      "Of launchpad_index_lag_seconds, what the index may have until it counts as old (READY_MAX_LAG_SECONDS)",
      staleAfter(maxLagSeconds),
    ),
    gauge(
      "launchpad_endpoints_answer",
      "1 if an RPC endpoint of the chain answered when last asked for its head",
      ofEach(({ endpointsAnswer }) => Number(endpointsAnswer)),
    ),
    gauge(
      "launchpad_replica_following",
      "1 if the replica that this process reads from answers and follows the primary",
      ofReplica(Number(replica?.state === "following")),
    ),
    gauge(
      "launchpad_replica_read",
      "1 if reads go to the replica, 0 while they go to the primary instead",
      ofReplica(Number(replica?.readsFrom === "replica")),
    ),
    gauge(
      "launchpad_replica_lag_bytes",
      "Bytes of the primary's WAL that the replica has not replayed",
      ofReplica(replica?.lagBytes ?? null),
    ),
    gauge(
      "launchpad_replica_lag_seconds",
      "Seconds since the primary committed what the replica replayed last, 0 if that is everything",
      ofReplica(replica?.lagSeconds ?? null),
    ),
  ]);
}

/** Reads the connections of the Postgres server as metrics in the text format of Prometheus, without values if the database doesn't answer. */
export async function readConnectionMetrics(db: Database): Promise<string> {
  const connections = await readConnections(db).catch(() => undefined);
  return metricText([
    gauge(
      "launchpad_database_connections",
      "Connections that the Postgres server has, of all its databases",
      connections?.used,
    ),
    gauge(
      "launchpad_database_connections_max",
      "Connections that it accepts, without those reserved for superusers",
      connections?.most,
    ),
  ]);
}

/** Milliseconds between two lines of the log: a contract that isn't ours may emit any number of impossible transfers. */
const quietMs = 60_000;

type Overdrafts = { readMetrics(): string; stop(): void };

/** Counts transfers that exceed the balance of their sender, which is a sign of lost events, and logs one a minute. */
export function countOverdrafts(chainIds: number[], log: (line: string) => void): Overdrafts {
  const counts = new Map(chainIds.map((chainId) => [chainId, 0]));
  let unreported = 0;
  let quietUntil = Number.NEGATIVE_INFINITY;

  function count(message: unknown): void {
    const { chainId, token, account, balanceRaw, sentRaw } = message as Overdraft;
    counts.set(chainId, (counts.get(chainId) ?? 0) + 1);
    const now = performance.now();
    if (now < quietUntil) {
      unreported += 1;
      return;
    }
    const more = unreported === 0 ? "" : ` ${unreported} more have not been logged.`;
    log(
      `index: chain ${chainId}: ${account} sent ${sentRaw} base units of ${token}, but has ${balanceRaw} in the index: ` +
        `an earlier transfer is missing, or the token is not an honest ERC-20.${more}`,
    );
    quietUntil = now + quietMs;
    unreported = 0;
  }

  channel.subscribe(count);
  return {
    readMetrics: () =>
      metricText([
        counter(
          "launchpad_overdrafts_total",
          "Indexed transfers of more than their sender had in the index",
          Array.from(counts, ([chainId, value]) => ({ labels: { chain: chainId }, value })),
        ),
      ]),
    stop: () => void channel.unsubscribe(count),
  };
}

export function startOverdrafts(chainIds: number[]): Overdrafts {
  const overdrafts = countOverdrafts(chainIds, console.warn);
  onReload("overdrafts", overdrafts.stop);
  return overdrafts;
}
