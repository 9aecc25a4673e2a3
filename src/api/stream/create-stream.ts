import type { Environment } from "../../../config/env.ts";
import { createPool, type Database, openDatabase } from "../database/database.ts";
import type { ReadPools } from "../database/read-pools.ts";
import { onRetire } from "../ponder/handover.ts";
import { ponderShutdown } from "../ponder/internals.ts";
import { createStreamService, type StreamService } from "./stream-service.ts";

/** The most streams that one address may have open, if rate limits are on. */
const maxPerAddress = 100;

const running = globalThis as { LAUNCHPAD_STREAM?: StreamService };

/**
 * Creates the stream from the environment. Ponder waits for open streams when it shuts down its server, so they are closed then.
 * In development, it shuts down the server on every edit, but runs this module again, in the same process, only for edits of the
 * API: hence the global.
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
    waitForReplica: reads.route?.waitForAllWrites,
    retentionHours: streamRetentionHours,
    maxPerAddress: rateLimit.isOn === false ? Number.POSITIVE_INFINITY : maxPerAddress,
  });
  running.LAUNCHPAD_STREAM = service;
  onRetire(() => running.LAUNCHPAD_STREAM?.endJoined());

  // Every server that Ponder starts has its own shutdown.
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
