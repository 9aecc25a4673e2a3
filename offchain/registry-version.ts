import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { registry } from "./schema.ts";

export type Transaction = Pick<NodePgDatabase, "execute" | "select" | "insert" | "update" | "delete">;

/**
 * Begins a write to registrations or hidden tokens, and returns its version. Writers take turns from here to the end of the
 * transaction, which survives a crash once it is committed.
 */
export async function nextVersion(tx: Transaction): Promise<number> {
  // Overrides the server's default: what was answered with 201 must be on disk.
  await tx.execute(sql`set local synchronous_commit = on`);
  const [next] = await tx
    .update(registry)
    .set({ version: sql`${registry.version} + 1` })
    .returning({ version: registry.version });
  return next?.version ?? 0;
}
