import { singleFlight } from "../../../concurrency/single-flight.ts";
import { type Database, inSnapshot, type PooledDatabase } from "../../../database/database.ts";
import {
  type IndexState,
  readIndexState,
  readIndexStatePrepared,
} from "../../../ponder/index-state.query.ts";
import { allListedTokens } from "../all-listed-tokens.query.ts";
import { readChainFacts } from "../kept/chain-facts.query.ts";
import { type CreatorRow, changedCreators } from "../kept/changed-creators.query.ts";
import { CreatorRecords } from "../kept/creator-records.ts";
import { EntryChanges } from "../kept/entry-changes.ts";
import { activityOfDay, activitySince, listedActivity } from "../listed-activity.query.ts";
import { type ListedRow, listedTokensSince } from "../listed-tokens.query.ts";
import { noActivity } from "./activity.ts";
import { type ActivityChange, ListOrder } from "./list-order.ts";
import { loadList } from "./load-list.ts";

/** What was traded lately of so many tokens takes less than a second; of more, all trades of the day are read. */
const mostLookedUp = 2_000;

/**
 * After so many seconds, in which a backfill goes through months or nobody asks, more may have changed than a look for changes
 * finds faster than reading everything.
 */
const longSeconds = 3 * 3_600;

/** The state of the database at a look at it, and what a reorg may still change, which is read again each time. */
type Look = { state: IndexState; volatileIds: number[] };

type Synced = Look & {
  order: ListOrder;
  /** Of what entries say, beside what the order knows. */
  entries: EntryChanges;
  creators: CreatorRecords;
  /** The last look at what was traded, which only some orders need. */
  activity: Look | undefined;
};

/** What a look found. */
type Found<Row> = (Row & { isVolatile: boolean })[];

/**
 * Keeps a {@link ListOrder} equal to the database. The returned function resolves to the order as of a moment after it was
 * called: what is indexed or registered by then, by whichever process, is in it. What was traded lately is as old as the
 * last call that asked for it.
 */
export function syncList(db: PooledDatabase) {
  let synced: Synced | undefined;
  let isActivityWanted = false;
  /** Resolves when the database has been read for the first time, before what was read is put in order. */
  const rowsAreRead = Promise.withResolvers<void>();

  const readFresh = singleFlight(async (): Promise<Synced> => {
    const withActivity = isActivityWanted && synced?.activity !== undefined;
    isActivityWanted = false;
    const { version } = await readIndexStatePrepared(db);
    if (synced?.state.version === version && (!withActivity || synced.activity?.state.version === version)) {
      return synced;
    }

    const { before, state, facts, all, changes, creators, activity } = await inSnapshot(db, async (tx) => {
      const state = await readIndexState(tx);
      const before = synced !== undefined && leadsTo(synced.state, state) ? synced : undefined;
      return {
        before,
        state,
        facts: await readChainFacts(tx, state.chains),
        all: before === undefined ? await allListedTokens(tx, state.chains) : [],
        changes: before === undefined ? [] : await readChanges(tx, before, state),
        creators: await readCreators(tx, before, state),
        activity:
          withActivity && before?.activity !== undefined
            ? await readActivity(tx, before.activity, state)
            : undefined,
      };
    });
    rowsAreRead.resolve();
    const known = before ?? {
      order: new ListOrder(),
      entries: new EntryChanges(),
      creators: new CreatorRecords(),
    };
    const { order, entries } = known;
    const look =
      before === undefined
        ? { state, volatileIds: await loadList(known, all, state.registry) }
        : lookOf(state, changes);
    if (before !== undefined) order.apply(changes, state.registry);
    for (const { id, creator } of changes) entries.setCreator(id, creator);
    entries.record({
      ids: changes.map(({ id }) => id),
      creators: known.creators.changed(creators),
      chains: facts,
    });
    if (activity !== undefined) order.applyActivity(activity);
    synced = {
      ...known,
      ...look,
      activity: activity === undefined ? before?.activity : lookOf(state, activity),
    };
    return synced;
  });

  /** Apart from the list, which must not wait for it: the first look reads all trades of a day. */
  const readFirstActivity = singleFlight(async (): Promise<void> => {
    if (synced?.activity !== undefined) return;
    const fresh = readFresh();
    // Not beside the list, for which everybody waits, but while that is put in order.
    await Promise.race([rowsAreRead.promise, fresh]);
    const [{ order }, { state, activity }] = await Promise.all([
      fresh,
      inSnapshot(db, async (tx) => ({ state: await readIndexState(tx), activity: await activityOfDay(tx) })),
    ]);
    // Of another order meanwhile, the next look is the first one again.
    if (synced?.order !== order) return;
    order.applyActivity(activity);
    synced = { ...synced, activity: lookOf(state, activity) };
  });

  async function read({ withActivity }: { withActivity: boolean }): Promise<Synced> {
    if (withActivity && synced?.activity === undefined) await readFirstActivity();
    // Whatever reading begins from now on sees it, the one whose answer this is among them.
    isActivityWanted ||= withActivity;
    const found = await readFresh();
    return withActivity && found.activity === undefined ? await read({ withActivity }) : found;
  }

  return {
    read,

    /** What the last look found of entries, if there was one. */
    entryChanges: (): EntryChanges | undefined => synced?.entries,
  };
}

function lookOf(state: IndexState, rows: Found<{ id: number }>): Look {
  return { state, volatileIds: rows.flatMap(({ id, isVolatile }) => (isVolatile ? [id] : [])) };
}

async function readChanges(
  tx: Database,
  { state, volatileIds }: Look,
  now: IndexState,
): Promise<ListedRow[]> {
  const { registry, chains } = state;
  return await listedTokensSince(tx, { registry, before: chains, volatileIds, now: now.chains });
}

/** At first, those whose record a reorg may still change. */
async function readCreators(
  tx: Database,
  before: Synced | undefined,
  now: IndexState,
): Promise<CreatorRow[]> {
  return await changedCreators(tx, {
    before: (before?.state ?? now).chains,
    volatile: before?.creators.volatile ?? [],
    now: now.chains,
  });
}

async function readActivity(
  tx: Database,
  { state, volatileIds }: Look,
  { chains }: IndexState,
): Promise<Found<ActivityChange>> {
  const ids = await activitySince(tx, {
    registry: state.registry,
    before: state.chains,
    volatileIds,
    now: chains,
  });
  if (ids.length <= mostLookedUp) return await listedActivity(tx, ids);
  const traded = new Map((await activityOfDay(tx)).map((row) => [row.id, row]));
  return [...ids].map((id) => traded.get(id) ?? { id, activity: noActivity, isVolatile: false });
}

/**
 * Whether the newer state is some changes from the older: the database was not re-indexed or restored meanwhile, nor
 * grew by months.
 */
function leadsTo(before: IndexState, now: IndexState): boolean {
  return (
    now.registry >= before.registry &&
    now.chains.every(({ chainId, safe }) => {
      const earlier = before.chains.find((chain) => chain.chainId === chainId)?.safe;
      return earlier !== undefined && safe.timestamp - earlier.timestamp < longSeconds;
    }) &&
    before.chains.every(({ chainId, safe }) => {
      const chain = now.chains.find((candidate) => candidate.chainId === chainId);
      return chain !== undefined && chain.safe.block >= safe.block;
    })
  );
}
