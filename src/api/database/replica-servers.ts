import type pg from "pg";
import { readWalPosition, type WalPosition } from "../../../offchain/wal-position.ts";
import { isLostConnection } from "./transient-error.ts";

/** What reads are answered from, compared with what is written to. */
export type Comparison = {
  /** `same`: one server by two names. `foreign`: no replica (any more), as after it was promoted. */
  kind: "replica" | "same" | "foreign";
  /** Bytes of the primary's log that the replica has not replayed. Null: not known. */
  lagBytes: number | null;
  /** Whole seconds since the primary committed what the replica has replayed last; 0 where that is everything. */
  lagSeconds: number | null;
};

export type Servers = ReturnType<typeof createServers>;

/**
 * Asks the server that is written to, and the one that is read from, how far they are. Each method throws the driver's error
 * where a server that it asks does not answer.
 */
export function createServers(primary: Pick<pg.Pool, "query">, reader: Pick<pg.Pool, "query">) {
  const kindOf = (read: WalPosition, written: WalPosition): Comparison["kind"] =>
    read.isReplica ? "replica" : read.server === written.server ? "same" : "foreign";

  async function askPrimary(): Promise<WalPosition & { reached: number; flushed: number }> {
    const position = await ask(primary);
    const { reached, flushed } = position;
    if (reached === null || flushed === null) {
      // As of a server that is down: it may be another one soon.
      throw Object.assign(new Error("DATABASE_URL leads to a replica"), { code: "57P03" });
    }
    return { ...position, reached, flushed };
  }

  async function readReached(): Promise<number> {
    const position = await ask(reader);
    if (position.isReplica) return position.reached ?? Number.NEGATIVE_INFINITY;
    // Positions in another server's log tell nothing.
    const kind = kindOf(position, await askPrimary());
    return kind === "same" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }
  let reading: Promise<number> | undefined;

  return {
    /** The primary's position: what is committed is before `reached`, and before `flushed` if it was committed durably. */
    askPrimary,

    /** Up to where reads see everything that the primary has written. All who ask at a time share one answer, which is old at worst. */
    askReader(): Promise<number> {
      reading ??= readReached().finally(() => {
        reading = undefined;
      });
      return reading;
    },

    async compare(): Promise<Comparison> {
      const written = await askPrimary();
      const read = await ask(reader);
      const kind = kindOf(read, written);
      if (kind !== "replica" || read.reached === null) return { kind, lagBytes: null, lagSeconds: null };
      const lagBytes = Math.max(0, written.flushed - read.reached);
      const seconds =
        read.at === null || written.at === null ? null : Math.max(0, Math.floor(written.at - read.at));
      return { kind, lagBytes, lagSeconds: lagBytes === 0 ? 0 : seconds };
    },
  };
}

/** A connection that was idle may be lost while its server is there. */
async function ask(server: Pick<pg.Pool, "query">): Promise<WalPosition> {
  return await readWalPosition(server).catch((error: unknown) => {
    if (!isLostConnection(error)) throw error;
    return readWalPosition(server);
  });
}
