import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { registry } from "./schema.ts";

export type Transaction = Pick<NodePgDatabase, "execute" | "select" | "insert" | "update" | "delete">;

/**
 * Begins a write to registrations or hidden tokens, and returns its version. From here to the end of the transaction, other
 * writers wait. Once committed, the transaction survives a crash.
 */
export async function nextVersion(tx: Transaction): Promise<number> {
  // Overrides the server's setting: a registration must be on disk before it is confirmed with 201.
  await tx.execute(sql`set local synchronous_commit = on`);
  const [next] = await tx
    .update(registry)
    .set({ version: sql`${registry.version} + 1` })
    .returning({ version: registry.version });
  return next?.version ?? 0;
}
