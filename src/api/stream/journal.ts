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

/** The most events of each kind in one transaction. */
const maxEvents = 1_000;
const unlimited = 1_000_000_000;

/**
 * Keeps the journal of the stream in sync with the on-chain tables. The returned function writes what has changed since any process
 * last did: when several are notified of a block, the first one writes it and the others find it written. It resolves to "waiting"
 * if it has to be called again soon. Throws the driver's error if the database fails.
 */
export function createJournal(pool: pg.Pool): () => Promise<"settled" | "waiting"> {
  const db = openDatabase(pool);
  /** Since when each chain's stamp has been the same. */
  const stamps = new Map<number, { stamp: string; since: number }>();

  function findStep(row: StreamIndexRow): Step {
    const now = performance.now();
    const before = stamps.get(row.chain_id);
    const since = before?.stamp === row.stamp ? before.since : now;
    stamps.set(row.chain_id, { stamp: row.stamp, since });
    return nextStep(row, now - since);
  }

  async function write(): Promise<void> {
    await inJournalTransaction(pool, async (tx) => {
      let hasNews = false;
      for (const row of await readStreamIndex(tx)) {
        hasNews = (await recordChanges(tx, row, findStep(row))) || hasNews;
      }
      return hasNews;
    });
  }

  return async () => {
    for (;;) {
      const steps = (await readStreamIndex(db)).map(findStep);
      if (steps.every(({ kind }) => kind === "wait" || kind === "rest")) {
        return steps.length > 0 && steps.every(({ kind }) => kind === "rest") ? "settled" : "waiting";
      }
      await retryOnDeadlock(write);
    }
  };
}

/** Records the changes of a chain, or the first part of very many, in its journal. Resolves to whether there were any. */
async function recordChanges(tx: Database, row: StreamIndexRow, step: Step): Promise<boolean> {
  if (step.kind === "wait" || step.kind === "rest") return false;
  if (step.kind === "begin") return await begin(tx, row);

  const { chain_id: chainId, state } = row;
  if (state === null) throw new Error(`Invariant(stream): nothing to compare on chain ${chainId}`);
  const { since } = step;
  const lost = step.withRemoved ? await readLostEvents(tx, { chainId, since }) : [];
  await retractStreamEvents(tx, onchainSchema, lost);
  const range = {
    chainId,
    since,
    sinceSeconds: state.settled_at,
    limit: maxEvents,
  };
  const { events, end } = await readNewEvents(tx, range);
  await appendStreamEvents(tx, onchainSchema, events);
  const next =
    end === undefined
      ? toState(row)
      : {
          ...toState(row),
          stamp: null,
          compared: end,
          settled: state.settled,
          settledAt: state.settled_at,
        };
  await saveStreamState(tx, next, undefined);
  return lost.length + events.length > 0;
}

/**
 * Begins the journal of a chain. Events that a reorg may still remove are written too, so that clients learn of their removal, but
 * before the event that marks the beginning, so that nobody receives them as new.
 */
async function begin(tx: Database, row: StreamIndexRow): Promise<true> {
  const chainId = row.chain_id;
  const { settled, settledAt } = toState(row);
  await forgetStreamEvents(tx, onchainSchema, chainId);
  const range = {
    chainId,
    since: settled,
    sinceSeconds: settledAt,
    limit: unlimited,
  };
  const { events } = await readNewEvents(tx, range);
  await appendStreamEvents(tx, onchainSchema, events);
  await saveStreamState(tx, toState(row), await restartStream(tx, onchainSchema, chainId));
  return true;
}

/** Returns the state of a journal that is in sync with the tables. */
function toState({ chain_id, latest, safe, stamp, start, revert }: StreamIndexRow): StreamState {
  const latestBlock = checkpointBlock(latest);
  return {
    schema: onchainSchema,
    chainId: chain_id,
    stamp,
    build: start ?? "",
    trigger: revert,
    latestBlock,
    compared: startOfBlock(latestBlock + 1),
    settled: startOfBlock(checkpointBlock(safe)),
    settledAt: checkpointTime(safe),
  };
}
