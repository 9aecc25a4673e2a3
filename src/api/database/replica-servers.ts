import type pg from "pg";
import { readWalPosition, type WalPosition } from "../../../offchain/wal-position.ts";
import { isLostConnection } from "./transient-error.ts";

/** The server that is read from, compared with the one that is written to. */
export type ReplicaComparison = {
  /** `same`: one server under two names. `foreign`: not a replica of the primary, for example since it was promoted. */
  kind: "replica" | "same" | "foreign";
  /** Bytes of the primary's WAL that the replica has not replayed; null if unknown. */
  lagBytes: number | null;
  /** Whole seconds since the primary committed what the replica replayed last; 0 if that is everything, null if unknown. */
  lagSeconds: number | null;
};

export type Servers = ReturnType<typeof createServers>;

/**
 * Asks the server that is written to and the one that is read from for their WAL positions. Each method throws the driver's error
 * if a server does not answer.
 */
export function createServers(primary: Pick<pg.Pool, "query">, reader: Pick<pg.Pool, "query">) {
  const kindOf = (read: WalPosition, written: WalPosition): ReplicaComparison["kind"] =>
    read.isReplica ? "replica" : read.server === written.server ? "same" : "foreign";

  async function askPrimary(): Promise<WalPosition & { reached: number; flushed: number }> {
    const position = await ask(primary);
    const { reached, flushed } = position;
    if (reached === null || flushed === null) {
      // Has the code of a server that is starting up: this may change soon.
      throw Object.assign(new Error("DATABASE_URL leads to a replica"), { code: "57P03" });
    }
    return { ...position, reached, flushed };
  }

  async function readReached(): Promise<number> {
    const position = await ask(reader);
    if (position.isReplica) return position.reached ?? Number.NEGATIVE_INFINITY;
    // Positions in different servers' logs can't be compared.
    const kind = kindOf(position, await askPrimary());
    return kind === "same" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }
  let reading: Promise<number> | undefined;

  return {
    /** The primary's position: all commits are before `reached`, and all durable ones before `flushed`. */
    askPrimary,

    /** The position up to which reads see everything that the primary has written. Concurrent callers share one answer, which may be a little old. */
    askReader(): Promise<number> {
      reading ??= readReached().finally(() => {
        reading = undefined;
      });
      return reading;
    },

    async compare(): Promise<ReplicaComparison> {
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

/** Tries again if the connection was lost: an idle one may be, although its server is up. */
async function ask(server: Pick<pg.Pool, "query">): Promise<WalPosition> {
  return await readWalPosition(server).catch((error: unknown) => {
    if (!isLostConnection(error)) throw error;
    return readWalPosition(server);
  });
}
