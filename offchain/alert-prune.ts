import type pg from "pg";

/**
 * Deletes what is no longer needed: messages older than this many hours, ended subscriptions and those that nobody has verified or
 * changed for a day. The last such message that a receiver still lacks becomes the notice of the gap.
 */
export async function pruneAlerts(pool: Pick<pg.Pool, "query">, hours: number): Promise<void> {
  await pool.query(
    `with old as (
       select f.subscription, f.id, case when s.rule ->> 'type' = 'crosses' then f.id > s.position::bigint else false end as is_lacking,
         row_number() over (partition by f.subscription order by f.id desc) as place
       from offchain.alert_firing f join offchain.alert_subscription s on s.id = f.subscription
       where f.at < now() - make_interval(hours => $1)),
     deleted as (
       delete from offchain.alert_firing f using old
       where f.subscription = old.subscription and f.id = old.id and (old.place > 1 or not old.is_lacking))
     update offchain.alert_firing f set kind = 'gap', data = '{"reason": "no longer kept"}' from old
     where f.subscription = old.subscription and f.id = old.id and old.place = 1 and old.is_lacking and f.kind <> 'gap'`,
    [hours],
  );
  await pool.query(
    `delete from offchain.alert_subscription
     where status = 'ended' and changed_at < now() - interval '1 day'
       or status = 'unverified' and changed_at < now() - interval '1 day'`,
  );
}
