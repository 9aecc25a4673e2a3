import { type SQL, sql } from "drizzle-orm";
import { type Database, queryRows } from "../database/database.ts";
import { isRowHidden } from "../market/hidden-token.query.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";
import { askedKinds, isAboutTrades } from "./filter.ts";

/** Which events to read. Empty lists and undefined match all, except for kinds that must be asked for. Addresses are lower-case. */
export type StreamFilter = {
  chainId: number | undefined;
  mints: string[];
  creators: string[];
  kinds: string[];
  /** Conditions on trades. If there is any, other events don't match. */
  traders: string[];
  side: string | undefined;
  venue: string | undefined;
  minWei: bigint | undefined;
};

/** A reader's position in the stream: in the journal, and among the registrations, which are ordered by version. */
export type StreamPosition = {
  /** The last event of the journal. */
  event: number;
  /** The registry's version of the last registration, and its id; undefined if it was the last one of that version. */
  version: number;
  registration: number | undefined;
};

export type StreamEventRow = {
  id: string;
  chain_id: number;
  position: string;
  kind: string;
  mint: string;
  creator: string | null;
  data: string;
  removed: boolean;
  is_hidden: boolean;
};

/** Reads the matching events of the journal between two positions, in order, and all `begin` events. */
export async function readStreamEvents(
  db: Database,
  { after, upTo, filter, limit }: StreamPart,
): Promise<StreamEventRow[]> {
  return await queryRows<StreamEventRow>(
    db,
    sql`select id, chain_id, position, kind, mint, creator, data, removed,
          ${isRowHidden(sql`stream_event.chain_id`, sql`stream_event.mint`)} as is_hidden
        from offchain.stream_event
        where id > ${after.event} and id <= ${upTo.event}
          and schema = ${onchainSchema} and (kind = 'begin' or (${matches(filter)} and ${isKind(filter)} and ${isTrade(filter)}))
        order by id limit ${limit}`,
  );
}

/** Reads the id of the event that is `count` events after `after`; undefined if there are fewer up to `upTo`. */
export async function readStreamEventAt(
  db: Database,
  { after, upTo }: Pick<StreamPart, "after" | "upTo">,
  count: number,
): Promise<number | undefined> {
  const [row] = await queryRows<{ id: string }>(
    db,
    sql`select id from offchain.stream_event
        where schema = ${onchainSchema} and id > ${after.event} and id <= ${upTo.event}
        order by id offset ${count - 1} limit 1`,
  );
  return row === undefined ? undefined : Number(row.id);
}

export type StreamPart = {
  after: StreamPosition;
  upTo: StreamPosition;
  filter: StreamFilter;
  limit: number;
};

export type StreamRegistrationRow = {
  id: number;
  chain_id: number;
  mint: string;
  name: string;
  symbol: string;
  creator: string;
  burn_percent: number;
  description: string | null;
  image_url: string | null;
  twitter_url: string | null;
  telegram_url: string | null;
  website_url: string | null;
  verified: boolean;
  registered_at: string;
  version: string;
};

/** Reads the registrations between two positions, in their current state, ordered by version. */
export async function readStreamRegistrations(
  db: Database,
  { after, upTo, filter, limit }: StreamPart,
): Promise<StreamRegistrationRow[]> {
  return await queryRows<StreamRegistrationRow>(
    db,
    sql`select id, chain_id, mint, name, symbol, creator, burn_percent, description, image_url, twitter_url,
          telegram_url, website_url, verified, registered_at, version
        from offchain.registration
        where (version, id) > (${after.version}::bigint, ${after.registration ?? lastId}::int)
          and (version, id) <= (${upTo.version}::bigint, ${upTo.registration ?? lastId}::int)
          and ${matches(filter)}
        order by version, id limit ${limit}`,
  );
}

/** Reads the current end of the stream; undefined before its journal begins. */
export async function readStreamEnd(db: Database): Promise<StreamPosition | undefined> {
  const [row] = await queryRows<{ event: string | null; version: string }>(
    db,
    sql`select registry.version,
          (select max(id) from offchain.stream_event where schema = ${onchainSchema}
             and exists (select from offchain.stream_state where schema = ${onchainSchema})) as event
        from offchain.registry where registry.id = 1`,
  );
  if (row === undefined || row.event === null) return undefined;
  return { event: Number(row.event), version: Number(row.version), registration: undefined };
}

/**
 * Checks whether a reader can continue from a position. `gone`: the events after it are no longer kept, or this index began its
 * journal later. `unknown`: the stream has not reached it yet.
 */
export async function findStreamPosition(
  db: Database,
  { event, version }: StreamPosition,
): Promise<"known" | "gone" | "unknown"> {
  const [row] = await queryRows<{ is_known: boolean; last: string | null; registry: string }>(
    db,
    sql`select registry.version as registry,
          (select max(id) from offchain.stream_event where schema = ${onchainSchema}) as last,
          exists (
            select from offchain.stream_event where id = ${event} and schema = ${onchainSchema}
              and id >= (select max(begun) from offchain.stream_state where schema = ${onchainSchema})
          ) as is_known
        from offchain.registry where registry.id = 1`,
  );
  if (row === undefined || version > Number(row.registry) || event > Number(row.last ?? 0)) return "unknown";
  return row.is_known ? "known" : "gone";
}

/** At least as large as every registration's id. */
const lastId = 2 ** 31 - 1;

function matches({ chainId, mints, creators }: StreamFilter): SQL {
  const conditions = [
    ...(chainId === undefined ? [] : [sql`chain_id = ${chainId}`]),
    ...(mints.length === 0 ? [] : [sql`mint = any(${sql.param(mints)}::text[])`]),
    ...(creators.length === 0 ? [] : [sql`creator = any(${sql.param(creators)}::text[])`]),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** The trade is in the event's JSON, which is parsed only for rows that meet the other conditions. */
function isTrade(filter: StreamFilter): SQL {
  if (!isAboutTrades(filter)) return sql`true`;
  const { traders, side, venue, minWei } = filter;
  const conditions = [
    ...(traders.length === 0 ? [] : [sql`data::jsonb ->> 'trader' = any(${sql.param(traders)}::text[])`]),
    ...(side === undefined ? [] : [sql`data::jsonb ->> 'side' = ${side}`]),
    ...(venue === undefined ? [] : [sql`data::jsonb ->> 'venue' = ${venue}`]),
    ...(minWei === undefined
      ? []
      : [sql`(data::jsonb ->> 'bnbAmountWei')::numeric >= ${String(minWei)}::numeric`]),
  ];
  return sql`kind = 'trade' and ${sql.join(conditions, sql` and `)}`;
}

function isKind({ kinds }: StreamFilter): SQL {
  return kinds.length === 0
    ? sql`kind <> all(${sql.param(askedKinds)}::text[])`
    : sql`kind = any(${sql.param(kinds)}::text[])`;
}
