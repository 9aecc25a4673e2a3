import type pg from "pg";
import type { Database } from "../database/database.ts";
import {
  deleteDroppedSchemas,
  type MeasuredChain,
  measureTokens,
  readChangedTokens,
  readMeasuredChains,
  saveMeasured,
} from "./activity.query.ts";
import { inActivityTransaction } from "./activity-transaction.query.ts";

const maxTokensPerStatement = 2_000;

/**
 * Updates the trading activity of the 24 hours up to each chain's last block, from one snapshot of the tables and only for
 * tokens whose activity may have changed. Throws the driver's error if the database fails.
 */
export async function measureActivity(pool: pg.Pool): Promise<void> {
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
