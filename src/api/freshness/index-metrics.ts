import { metricText } from "../http/metric-text.ts";
import type { Readiness } from "./ready.ts";

/** Returns readiness, the index's lag behind the chains and the replica's behind its primary, in Prometheus' text format. */
export async function readIndexMetrics(readReady: () => Promise<Readiness>): Promise<string> {
  const readiness = await readReady();
  const { writer, chains = [], replica } = readiness;
  const ofReplica = (value: number | null) => (replica === undefined ? [] : [{ value }]);
  const ofEach = (read: (chain: (typeof chains)[number]) => number | null) =>
    chains.map((chain) => ({ labels: { chain: chain.chainId }, value: read(chain) }));
  return metricText([
    {
      name: "launchpad_ready",
      type: "gauge",
      help: "1 if GET /ready responds with 200",
      samples: [{ value: Number("ready" in readiness) }],
    },
    {
      name: "launchpad_writer_live",
      type: "gauge",
      help: "1 if a process indexes into the schema that is served",
      samples: [{ value: writer === undefined ? null : Number(writer === "live") }],
    },
    {
      name: "launchpad_index_block",
      type: "gauge",
      help: "The last indexed block",
      samples: ofEach(({ block }) => block),
    },
    {
      name: "launchpad_index_lag_blocks",
      type: "gauge",
      help: "Blocks that the index is behind the head",
      samples: ofEach(({ lagBlocks }) => lagBlocks),
    },
    {
      name: "launchpad_index_lag_seconds",
      type: "gauge",
      help: "Seconds since the first missing block, or since an RPC endpoint last answered",
      samples: ofEach(({ lagSeconds }) => lagSeconds),
    },
    {
      name: "launchpad_endpoints_answer",
      type: "gauge",
      help: "1 if an RPC endpoint of the chain answered when last asked for its head",
      samples: ofEach(({ endpointsAnswer }) => Number(endpointsAnswer)),
    },
    {
      name: "launchpad_replica_following",
      type: "gauge",
      help: "1 if the replica that this process reads from answers and follows the primary",
      samples: ofReplica(Number(replica?.state === "following")),
    },
    {
      name: "launchpad_replica_read",
      type: "gauge",
      help: "1 if reads go to the replica, 0 while they go to the primary instead",
      samples: ofReplica(Number(replica?.readsFrom === "replica")),
    },
    {
      name: "launchpad_replica_lag_bytes",
      type: "gauge",
      help: "Bytes of the primary's WAL that the replica has not replayed",
      samples: ofReplica(replica?.lagBytes ?? null),
    },
    {
      name: "launchpad_replica_lag_seconds",
      type: "gauge",
      help: "Seconds since the primary committed what the replica replayed last, 0 if that is everything",
      samples: ofReplica(replica?.lagSeconds ?? null),
    },
  ]);
}
