import { sql } from "drizzle-orm";
import { forgettingCauses } from "../../../chain-access/history/repair-requests.ts";
import { type Database, queryRows } from "../database/database.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";

/** Why what this process serves is being replaced. */
export type Repair = {
  chainId: number;
  /** `reorg`, `operator`, `loss` or `difference`. */
  cause: string;
  /** The first block whose history or rows are wrong. */
  fromBlock: number;
  /** The token whose rows are wrong; null if any may be. */
  token: string | null;
  reason: string;
  requestedAt: Date;
  /** The schema that is, or was, indexed instead; null until that begins. */
  repairedIn: string | null;
  /** Whether blocks are served that the chain does not have. Otherwise, single events are missing. */
  isUrgent: boolean;
};

type Row = {
  chain_id: number;
  cause: string;
  from_block: string;
  token: string | null;
  reason: string;
  requested_at: string | Date;
  repaired_in: string | null;
  is_urgent: boolean;
};

const maxRepairs = 20;

/** Reads the last repairs that this process's schema needs, the urgent ones first. */
export async function readRepairs(db: Database): Promise<Repair[]> {
  const urgent = sql`cause = any(${sql.param([...forgettingCauses])}::text[])`;
  const rows = await queryRows<Row>(
    db,
    sql`select chain_id, cause, from_block, token, reason, requested_at, repaired_in, ${urgent} as is_urgent
        from offchain.repair_request where repaired_in is null or ${onchainSchema} = any(stale)
        order by is_urgent desc, id desc limit ${maxRepairs}`,
  );
  return rows.map((row) => ({
    chainId: row.chain_id,
    cause: row.cause,
    fromBlock: Number(row.from_block),
    token: row.token,
    reason: row.reason,
    requestedAt: new Date(row.requested_at),
    repairedIn: row.repaired_in,
    isUrgent: row.is_urgent,
  }));
}

type Connections = { used: number; most: number };

/** Reads how many connections the server has, of all its databases, and how many it accepts from roles that are no superuser. */
export async function readConnections(db: Database): Promise<Connections | undefined> {
  const [row] = await queryRows<Connections>(
    db,
    sql`select sum(numbackends)::int as used,
          current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true), '0')::int as most
        from pg_stat_database`,
  );
  return row;
}
