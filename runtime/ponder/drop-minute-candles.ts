import type pg from "pg";
import { pause } from "../../config/async.ts";
import { reasonOf } from "../../config/error-code.ts";
import { type KeptConnection, statement } from "../../offchain/connection.ts";
import type { Log } from "../log/log.ts";
import { readFinalState } from "./final-rows.ts";

/** Milliseconds between two rounds, and between one that failed, or found the index not ready, and the next. */
const roundMs = 6 * 3_600_000;
const defaultRetryMs = 60_000;
/** Tokens per statement. */
const batchSize = 1_000;

export type MinuteCandlesOptions = {
  onDatabase: KeptConnection;
  /** The Postgres schema that this process indexes into. */
  schema: string;
  /** For how many days one-minute candles are kept. */
  days: number;
  signal: AbortSignal;
  log: Log;
  /** Milliseconds between one that failed and the next. */
  retryMs?: number;
};

/** Deletes old one-minute candles several times a day, as long as this process runs. */
export async function dropMinuteCandles({
  onDatabase,
  schema,
  days,
  signal,
  log,
  retryMs = defaultRetryMs,
}: MinuteCandlesOptions) {
  let failures = 0;
  while (!signal.aborted) {
    const isDone = await dropRound(onDatabase, { schema, days, signal }).then(
      (isReady) => {
        failures = 0;
        return isReady;
      },
      (error: unknown) => {
        failures += 1;
        // What fails once may be a restart of Postgres, which those report who need it.
        if (failures === 2 && !signal.aborted)
          log(
            `one-minute candles of more than ${days} days can't be deleted yet: ${reasonOf(error)}`,
            "warn",
          );
        return false;
      },
    );
    await pause(isDone ? roundMs : retryMs, signal);
  }
}

/** Deletes the candles of all tokens. Returns false if the index isn't ready. */
export async function dropRound(
  onDatabase: KeptConnection,
  { schema, days, signal }: Pick<MinuteCandlesOptions, "schema" | "days" | "signal">,
): Promise<boolean> {
  const state = await onDatabase((client) => readFinalState(client, schema));
  if (state?.isReady !== true) return false;
  for (let after: Token | undefined = first; after !== undefined; ) {
    signal.throwIfAborted();
    const batch: Token = after;
    after = await onDatabase((client) => dropBatch(client, { schema, days, after: batch }));
  }
  return true;
}

type Token = { chain_id: number; address: string };

const first: Token = { chain_id: 0, address: "" };

/**
 * Deletes the candles of the next tokens that are in hours which ended so many days before the last final block. Ponder's triggers
 * only record what is written in a block's transaction. Returns the last of these tokens; undefined if there are no more.
 */
async function dropBatch(
  client: pg.ClientBase,
  { schema, days, after }: { schema: string; days: number; after: Token },
): Promise<Token | undefined> {
  const { rows } = await client.query<Token>({
    text: statement`with batch as (
        select t.chain_id, t.address, (left(at.finalized_checkpoint, 10)::int8 / 3600 - 24 * $3) * 3600 as kept_from
        from ${schema}.token t join ${schema}._ponder_checkpoint at on at.chain_id = t.chain_id
        where (t.chain_id, t.address) > ($1, $2) order by t.chain_id, t.address limit $4
      ), dropped as (
        delete from ${schema}.candle c using batch
        where c.chain_id = batch.chain_id and c.token = batch.address and c.interval = '1m' and c.open_time < batch.kept_from
      ) select chain_id, address from batch order by chain_id desc, address desc limit 1`,
    values: [after.chain_id, after.address, days, batchSize],
  });
  return rows[0];
}
