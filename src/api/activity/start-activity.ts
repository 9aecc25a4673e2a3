import type pg from "pg";
import { shareRun } from "../../../config/async.ts";
import { onReload } from "../../../config/reload.ts";
import { createPool, type Database } from "../database/database.ts";
import { reportErrorsOf } from "../database/retry.ts";
import {
  deleteDroppedSchemas,
  inActivityTransaction,
  type MeasuredChain,
  measureTokens,
  readChangedTokens,
  readMeasuredChains,
  saveMeasured,
} from "./activity.query.ts";

export type ActivityOptions = {
  databaseUrl: string | undefined;
  databaseSchema: string;
  intervalMs?: number;
};

/**
 * Keeps the tokens' activity up to date, even while there are no new trades. All processes run this, and a lock lets one at a time
 * do the work.
 */
export function startActivity({ databaseUrl, databaseSchema, intervalMs = 5_000 }: ActivityOptions): void {
  const pool = createPool({
    url: databaseUrl,
    name: `${databaseSchema}_activity`,
    connections: 1,
    statementSeconds: 30,
  });
  const measure = shareRun(() => measureActivity(pool).catch(logUnexpected));
  const timer = setInterval(measure, intervalMs);
  timer.unref();
  onReload("activity", () => {
    clearInterval(timer);
    void pool.end();
  });
}

const logUnexpected = reportErrorsOf("activity");

const maxTokensPerStatement = 2_000;

/**
 * Updates the trading activity of the 24 hours up to each chain's last block, from one snapshot of the tables and only for
 * tokens whose activity may have changed. Throws the driver's error if the database fails.
 */
async function measureActivity(pool: pg.Pool): Promise<void> {
  await inActivityTransaction(pool, async (tx) => {
    for (const chain of await readMeasuredChains(tx)) {
      if (chain.before === null) await deleteDroppedSchemas(tx);
      await measureChain(tx, chain);
    }
  });
}

async function measureChain(tx: Database, chain: MeasuredChain): Promise<void> {
  const tokens = await readChangedTokens(tx, chain);
  for (let first = 0; first < tokens.length; first += maxTokensPerStatement) {
    await measureTokens(tx, chain, tokens.slice(first, first + maxTokensPerStatement));
  }
  await saveMeasured(tx, chain);
}
