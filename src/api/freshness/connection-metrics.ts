import type { Database } from "../database/database.ts";
import { metricText } from "../http/metric-text.ts";
import { readConnections } from "./connections.query.ts";

/** Reads the connections of the Postgres server as metrics in the text format of Prometheus, without values if the database doesn't answer. */
export async function readConnectionMetrics(db: Database): Promise<string> {
  const connections = await readConnections(db).catch(() => undefined);
  return metricText([
    {
      name: "launchpad_database_connections",
      type: "gauge",
      help: "Connections that the Postgres server has, of all its databases",
      samples: [{ value: connections?.used ?? null }],
    },
    {
      name: "launchpad_database_connections_max",
      type: "gauge",
      help: "Connections that it accepts, without those reserved for superusers",
      samples: [{ value: connections?.most ?? null }],
    },
  ]);
}
