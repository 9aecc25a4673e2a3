import type pg from "pg";
import {
  appendStreamEvents,
  forgetStreamEvents,
  restartStream,
  retractStreamEvents,
  type StreamState,
  saveStreamState,
} from "../../../offchain/stream-store.ts";
import { startOfBlock } from "../../curve/event-id.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { retryOnDeadlock } from "../database/retry.ts";
import { checkpointBlock, checkpointTime, onchainSchema } from "../ponder/index-state.query.ts";
import { inJournalTransaction } from "./journal-transaction.query.ts";
import { readNewEvents } from "./new-events.ts";
import { nextStep, type Step } from "./next-step.ts";
import { readLostEvents, readStreamIndex } from "./stream-changes.query.ts";
import type { StreamIndexRow } from "./stream-index-row.ts";

/** Of each kind in one transaction. */
const mostEvents = 1_000;
const unlimited = 1_000_000_000;

/**
 * Keeps the journal of the stream equal to the on-chain tables. The returned function looks once, and writes what has changed
 * since anyone looked: of several processes that are told of a block, the first writes and the others find it written. It
 * resolves to whether there is something to wait for. Throws the driver's error when the database fails.
 */
export function createJournal(pool: pg.Pool): () => Promise<"settled" | "waiting"> {
  const db = openDatabase(pool);
  const standing = new Map<number, { stamp: string; since: number }>();

  function stepOf(row: StreamIndexRow): Step {
    const now = performance.now();
    const before = standing.get(row.chain_id);
    const since = before?.stamp === row.stamp ? before.since : now;
    standing.set(row.chain_id, { stamp: row.stamp, since });
    return nextStep(row, now - since);
  }

  async function write(): Promise<void> {
    await inJournalTransaction(pool, async (tx) => {
      let hasNews = false;
      for (const row of await readStreamIndex(tx)) {
        hasNews = (await recordChanges(tx, row, stepOf(row))) || hasNews;
      }
      return hasNews;
    });
  }

  return async () => {
    for (;;) {
      const steps = (await readStreamIndex(db)).map(stepOf);
      if (steps.every(({ kind }) => kind === "wait" || kind === "rest")) {
        return steps.length > 0 && steps.every(({ kind }) => kind === "rest") ? "settled" : "waiting";
      }
      await retryOnDeadlock(write);
    }
  };
}

/** Records what has changed on a chain in its journal; of very much, a part. Resolves to whether there was anything. */
async function recordChanges(tx: Database, row: StreamIndexRow, step: Step): Promise<boolean> {
  if (step.kind === "wait" || step.kind === "rest") return false;
  if (step.kind === "begin") return await begin(tx, row);

  const { chain_id: chainId, state } = row;
  if (state === null) throw new Error(`Invariant(stream): nothing to compare on chain ${chainId}`);
  const { since } = step;
  const lost = step.isWhole ? await readLostEvents(tx, { chainId, since }) : [];
  await retractStreamEvents(tx, onchainSchema, lost);
  const range = {
    chainId,
    since,
    sinceSeconds: state.settled_at,
    limit: mostEvents,
  };
  const { events, end } = await readNewEvents(tx, range);
  await appendStreamEvents(tx, onchainSchema, events);
  const next =
    end === undefined
      ? stateOf(row)
      : {
          ...stateOf(row),
          stamp: null,
          compared: end,
          settled: state.settled,
          settledAt: state.settled_at,
        };
  await saveStreamState(tx, next, undefined);
  return lost.length + events.length > 0;
}

/**
 * What a reorg may still take back is in the journal from the start, so that clients hear of it; but before the event where it
 * begins, so that nobody gets it as news.
 */
async function begin(tx: Database, row: StreamIndexRow): Promise<true> {
  const chainId = row.chain_id;
  const { settled, settledAt } = stateOf(row);
  await forgetStreamEvents(tx, onchainSchema, chainId);
  const range = {
    chainId,
    since: settled,
    sinceSeconds: settledAt,
    limit: unlimited,
  };
  const { events } = await readNewEvents(tx, range);
  await appendStreamEvents(tx, onchainSchema, events);
  await saveStreamState(tx, stateOf(row), await restartStream(tx, onchainSchema, chainId));
  return true;
}

/** The state of a journal that is equal to the tables. */
function stateOf({ chain_id, latest, safe, stamp, build, trigger }: StreamIndexRow): StreamState {
  const latestBlock = checkpointBlock(latest);
  return {
    schema: onchainSchema,
    chainId: chain_id,
    stamp,
    build: build ?? "",
    trigger: trigger ?? "",
    latestBlock,
    compared: startOfBlock(latestBlock + 1),
    settled: startOfBlock(checkpointBlock(safe)),
    settledAt: checkpointTime(safe),
  };
}
