import { ignore, within } from "../../config/async.ts";

/** How long a start waits for the chains before it serves without them. Usually their endpoints answer sooner. */
const patienceMs = 5_000;

/** Read by src/api/ponder/internals.ts. */
const state = globalThis as { LAUNCHPAD_AWAITS_CHAINS?: boolean };

type FinalBlocks = unknown[];

/** What Ponder gives its `migrate`, as far as it is used here. `buildId` identifies the version of what is indexed. */
export type Migration = { buildId: string; finalizedBlocks: FinalBlocks };

/** Creates or checks the schema's tables. Resolves to how far they are indexed; undefined if they are empty. */
export type Migrate = (migration: Migration) => Promise<unknown>;

/** Awaits the chains' final blocks, unless at a start: there they are promises, which are awaited, with their errors, by who uses them. */
export async function finalBlocks(
  { options }: { options: { command: string } },
  blocks: Promise<unknown>[],
): Promise<FinalBlocks> {
  if (options.command !== "start") return await Promise.all(blocks);
  for (const block of blocks) block.catch(ignore);
  return blocks;
}

/**
 * Wraps Ponder's `migrate` so that the API can listen before the chains have answered. A schema that has no tables gets them first, since
 * the API can't do without. One that has some stays as the last process left it, until indexing continues.
 *
 * @param readBuildId reads the version that the schema's tables are of
 */
export function migrateOnceAnswered(migrate: Migrate, readBuildId: () => Promise<unknown>) {
  let migrated: Promise<unknown> | undefined;

  async function start(migration: Migration): Promise<unknown> {
    const answered = Promise.all(migration.finalizedBlocks);
    const begin = async () => await migrate({ ...migration, finalizedBlocks: await answered });
    if (await isSettledSoon(answered)) return await begin();

    state.LAUNCHPAD_AWAITS_CHAINS = true;
    console.warn("no RPC endpoint answers yet: serving what is indexed, and waiting for one");
    // For the tables of another version, it ends the start with the reason.
    if ((await readBuildId()) !== migration.buildId) return await migrate(migration);
    migrated = begin();
    migrated.catch(ignore); // Its user reports it.
    return undefined;
  }

  return {
    async migrate(migration: Migration): Promise<unknown> {
      const checkpoints = await start(migration);
      migrated ??= Promise.resolve(checkpoints);
      return checkpoints;
    },
    /** Resolves to what `migrate` does, if need be once the chains have answered. */
    whenMigrated: async () => await migrated,
  };
}

async function isSettledSoon(answered: Promise<unknown>): Promise<boolean> {
  const settled = answered.then(
    () => true,
    () => true,
  );
  return await within(patienceMs, settled, () => false);
}

/** What Ponder indexes with, as far as it is used here. */
type App = {
  indexingBuild: { finalizedBlocks: FinalBlocks };
  database: { whenMigrated(): Promise<unknown> };
  crashRecoveryCheckpoint: unknown;
};

/** Indexes once the chains have answered. */
export async function indexOnceAnswered(app: App, index: (app: App) => Promise<void>): Promise<void> {
  const { indexingBuild, database } = app;
  indexingBuild.finalizedBlocks = await Promise.all(indexingBuild.finalizedBlocks);
  const crashRecoveryCheckpoint = await database.whenMigrated();
  state.LAUNCHPAD_AWAITS_CHAINS = false;
  await index({ ...app, crashRecoveryCheckpoint });
}
