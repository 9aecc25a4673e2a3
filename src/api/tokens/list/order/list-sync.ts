import { singleFlight } from "../../../concurrency/single-flight.ts";
import { allowSeqScans, type Database, inSnapshot, type PooledDatabase } from "../../../database/database.ts";
import { type IndexState, readIndexState, readIndexStateOften } from "../../../ponder/index-state.query.ts";
import { activitySince, listedActivity } from "../listed-activity.query.ts";
import { listedTokensAfter, listedTokensSince } from "../listed-tokens.query.ts";
import { type ActivityChange, type Change, ListOrder } from "./list-order.ts";

/** Rows read at a time when there are many. */
const chunk = 20_000;
/** What was traded lately takes some index probes for each token: so many stay far below the time limit of a statement. */
const activityChunk = 2_000;

/** The state of the database at a look at it, and what a reorg may still change, which is read again each time. */
type Look = { state: IndexState; volatileIds: number[] };

type Synced = Look & {
  order: ListOrder;
  /** The last look at what was traded, which only some orders need. */
  activity: Look | undefined;
};

/** What a look found. */
type Found<Row> = { rows: (Row & { isVolatile: boolean })[] };

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

    const { state, isAll, tokens, activity } = await inSnapshot(db, async (tx) => {
      const state = await readIndexState(tx);
      const before = synced !== undefined && !goesBack(synced.state, state) ? synced : undefined;
      return {
        state,
        isAll: before === undefined,
        tokens: before === undefined ? await readAll(tx, state) : await readChanges(tx, before, state),
        activity: withActivity ? await readActivity(tx, before?.activity, state) : undefined,
      };
    });
    const order = synced === undefined || isAll ? new ListOrder() : synced.order;
    order.apply(tokens.rows, state.registry);
    if (activity !== undefined) order.applyActivity(activity.rows);
    synced = {
      order,
      ...lookOf(state, tokens),
      activity: activity === undefined ? (isAll ? undefined : synced?.activity) : lookOf(state, activity),
    };
    return synced;
  });

  return async ({ withActivity }: { withActivity: boolean }): Promise<Synced> => {
    // Whatever reading begins from now on sees it, the one whose answer this is among them.
    isActivityWanted ||= withActivity;
    return await readFresh();
  };
}

function lookOf(state: IndexState, { rows }: Found<{ id: number }>): Look {
  return { state, volatileIds: rows.flatMap(({ id, isVolatile }) => (isVolatile ? [id] : [])) };
}

async function readAll(tx: Database, { chains }: IndexState): Promise<Found<Change>> {
  const rows: Found<Change>["rows"] = [];
  await allowSeqScans(tx, async () => {
    for (;;) {
      const found = await listedTokensAfter(tx, rows.at(-1)?.id ?? 0, chunk, chains);
      for (const row of found) rows.push(row);
      if (found.length < chunk) break;
    }
  });
  return { rows };
}

async function readChanges(
  tx: Database,
  { state, volatileIds }: Look,
  now: IndexState,
): Promise<Found<Change>> {
  const { registry, chains } = state;
  return { rows: await listedTokensSince(tx, { registry, before: chains, volatileIds, now: now.chains }) };
}

async function readActivity(
  tx: Database,
  before: Look | undefined,
  { chains }: IndexState,
): Promise<Found<ActivityChange>> {
  const ids = await activitySince(tx, {
    registry: before?.state.registry,
    before: before?.state.chains ?? [],
    volatileIds: before?.volatileIds ?? [],
    now: chains,
  });
  const rows: Found<ActivityChange>["rows"] = [];
  for (let from = 0; from < ids.length; from += activityChunk) {
    for (const row of await listedActivity(tx, ids.subarray(from, from + activityChunk))) rows.push(row);
  }
  return { rows };
}

/** Whether the database was replaced by an older state: re-indexed or restored. */
function goesBack(before: IndexState, now: IndexState): boolean {
  return (
    now.registry < before.registry ||
    before.chains.some(({ chainId, safe }) => {
      const chain = now.chains.find((candidate) => candidate.chainId === chainId);
      return chain === undefined || chain.safe.block < safe.block;
    })
  );
}
