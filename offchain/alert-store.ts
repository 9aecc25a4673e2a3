import { createHash } from "node:crypto";
import type pg from "pg";
import { pruneAlerts } from "./alert-prune.ts";
import { inTransaction, onPooledConnection } from "./connection.ts";

/** A subscription as it is stored. `sealed` can be opened with the operator's key alone. */
export type AlertRow = {
  id: string;
  owner: string;
  chain_id: number;
  rule: unknown;
  sealed: string;
  host: string;
  client: string;
  batch: number;
  status: AlertStatus;
  reason: string | null;
  digest: string | null;
  position: string;
  is_behind: boolean;
  condition: unknown;
  failures: number;
  failing_since: Date | null;
  retry_at: Date | null;
  recent: AlertAttempt[];
  created_at: Date;
  revision: string;
};

/** `ended`: its owner has ended it. The row stays for a day, so that whoever delivers learns of it. */
type AlertStatus = "unverified" | "active" | "paused" | "ended";

/** An attempt to deliver: the messages from `first` to `last`, and what became of it. */
export type AlertAttempt = {
  at: string;
  first: string;
  last: string;
  /** The position before them. Attempts of earlier versions lack it. */
  from?: string;
  /** The HTTP status; null without an answer. */
  status: number | null;
  ms: number;
  error: string | null;
  /** Attempts of earlier versions lack it. */
  errorCode?: string | null;
};

export type NewAlert = Pick<
  AlertRow,
  "id" | "owner" | "chain_id" | "rule" | "sealed" | "host" | "client" | "batch" | "digest" | "position"
>;

/** A wallet on one chain. */
export type AlertOwner = { owner: string; chainId: number };

export type AlertLimits = { perWallet: number; perAddress: number; unverifiedPerHost: number };

/** Which limit a new subscription would exceed. */
export type AlertRefusal = "wallet" | "address" | "host";

/** What its owner may change, or the proof of the receiver. */
export type AlertChange = Partial<
  Pick<AlertRow, "sealed" | "host" | "batch" | "status" | "reason" | "position" | "is_behind">
>;

/** What delivering changes. */
export type AlertProgress = Pick<
  AlertRow,
  "id" | "revision" | "status" | "reason" | "position" | "is_behind" | "failures" | "recent"
> & { failing_since: string | null; retry_at: string | null };

/** A message of a condition. */
export type AlertFiring = {
  id: string;
  kind: "met" | "retracted" | "gap";
  data: Record<string, unknown>;
  at: Date;
};

export type AlertLease = { lease: number; delivered: string | null; evaluated: number | null };

/** Notified with a subscription's id whenever its owner has changed it. */
export const alertChannel = "offchain_alert";

const maxTokensPerWallet = 20;

export type AlertStore = ReturnType<typeof createAlertStore>;

/** Reads and writes subscriptions to alerts. Every method throws the driver's error if the database fails. */
export function createAlertStore(pool: pg.Pool) {
  /** Runs `work` in a transaction that has a new revision. Whoever changes subscriptions takes turns in it. */
  async function withRevision<Result>(
    work: (client: pg.PoolClient, revision: string) => Promise<Result>,
  ): Promise<Result> {
    return await onPooledConnection(pool, (client) =>
      inTransaction(client, async () => {
        // Whatever the server's default: its owner is told that it is stored.
        await client.query("set local synchronous_commit = on");
        const { rows } = await client.query<{ revision: string }>(
          "update offchain.alert_work set revision = revision + 1 where id = 1 returning revision",
        );
        return await work(client, rows[0]?.revision ?? "0");
      }),
    );
  }

  /** Runs `work` in a transaction that only commits while this process has the lease. Resolves to whether it has it. */
  async function underLease(lease: number, work: (client: pg.PoolClient) => Promise<void>): Promise<boolean> {
    return await onPooledConnection(pool, (client) =>
      inTransaction(client, async () => {
        await client.query("set local synchronous_commit = on");
        const { rowCount } = await client.query(
          "select from offchain.alert_work where id = 1 and lease = $1 for share",
          [lease],
        );
        if (rowCount === 1) await work(client);
        return rowCount === 1;
      }),
    );
  }

  return {
    /** Stores a new subscription. Resolves to the stored one if the same signed message has made it before. */
    async create(alert: NewAlert, limits: AlertLimits): Promise<AlertRow | AlertRefusal> {
      return await withRevision(async (client, revision) => {
        if (alert.digest !== null) {
          const { rows } = await client.query<AlertRow>(
            "select * from offchain.alert_subscription where digest = $1",
            [alert.digest],
          );
          if (rows[0] !== undefined) return rows[0];
        }
        const { rows: counts } = await client.query<Record<AlertRefusal, number>>(
          `select
             (select count(*)::int from offchain.alert_subscription where owner = $1 and status <> 'ended') as wallet,
             (select count(*)::int from offchain.alert_subscription where client = $2 and status <> 'ended') as address,
             (select count(*)::int from offchain.alert_subscription where host = $3 and client = $2 and status = 'unverified') as host`,
          [alert.owner, alert.client, alert.host],
        );
        const [count] = counts;
        if (count === undefined || count.wallet >= limits.perWallet) return "wallet";
        if (count.address >= limits.perAddress) return "address";
        if (count.host >= limits.unverifiedPerHost) return "host";
        const { rows } = await client.query<AlertRow>(
          `insert into offchain.alert_subscription
             (id, owner, chain_id, rule, sealed, host, client, batch, digest, position, status, is_behind, revision)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'unverified', true, $11) returning *`,
          [
            alert.id,
            alert.owner,
            alert.chain_id,
            JSON.stringify(alert.rule),
            alert.sealed,
            alert.host,
            alert.client,
            alert.batch,
            alert.digest,
            alert.position,
            revision,
          ],
        );
        return rows[0] as AlertRow;
      });
    },

    /**
     * Changes a subscription that has not ended, and tells whoever delivers. Resolves to undefined if there is none, and to "host" if
     * as many of its client's as may be already wait for the host that it would move to.
     */
    async change(
      id: string,
      change: (alert: AlertRow) => AlertChange,
      unverifiedPerHost = Number.POSITIVE_INFINITY,
    ): Promise<AlertRow | "host" | undefined> {
      return await withRevision(async (client, revision) => {
        const { rows } = await client.query<AlertRow>(
          "select * from offchain.alert_subscription where id = $1 and status <> 'ended' for update",
          [id],
        );
        const [alert] = rows;
        if (alert === undefined) return undefined;
        const { sealed, host, batch, status, reason, position, is_behind } = { ...alert, ...change(alert) };
        if (status === "unverified" && (alert.status !== status || alert.host !== host)) {
          const { rows: others } = await client.query(
            `select from offchain.alert_subscription
             where host = $1 and client = $2 and status = 'unverified' and id <> $3`,
            [host, alert.client, id],
          );
          if (others.length >= unverifiedPerHost) return "host";
        }
        const { rows: changed } = await client.query<AlertRow>(
          `update offchain.alert_subscription set sealed = $2, host = $3, batch = $4, status = $5, reason = $6, position = $7,
             is_behind = $8, failures = 0, failing_since = null, retry_at = null, changed_at = now(), revision = $9
           where id = $1 returning *`,
          [id, sealed, host, batch, status, reason, position, is_behind, revision],
        );
        await client.query("select pg_notify($1, $2)", [alertChannel, id]);
        return changed[0];
      });
    },

    async find(id: string): Promise<AlertRow | undefined> {
      const { rows } = await pool.query<AlertRow>(
        "select * from offchain.alert_subscription where id = $1 and status <> 'ended'",
        [id],
      );
      return rows[0];
    },

    /** A wallet's subscriptions on a chain, the newest first. */
    async list({ owner, chainId }: AlertOwner): Promise<AlertRow[]> {
      const { rows } = await pool.query<AlertRow>(
        `select * from offchain.alert_subscription where owner = $1 and chain_id = $2 and status <> 'ended'
         order by created_at desc, id`,
        [owner, chainId],
      );
      return rows;
    },

    /** Stores a token, unless the same signed message has yielded one before: then resolves to false. */
    async addToken(
      { owner, chainId }: AlertOwner,
      token: string,
      digest: string,
      expiresAt: Date,
    ): Promise<boolean> {
      await pool.query("delete from offchain.alert_token where expires_at < now()");
      const { rowCount } = await pool.query(
        `insert into offchain.alert_token (hash, owner, chain_id, digest, expires_at) values ($1, $2, $3, $4, $5)
         on conflict do nothing`,
        [hashToken(token), owner, chainId, digest, expiresAt],
      );
      await pool.query(
        `delete from offchain.alert_token where owner = $1 and hash not in (
           select hash from offchain.alert_token where owner = $1 order by expires_at desc limit $2)`,
        [owner, maxTokensPerWallet],
      );
      return rowCount === 1;
    },

    /** The wallet that a token stands for, and on which chain; undefined if it is not valid, or no longer. */
    async ownerOf(token: string): Promise<AlertOwner | undefined> {
      const { rows } = await pool.query<AlertOwner>(
        `select owner, chain_id as "chainId" from offchain.alert_token where hash = $1 and expires_at > now()`,
        [hashToken(token)],
      );
      return rows[0];
    },

    /** Takes the lease, if nobody has it. One that ends much later than any can was taken before the clock was set back. */
    async takeLease(seconds: number): Promise<AlertLease | undefined> {
      const { rows } = await pool.query<{
        lease: string;
        delivered: string | null;
        evaluated: string | null;
      }>(
        `update offchain.alert_work set lease = lease + 1, lease_until = clock_timestamp() + make_interval(secs => $1)
         where id = 1 and lease_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => 2 * $1)
         returning lease, delivered, evaluated`,
        [seconds],
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const { lease, delivered, evaluated } = row;
      return { lease: Number(lease), delivered, evaluated: evaluated === null ? null : Number(evaluated) };
    },

    /** Extends the lease, and notes up to where every subscription that is not behind has its events. Resolves to whether it is still ours. */
    async renewLease(lease: number, seconds: number, delivered: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update offchain.alert_work set lease_until = clock_timestamp() + make_interval(secs => $2),
           delivered = $3
         where id = 1 and lease = $1`,
        [lease, seconds, delivered],
      );
      return rowCount === 1;
    },

    /** Lets another process take the lease at once. */
    async releaseLease(lease: number, delivered: string | null): Promise<void> {
      await pool.query(
        `update offchain.alert_work set lease_until = '-infinity', delivered = coalesce($2, delivered) where id = 1 and lease = $1`,
        [lease, delivered],
      );
    },

    /**
     * Goes on in another schema's journal: every subscription to events reads from its own place, which is in the journal before, and
     * conditions get the notice of a gap.
     *
     * @param left the place in the journal before up to which those that were not behind had everything
     */
    async changeJournal({ lease, delivered, evaluated }: AlertLease, left: string): Promise<void> {
      await underLease(lease, async (client) => {
        await client.query(
          // One that is paused lacks what came since. That is noted in its row only if it was paused while somebody delivered.
          `update offchain.alert_subscription set is_behind = true,
             position = case when status = 'active' and split_part(position, '-', 1)::bigint < split_part($1, '-', 1)::bigint
               then $1 else position end
           where not is_behind and rule ->> 'type' = 'events' and status <> 'ended'`,
          [left],
        );
        await client.query(
          `insert into offchain.alert_firing (subscription, kind, data)
           select id, 'gap', '{"reason": "Another index has taken over: the condition may have been met without a message."}'
           from offchain.alert_subscription
           where condition is not null and rule ->> 'type' = 'crosses' and status in ('active', 'paused')`,
        );
        await client.query("update offchain.alert_work set delivered = $1, evaluated = $2 where id = 1", [
          delivered,
          evaluated,
        ]);
      });
    },

    /** Reads subscriptions that were changed after a revision, in its order: all that count, after revision 0. */
    async readChanged(revision: string, limit: number): Promise<AlertRow[]> {
      const { rows } = await pool.query<AlertRow>(
        `select * from offchain.alert_subscription where revision > $1
         order by revision limit $2`,
        [revision, limit],
      );
      return rows;
    },

    /** Reads which conditions have messages that their receivers lack, and the id of the last one. */
    async readPending(): Promise<{ id: string; newest: number }[]> {
      // The positions of other subscriptions are no numbers, whatever the planner compares first.
      const { rows } = await pool.query<{ id: string; newest: string }>(
        `select s.id, f.newest from offchain.alert_subscription s
         cross join lateral (select max(id) as newest from offchain.alert_firing where subscription = s.id) f
         where s.rule ->> 'type' = 'crosses'
           and case when s.rule ->> 'type' = 'crosses' then f.newest > s.position::bigint else false end`,
      );
      return rows.map(({ id, newest }) => ({ id, newest: Number(newest) }));
    },

    async readFirings(subscription: string, after: string, limit: number): Promise<AlertFiring[]> {
      const { rows } = await pool.query<AlertFiring>(
        `select id, kind, data, at from offchain.alert_firing where subscription = $1 and id > $2 order by id limit $3`,
        [subscription, after, limit],
      );
      return rows;
    },

    /**
     * Saves what was delivered, except for subscriptions that their owners have changed since. Resolves to the ids of those that were
     * saved, or to undefined if the lease is no longer ours.
     */
    async saveProgress(lease: number, progress: AlertProgress[]): Promise<string[] | undefined> {
      let saved: string[] = [];
      const isHeld = await underLease(lease, async (client) => {
        const { rows } = await client.query<{ id: string }>(
          `update offchain.alert_subscription s set status = p.status, reason = p.reason, position = p.position,
             is_behind = p.is_behind, failures = p.failures, failing_since = p.failing_since, retry_at = p.retry_at,
             recent = p.recent
           from jsonb_to_recordset($1::jsonb) as p (id text, revision bigint, status text, reason text, position text,
             is_behind boolean, failures int, failing_since timestamptz, retry_at timestamptz, recent jsonb)
           where s.id = p.id and s.revision = p.revision returning s.id`,
          [JSON.stringify(progress)],
        );
        saved = rows.map(({ id }) => id);
      });
      return isHeld ? saved : undefined;
    },

    /**
     * Saves the states of conditions and their new messages, and up to which event they were evaluated. Resolves to the messages with
     * their ids, or to undefined if the lease is no longer ours.
     */
    async saveEvaluation(
      lease: number,
      evaluated: number,
      states: { id: string; state: unknown }[],
      firings: (Omit<AlertFiring, "id" | "at"> & { subscription: string })[],
    ): Promise<(AlertFiring & { subscription: string })[] | undefined> {
      let saved: (AlertFiring & { subscription: string })[] = [];
      const isHeld = await underLease(lease, async (client) => {
        await client.query(
          "update offchain.alert_work set evaluated = greatest(evaluated, $1) where id = 1",
          [evaluated],
        );
        if (states.length > 0) {
          await client.query(
            `update offchain.alert_subscription s set condition = p.state
             from jsonb_to_recordset($1::jsonb) as p (id text, state jsonb) where s.id = p.id`,
            [JSON.stringify(states)],
          );
        }
        if (firings.length === 0) return;
        const { rows } = await client.query<AlertFiring & { subscription: string }>(
          `insert into offchain.alert_firing (subscription, kind, data)
           select f ->> 'subscription', f ->> 'kind', f -> 'data'
           from jsonb_array_elements($1::jsonb) with ordinality as given (f, place)
           where exists (select from offchain.alert_subscription s where s.id = f ->> 'subscription')
           order by place returning *`,
          [JSON.stringify(firings)],
        );
        saved = rows.sort((left, right) => Number(left.id) - Number(right.id));
      });
      return isHeld ? saved : undefined;
    },

    prune: (hours: number) => pruneAlerts(pool, hours),
  };
}

const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");
