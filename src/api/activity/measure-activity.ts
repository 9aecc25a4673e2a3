import type pg from "pg";
import type { Database } from "../database/database.ts";
import {
  forgetDroppedSchemas,
  type MeasuredChain,
  measureTokens,
  readChangedTokens,
  readMeasuredChains,
  saveMeasured,
} from "./activity.query.ts";
import { inActivityTransaction } from "./activity-transaction.query.ts";

/** In one statement. */
const mostTokens = 2_000;

/**
 * Measures what was traded in the 24 hours up to the last block of each chain, in one state of the tables, of those tokens alone
 * for which it may have changed. Throws the driver's error when the database fails.
 */
export async function measureActivity(pool: pg.Pool): Promise<void> {
  await inActivityTransaction(pool, async (tx) => {
    for (const chain of await readMeasuredChains(tx)) {
      if (chain.before === null) await forgetDroppedSchemas(tx);
      await measureChain(tx, chain);
    }
  });
}

async function measureChain(tx: Database, chain: MeasuredChain): Promise<void> {
  const tokens = await readChangedTokens(tx, chain);
  for (let first = 0; first < tokens.length; first += mostTokens) {
    await measureTokens(tx, chain, tokens.slice(first, first + mostTokens));
  }
  await saveMeasured(tx, chain);
}
