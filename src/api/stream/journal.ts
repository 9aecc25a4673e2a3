import type pg from "pg";
import { checkpointBlock, checkpointTime } from "../../../config/parse.ts";
import {
  appendStreamEvents,
  forgetStreamEvents,
  restartStream,
  retractStreamEvents,
  type StreamEvent,
  type StreamState,
  saveStreamState,
} from "../../../offchain/stream-store.ts";
import { eventBlock, startOfBlock } from "../../domain/ids.ts";
import { curveProgress } from "../../domain/price.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { retryOnDeadlock } from "../database/retry.ts";
import { toLiquidityChange } from "../liquidity/liquidity-change.schema.ts";
import { toCreatorRecord, toRisk } from "../market/market.mapper.ts";
import { isoTime } from "../market/time.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";
import { toTrade } from "../trades/trade.schema.ts";
import {
  inJournalTransaction,
  readLostEvents,
  readNewGraduations,
  readNewLiquidity,
  readNewTokens,
  readNewTrades,
  readNewTransfers,
  readStreamIndex,
  type StreamGraduationRow,
  type StreamIndexRow,
  type StreamLiquidityRow,
  type StreamRange,
  type StreamTokenRow,
  type StreamTradeRow,
  type StreamTransferRow,
} from "./stream-changes.query.ts";

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
    const previousStamp = stamps.get(row.chain_id);
    const since = previousStamp?.stamp === row.stamp ? previousStamp.since : now;
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

/**
 * What to do with the journal of a chain:
 *
 * - `begin` it, because there is none, or only one of another chain.
 * - `compare` the tables after `since` with it, for new events, and with `withRemoved` also for removed ones.
 * - `wait`, because the tables are in an intermediate state, or another schema writes the journal.
 * - `rest`, because nothing has changed.
 */
type Step =
  | { kind: "begin" }
  | { kind: "compare"; since: string; withRemoved: boolean }
  | { kind: "wait" }
  | { kind: "rest" };

/** How long a restarted indexer, or one after a reorg, may make no progress below the block that it had reached before. */
export const restartTimeoutMs = 60_000;
export const reorgTimeoutMs = 2_000;

/**
 * Decides what to do with the journal of a chain. When Ponder restarts, it reverts what is not final and indexes it again. After a
 * reorg, which reverts rows of all chains in a transaction of its own, it does so block by block. Until it is back at its previous
 * block, rows that the tables lack are not lost: most of a branch's transactions are in the one that replaces it, too.
 *
 * @param unchangedMs for how long Ponder's records have not changed
 */
export function nextStep(row: StreamIndexRow, unchangedMs: number): Step {
  const { state, start, revert } = row;
  if (row.is_paused || !row.is_ready || start === null) return { kind: "wait" };
  if (state === null) return { kind: "begin" };
  if (state.stamp === row.stamp) return { kind: "rest" };

  const latest = checkpointBlock(row.latest);
  const hasRestarted = state.build !== start;
  if (hasRestarted && latest < state.latest_block) {
    if (unchangedMs < restartTimeoutMs) return { kind: "wait" };
    // Below a block that was final, it must be another chain.
    return latest < eventBlock(state.settled) ? { kind: "begin" } : compareAll(state.settled);
  }
  if (row.is_reorganizing) return { kind: "wait" };
  // Another process may have indexed into another schema, whose tables never had what the journal has.
  if (!hasRestarted && state.trigger === revert)
    return { kind: "compare", since: state.compared, withRemoved: false };
  const isBehind = latest < state.latest_block && unchangedMs < reorgTimeoutMs;
  return isBehind ? { kind: "wait" } : compareAll(state.settled);
}

const compareAll = (since: string) => ({ kind: "compare", since, withRemoved: true }) as const;

type NewEvents = {
  /** In the order of the chain. */
  events: StreamEvent[];
  /** The position up to which the events are complete; undefined if there are no more at all. */
  end: string | undefined;
};

/** Reads the events of a range that are in the on-chain tables but not in the journal. */
async function readNewEvents(db: Database, range: StreamRange): Promise<NewEvents> {
  const tokens = await readNewTokens(db, range);
  const trades = await readNewTrades(db, range);
  const graduations = await readNewGraduations(db, range);
  const transfers = await readNewTransfers(db, range);
  const liquidity = await readNewLiquidity(db, range);
  const events: StreamEvent[] = [
    ...tokens.map((row) => ({
      ...common(row, row.address),
      kind: "created" as const,
      data: toStreamCreated(row),
    })),
    ...trades.map((row) => ({
      ...common({ ...row, chain_id: row.chainId }, row.token),
      kind: "trade" as const,
      data: toStreamTrade(row),
    })),
    ...graduations.map((row) => ({
      ...common(row, row.token),
      kind: "graduated" as const,
      data: toStreamGraduated(row),
    })),
    ...transfers.map((row) => ({
      ...common(row, row.token),
      kind: "transfer" as const,
      data: toStreamTransfer(row),
    })),
    ...liquidity.map((row) => ({
      ...common({ ...row, chain_id: row.chainId }, row.token),
      kind: liquidityEvents[row.kind],
      data: toStreamLiquidity(row),
    })),
  ]
    .map((event) => ({ ...event, data: JSON.stringify(event.data) }))
    .sort((left, right) => (left.position < right.position ? -1 : 1));

  // A kind that reached the limit is known only up to its last row, so the other kinds are cut there too.
  const ends = [tokens, trades, graduations, transfers, liquidity].flatMap((rows) => {
    const last = rows.at(-1);
    return rows.length < range.limit || last === undefined ? [] : [last.position];
  });
  const end = ends.sort()[0];
  return { events: end === undefined ? events : events.filter(({ position }) => position <= end), end };
}

type Row = { chain_id: number; position: string; fingerprint: string; creator: string | null };

function common({ chain_id, position, fingerprint, creator }: Row, mint: string) {
  return { chainId: chain_id, position, fingerprint, creator, mint };
}

/** Maps a trade to the data of a `trade` event. USD fields are left out if no rate was known. */
function toStreamTrade(row: StreamTradeRow) {
  return {
    kind: "trade",
    ...toTrade(row),
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    progress: progressAfter(row),
  };
}

/** Maps a token to the data of a `created` event. */
function toStreamCreated(row: StreamTokenRow) {
  return {
    kind: "created",
    chainId: row.chain_id,
    mint: row.address,
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    burnPercent: row.burn_percent,
    createdAt: isoTime(row.created_at),
    block: Number(row.created_block),
    tx: row.created_tx,
    risk: toRisk(row, row.total_supply_raw),
    creatorRecord: toCreatorRecord(row),
  };
}

/** Maps a graduation to the data of a `graduated` event. */
function toStreamGraduated(row: StreamGraduationRow) {
  return {
    kind: "graduated",
    chainId: row.chain_id,
    mint: row.token,
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    pair: row.pair,
    graduatedAt: isoTime(row.graduated_at),
    block: eventBlock(row.position),
  };
}

/** Maps a transfer to the data of a `transfer` event. */
function toStreamTransfer(row: StreamTransferRow) {
  return {
    kind: "transfer",
    chainId: row.chain_id,
    mint: row.token,
    name: row.name,
    symbol: row.symbol,
    creator: row.creator,
    from: row.from,
    to: row.to,
    amountRaw: row.amount_raw,
    block: Number(row.block),
    timestamp: isoTime(row.timestamp),
    tx: row.tx,
    logIndex: row.log_index,
  };
}

/** The kind of event that tells of liquidity added or removed. */
const liquidityEvents = { add: "liquidity_added", remove: "liquidity_removed" } as const;

/** Maps a change of liquidity to the data of its event. */
function toStreamLiquidity(row: StreamLiquidityRow) {
  const { id: _, kind, ...change } = toLiquidityChange(row);
  return { kind: liquidityEvents[kind], ...change, name: row.name, symbol: row.symbol, creator: row.creator };
}

/**
 * Percent of the curve that was sold after the trade. Tokens sold and the virtual token reserve have a constant sum, so it can be
 * derived from the reserve after the trade.
 */
function progressAfter(row: StreamTradeRow): number | null {
  if (row.venue === "dex") return 100;
  const { virtualTokenReserves, tokensSold, totalToSell } = row;
  if (virtualTokenReserves === null || tokensSold === null || totalToSell === null) return null;
  const sold = virtualTokenReserves + tokensSold - row.tokenReservesRaw;
  return curveProgress(sold, totalToSell, row.graduated === true && sold >= totalToSell);
}
