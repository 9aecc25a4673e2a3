import { setTimeout as delay } from "node:timers/promises";
import { ignore } from "../../config/async.ts";
import type { QueryBuilder } from "./store/ponder-types.ts";

/** How long a start waits for the chains before it serves without them. Usually their endpoints answer sooner. */
const patienceMs = 5_000;

/** Read by src/api/ponder/internals.ts. */
const state = globalThis as { LAUNCHPAD_AWAITS_CHAINS?: boolean };

/** Awaits the chains' final blocks, unless at a start: there they are promises, which are awaited, with their errors, by who uses them. */
export async function finalBlocks<Block>(
  { options }: { options: { command: string } },
  blocks: Promise<Block>[],
): Promise<(Block | Promise<Block>)[]> {
  if (options.command !== "start") return await Promise.all(blocks);
  for (const block of blocks) block.catch(ignore);
  return blocks;
}

export type ServeFirstOptions = {
  /** Settles once all chains have answered what Ponder asks them at the start. */
  answers: Promise<unknown>;
  schema: string;
  /** Identifies the version of what is indexed. */
  buildId: string;
  adminQB: QueryBuilder;
  /** Creates or checks the schema's tables. */
  migrate: () => Promise<void>;
};

/**
 * Decides whether Ponder has to serve before the chains have answered. A schema that has no tables gets them now, since the API can't do
 * without. One that has some stays as the last process left it, until indexing continues.
 */
export async function serveFirst({ answers, schema, buildId, adminQB, migrate }: ServeFirstOptions) {
  const settled = answers.then(
    () => true,
    () => true,
  );
  const waiting = new AbortController();
  const isSettled = await Promise.race([settled, delay(patienceMs, false, { signal: waiting.signal })]);
  waiting.abort();
  if (isSettled) return { isServed: false, isMigrated: false, onAnswer() {} };

  state.LAUNCHPAD_AWAITS_CHAINS = true;
  // For the tables of another version, it ends the start with the reason.
  const isMigrated = (await readBuildId(adminQB, schema)) !== buildId;
  if (isMigrated) await migrate();
  console.warn("no RPC endpoint answers yet: serving what is indexed, and waiting for one");
  return {
    isServed: true,
    isMigrated,
    onAnswer() {
      state.LAUNCHPAD_AWAITS_CHAINS = false;
    },
  };
}

async function readBuildId(qb: QueryBuilder, schema: string): Promise<unknown> {
  const table = `${schema}._ponder_meta`;
  const query = async (text: string, values: unknown[]) =>
    await qb.wrap({ label: "read_build_id" }, () => qb.$client.query({ text, values }));
  const { rows } = await query("select to_regclass($1) is not null as exists", [table]);
  if (!rows[0]?.exists) return undefined;
  const result = await query(
    `select value ->> 'build_id' as id from "${schema}"._ponder_meta where key = 'app'`,
    [],
  );
  return result.rows[0]?.id;
}
