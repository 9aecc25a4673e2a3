import { singleFlight } from "../../../concurrency/single-flight.ts";
import { type Database, inSnapshot, type PooledDatabase } from "../../../database/database.ts";
import { type IndexState, readIndexState, readIndexStateOften } from "../../../ponder/index-state.query.ts";
import { allListedTokens } from "../all-listed-tokens.query.ts";
import { activityOfDay, activitySince, listedActivity } from "../listed-activity.query.ts";
import { listedTokensSince } from "../listed-tokens.query.ts";
import { highestId, unpackTokens } from "../unpack-tokens.ts";
import { noActivity } from "./activity.ts";
import { type ActivityChange, type Change, ListOrder } from "./list-order.ts";

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

  const readFresh = singleFlight(async (): Promise<Synced> => {
    const withActivity = isActivityWanted;
    isActivityWanted = false;
    const { version } = await readIndexStateOften(db);
    if (synced?.state.version === version && (!withActivity || synced.activity?.state.version === version)) {
      return synced;
    }

    const { before, state, all, changes, activity } = await inSnapshot(db, async (tx) => {
      const state = await readIndexState(tx);
      const before = synced !== undefined && leadsTo(synced.state, state) ? synced : undefined;
      return {
        before,
        state,
        all: before === undefined ? await allListedTokens(tx, state.chains) : [],
        changes: before === undefined ? [] : await readChanges(tx, before, state),
        activity: withActivity ? await readActivity(tx, before?.activity, state) : undefined,
      };
    });
    const order = before?.order ?? new ListOrder();
    const look = before === undefined ? load(order, all, state) : lookOf(state, changes);
    if (before !== undefined) order.apply(changes, state.registry);
    if (activity !== undefined) order.applyActivity(activity);
    synced = {
      order,
      ...look,
      activity: activity === undefined ? before?.activity : lookOf(state, activity),
    };
    return synced;
  });

  return async ({ withActivity }: { withActivity: boolean }): Promise<Synced> => {
    // Whatever reading begins from now on sees it, the one whose answer this is among them.
    isActivityWanted ||= withActivity;
    return await readFresh();
  };
}

function lookOf(state: IndexState, rows: Found<{ id: number }>): Look {
  return { state, volatileIds: rows.flatMap(({ id, isVolatile }) => (isVolatile ? [id] : [])) };
}

function load(order: ListOrder, packed: Buffer[], state: IndexState): Look {
  const volatileIds: number[] = [];
  function* tokens() {
    for (const some of packed) {
      for (const token of unpackTokens(some)) {
        if (token.isVolatile) volatileIds.push(token.id);
        yield token;
      }
    }
  }
  order.load(tokens(), { highestId: highestId(packed), registry: state.registry });
  return { state, volatileIds };
}

async function readChanges(
  tx: Database,
  { state, volatileIds }: Look,
  now: IndexState,
): Promise<Found<Change>> {
  const { registry, chains } = state;
  return await listedTokensSince(tx, { registry, before: chains, volatileIds, now: now.chains });
}

async function readActivity(
  tx: Database,
  before: Look | undefined,
  { chains }: IndexState,
): Promise<Found<ActivityChange>> {
  if (before === undefined) return await activityOfDay(tx);
  const { state, volatileIds } = before;
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

/** Whether the newer state is some changes from the older: the database was not re-indexed or restored meanwhile, nor grew by months. */
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
