import { singleFlight } from "../../../concurrency/single-flight.ts";
import { type Database, inSnapshot, type PooledDatabase } from "../../../database/database.ts";
import {
  type IndexState,
  readIndexState,
  readIndexStatePrepared,
} from "../../../ponder/index-state.query.ts";
import { highestId, readAllListedTokens, unpackTokens } from "../all-listed-tokens.query.ts";
import { type CreatorRow, readChainFacts, readChangedCreators } from "../changed-creators.query.ts";
import { EntryChanges } from "../entry-changes.ts";
import { findChangedActivity, readDayActivity, readListedActivity } from "../listed-activity.query.ts";
import { type ListedRow, readListedTokensSince } from "../listed-tokens.query.ts";
import { noActivity } from "./activity-table.ts";
import { type ActivityChange, TokenIndex } from "./token-index.ts";

/** The activity of up to this many tokens is read in less than a second. For more, all trades of the day are read instead. */
const maxLookups = 2_000;

/**
 * If final blocks have advanced by this many seconds since the last sync (during a backfill, or because nobody asked), reading
 * everything may be faster than reading the changes.
 */
const maxGapSeconds = 3 * 3_600;

/** The state of the database at a sync, and the ids that a reorg may still change, which are read again each time. */
type SyncPoint = { state: IndexState; volatileIds: number[] };

type Synced = SyncPoint & {
  index: TokenIndex;
  /** Changes of the entries' content. */
  entries: EntryChanges;
  creators: CreatorRecords;
  /** The last sync of trading activity, which only some orders need. */
  activity: SyncPoint | undefined;
};

/** The rows that a sync found. */
type Found<Row> = (Row & { isVolatile: boolean })[];

/**
 * Keeps a {@link TokenIndex} in sync with the database. `read` resolves to an order that includes everything indexed or registered
 * before the call, by whichever process. Trading activity is only as recent as the last call that asked for it.
 *
 * @param listDb has two connections, and more time for a statement than a request has: whole tables may be read
 */
export function syncList(db: PooledDatabase, listDb: PooledDatabase) {
  let synced: Synced | undefined;
  let isActivityWanted = false;
  /** Resolves once the database has been read for the first time, before the rows are sorted. */
  const rowsAreRead = Promise.withResolvers<void>();

  const readFresh = singleFlight(async (): Promise<Synced> => {
    const withActivity = isActivityWanted && synced?.activity !== undefined;
    isActivityWanted = false;
    const { version } = await readIndexStatePrepared(db);
    if (synced?.state.version === version && (!withActivity || synced.activity?.state.version === version)) {
      return synced;
    }

    const { before, state, facts, all, changes, creators, activity } = await inSnapshot(
      listDb,
      async (tx) => {
        const state = await readIndexState(tx);
        const before = synced !== undefined && canSyncFrom(synced.state, state) ? synced : undefined;
        return {
          before,
          state,
          facts: await readChainFacts(tx, state.chains),
          all: before === undefined ? await readAllListedTokens(tx, state.chains) : [],
          changes: before === undefined ? [] : await readChanges(tx, before, state),
          creators: await readCreators(tx, before, state),
          activity:
            withActivity && before?.activity !== undefined
              ? await readActivity(tx, before.activity, state)
              : undefined,
        };
      },
    );
    rowsAreRead.resolve();
    const base = before ?? {
      index: new TokenIndex(),
      entries: new EntryChanges(),
      creators: new CreatorRecords(),
    };
    const { index, entries } = base;
    const syncPoint =
      before === undefined
        ? { state, volatileIds: await loadList(base, all, state.registry) }
        : toSyncPoint(state, changes);
    if (before !== undefined) index.apply(changes, state.registry);
    for (const { id, creator } of changes) entries.setCreator(id, creator);
    entries.record({
      ids: changes.map(({ id }) => id),
      creators: base.creators.update(creators),
      chains: facts,
    });
    if (activity !== undefined) index.applyActivity(activity);
    synced = {
      ...base,
      ...syncPoint,
      // The first activity may have been read during this.
      activity: activity === undefined ? before && synced?.activity : toSyncPoint(state, activity),
    };
    return synced;
  });

  /** Separate from the list, which must not wait for it: the first sync of activity reads all trades of a day. */
  const readFirstActivity = singleFlight(async (): Promise<void> => {
    if (synced?.activity !== undefined) return;
    const fresh = readFresh();
    // Runs after the list is read, for which everyone waits, while its rows are sorted.
    await Promise.race([rowsAreRead.promise, fresh]);
    const [{ index }, { state, activity }] = await Promise.all([
      fresh,
      inSnapshot(listDb, async (tx) => ({
        state: await readIndexState(tx),
        activity: await readDayActivity(tx),
      })),
    ]);
    // The index was replaced meanwhile: its first activity is read by the next call.
    if (synced?.index !== index) return;
    index.applyActivity(activity);
    synced = { ...synced, activity: toSyncPoint(state, activity) };
  });

  async function read({ withActivity }: { withActivity: boolean }): Promise<Synced> {
    if (withActivity && synced?.activity === undefined) await readFirstActivity();
    // Any read that starts from now on sees this, including the one awaited here.
    isActivityWanted ||= withActivity;
    const fresh = await readFresh();
    return withActivity && fresh.activity === undefined ? await read({ withActivity }) : fresh;
  }

  return {
    read,

    /** Returns the changes of entries as of the last sync, if there was one. */
    entryChanges: (): EntryChanges | undefined => synced?.entries,
  };
}

function toSyncPoint(state: IndexState, rows: Found<{ id: number }>): SyncPoint {
  return { state, volatileIds: rows.flatMap(({ id, isVolatile }) => (isVolatile ? [id] : [])) };
}

async function readChanges(
  tx: Database,
  { state, volatileIds }: SyncPoint,
  now: IndexState,
): Promise<ListedRow[]> {
  const { registry, chains } = state;
  return await readListedTokensSince(tx, { registry, before: chains, volatileIds, now: now.chains });
}

/** The first sync reads only those whose record a reorg may still change. */
async function readCreators(
  tx: Database,
  before: Synced | undefined,
  now: IndexState,
): Promise<CreatorRow[]> {
  return await readChangedCreators(tx, {
    before: (before?.state ?? now).chains,
    volatile: before?.creators.volatile ?? [],
    now: now.chains,
  });
}

async function readActivity(
  tx: Database,
  { state, volatileIds }: SyncPoint,
  { chains }: IndexState,
): Promise<Found<ActivityChange>> {
  const ids = await findChangedActivity(tx, {
    registry: state.registry,
    before: state.chains,
    volatileIds,
    now: chains,
  });
  if (ids.length <= maxLookups) return await readListedActivity(tx, ids);
  const traded = new Map((await readDayActivity(tx)).map((row) => [row.id, row]));
  return [...ids].map((id) => traded.get(id) ?? { id, activity: noActivity, isVolatile: false });
}

/** Whether `now` can be reached from `before` by reading changes: the database was not re-indexed or restored, and the gap is small. */
function canSyncFrom(before: IndexState, now: IndexState): boolean {
  return (
    now.registry >= before.registry &&
    now.chains.every(({ chainId, safe }) => {
      const earlier = before.chains.find((chain) => chain.chainId === chainId)?.safe;
      return earlier !== undefined && safe.timestamp - earlier.timestamp < maxGapSeconds;
    }) &&
    before.chains.every(({ chainId, safe }) => {
      const chain = now.chains.find((candidate) => candidate.chainId === chainId);
      return chain !== undefined && chain.safe.block >= safe.block;
    })
  );
}

/**
 * Loads the result of readAllListedTokens.
 *
 * @returns the ids of registrations that a reorg may still change
 */
async function loadList(
  { index, entries }: { index: TokenIndex; entries: EntryChanges },
  packed: Buffer[],
  registry: number,
): Promise<number[]> {
  const volatileIds: number[] = [];
  function* tokensIn(some: Buffer) {
    for (const token of unpackTokens(some)) {
      if (token.isVolatile) volatileIds.push(token.id);
      entries.setCreator(token.id, token.creator);
      yield token;
    }
  }
  function* parts() {
    for (const some of packed) yield tokensIn(some);
  }
  await index.load(parts(), highestId(packed), registry);
  return volatileIds;
}

/** The most creators to remember. A forgotten one counts as changed once more. */
const maxRecords = 100_000;

/** Remembers the records of creators that were read, to find those that have changed. */
class CreatorRecords {
  readonly #records = new Map<string, string>();
  #volatile: CreatorRow[] = [];

  /** The records that a reorg may still change. */
  get volatile(): readonly CreatorRow[] {
    return this.#volatile;
  }

  /** Records what a sync found, and returns the hashes of the creators whose record has changed. */
  update(rows: CreatorRow[]): Set<number> {
    if (this.#records.size > maxRecords) this.#records.clear();
    const changed = new Set<number>();
    for (const { chain_id, creator, hash, record } of rows) {
      const key = `${chain_id} ${creator}`;
      if (this.#records.get(key) !== record) changed.add(hash);
      this.#records.set(key, record);
    }
    this.#volatile = rows.filter((row) => row.is_volatile);
    return changed;
  }
}
