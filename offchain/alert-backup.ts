import type pg from "pg";
import { z } from "zod";

/*
 * Subscriptions to webhooks as lines of a backup (JSON Lines): what their owners have agreed on. Where they were in the journal is
 * omitted, since a restored database begins another one.
 */

const record = z.strictObject({
  id: z.string().min(1),
  owner: z.string(),
  chainId: z.int(),
  rule: z.looseObject({ type: z.string() }),
  /** Encrypted with the operator's key, like in the database. */
  sealed: z.string(),
  host: z.string(),
  client: z.string(),
  batch: z.int(),
  status: z.enum(["active", "paused"]),
  reason: z.string().nullable(),
  digest: z.string().nullable(),
  createdAt: z.iso.datetime({ offset: true }),
});

type SubscriptionBackup = z.infer<typeof record>;

/** The highest numbers that clients of the stream and receivers of webhooks may know. */
export const knownNumbers = z.object({ event: z.int(), firing: z.int(), version: z.int() });

export type KnownNumbers = z.infer<typeof knownNumbers>;

/** What is numbered after the snapshot of a backup, and is lost with its database. Far more than there can be. */
const margin = 1_000_000_000;
const pageSize = 500;

/** Reads every subscription whose receiver was verified, ordered by id. */
export async function* readSubscriptions(client: pg.ClientBase): AsyncGenerator<SubscriptionBackup> {
  for (let last = ""; ; ) {
    const { rows } = await client.query<SubscriptionBackup>(
      `select id, owner, chain_id as "chainId", rule, sealed, host, client, batch, status, reason, digest,
         to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt"
       from offchain.alert_subscription where id > $1 and status in ('active', 'paused') order by id limit $2`,
      [last, pageSize],
    );
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}

/** Parses a line of a backup. Throws a ZodError or a SyntaxError. */
export const parseSubscription = (line: string): SubscriptionBackup => record.parse(JSON.parse(line));

/**
 * Adds subscriptions of a backup, whose receivers get what happens from now on. Their place is one before the end of the journal, so that
 * a journal that is yet to begin is a gap, which receivers are told of, and so are those of conditions. What its owner has ended since
 * stays ended. Resolves to the number of those added.
 */
export async function insertSubscriptions(
  client: pg.ClientBase,
  subscriptions: SubscriptionBackup[],
): Promise<number> {
  const json = JSON.stringify(subscriptions);
  await client.query("update offchain.alert_work set revision = revision + 1 where id = 1");
  const { rows } = await client.query<{ id: string; type: string }>(
    `insert into offchain.alert_subscription
       (id, owner, chain_id, rule, sealed, host, client, batch, status, reason, digest, created_at, position, is_behind, revision)
     select given.id, owner, "chainId", rule, sealed, host, client, batch, status, reason, digest, "createdAt",
       case rule ->> 'type' when 'crosses' then '0' else greatest(0, journal.last - 1) || '-' || registry.version end,
       true, alert_work.revision
     from jsonb_to_recordset($1) as given (id text, owner text, "chainId" int, rule jsonb, sealed text, host text, client text, batch int,
       status text, reason text, digest text, "createdAt" timestamptz), offchain.registry, offchain.alert_work,
       (select pg_sequence_last_value(pg_get_serial_sequence('offchain.stream_event', 'id')) as last) journal
     on conflict do nothing returning id, rule ->> 'type' as type`,
    [json],
  );
  await client.query(
    `insert into offchain.alert_firing (subscription, kind, data)
     select id, 'gap', '{"reason": "The service was restored from a backup: the condition begins with the current value."}'
     from unnest($1::text[]) given (id)`,
    [rows.flatMap(({ id, type }) => (type === "crosses" ? id : []))],
  );
  return rows.length;
}

export async function readKnownNumbers(client: pg.ClientBase): Promise<KnownNumbers> {
  const { rows } = await client.query<Record<keyof KnownNumbers, string>>(
    `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('offchain.stream_event', 'id')), 0) as event,
       coalesce(pg_sequence_last_value(pg_get_serial_sequence('offchain.alert_firing', 'id')), 0) as firing,
       (select version from offchain.registry) as version`,
  );
  const { event = 0, firing = 0, version = 0 } = rows[0] ?? {};
  return { event: Number(event), firing: Number(firing), version: Number(version) };
}

/** Leaves out the numbers that clients may know from before: what is new would be taken for what they have. */
export async function skipNumbers(
  client: Pick<pg.ClientBase, "query">,
  { event, firing, version }: KnownNumbers,
): Promise<void> {
  await client.query(
    `select setval(sequence, greatest(pg_sequence_last_value(sequence), known))
     from (values (pg_get_serial_sequence('offchain.stream_event', 'id')::regclass, $1::bigint),
       (pg_get_serial_sequence('offchain.alert_firing', 'id')::regclass, $2)) given (sequence, known)`,
    [event + margin, firing + margin],
  );
  await client.query("update offchain.registry set version = greatest(version, $1)", [version + margin]);
}
