import { startTcpGate } from "../../doubles/tcp-gate.ts";
import { atEndOfFile } from "../../run/end-of-file.ts";
import type { Indexer } from "../../service/indexer.ts";
import { createRestClient } from "../../service/rest-client.ts";
import { sharedService } from "../../service/shared-service.ts";

export type ConnectionsServed = Awaited<ReturnType<typeof serveConnections>>;

/** A replica with limits that no test reaches, which gets to the shared service's database through a gate. */
export async function serveConnections() {
  const { chain, service } = await sharedService();
  const url = new URL(service.database.url);
  const gate = await startTcpGate(url.hostname, Number(url.port));
  let started: Indexer | undefined;
  atEndOfFile(async () => {
    gate.open();
    await started?.stop();
    await gate.stop();
  });
  url.hostname = "127.0.0.1";
  url.port = String(gate.port);
  const env = { RATE_LIMIT: "on", RATE_LIMIT_READS: "100000", RATE_LIMIT_WRITES: "100000" };
  const replica = await service.startReplica({ databaseUrl: url.href, env });
  started = replica;
  return { chain, service, gate, replica, rest: await createRestClient(replica.url) };
}
