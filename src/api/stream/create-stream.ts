import type { Environment } from "../../../config/env.ts";
import { createPool, type Database, openDatabase } from "../database/database.ts";
import type { ReadPools } from "../database/read-pools.ts";
import { onRetire } from "../ponder/handover.ts";
import { ponderShutdown } from "../ponder/internals.ts";
import { createStreamService, type StreamService } from "./stream-service.ts";

/** Streams that one address may have open, where requests are limited. */
const mostPerAddress = 100;

const running = globalThis as { LAUNCHPAD_STREAM?: StreamService };

/**
 * The stream under the configured settings. Ponder waits for open streams when it ends its server, so they are ended then.
 * In development it ends it with every edit, and runs this anew in the same process only if the edit was to the API.
 */
export function createStream(
  { databaseUrl, databaseSchema, streamRetentionHours, rateLimit }: Environment,
  { db, reads }: { db: Database; reads: ReadPools },
): StreamService {
  void running.LAUNCHPAD_STREAM?.stop();
  const service = createStreamService({
    databaseUrl,
    db,
    pool: createPool({
      url: databaseUrl,
      name: `${databaseSchema}_stream`,
      connections: 2,
      statementSeconds: 10,
    }),
    endDb: openDatabase(
      reads.pool({ name: `${databaseSchema}_stream_end`, connections: 1, statementSeconds: 10 }),
    ),
    seen: reads.route?.waitForAllWrites,
    retentionHours: streamRetentionHours,
    mostPerAddress: rateLimit.isOn === false ? Number.POSITIVE_INFINITY : mostPerAddress,
  });
  running.LAUNCHPAD_STREAM = service;
  onRetire(() => running.LAUNCHPAD_STREAM?.endJoined());

  // Each server that Ponder starts has another one.
  let watched: ReturnType<typeof ponderShutdown>;
  return {
    ...service,
    async open(request) {
      const shutdown = ponderShutdown();
      if (shutdown !== watched) shutdown?.add(async () => service.closeAll());
      watched = shutdown;
      return await service.open(request);
    },
  };
}
