import type pg from "pg";
import type { LaunchpadDeployment } from "../../../contracts/deploy.ts";
import { showProgress } from "../../../runtime/progress.ts";
import { settle } from "../../index/database.ts";
import type { Processes } from "../../index/processes.ts";
import { openSeedConnection } from "./connection.ts";
import { fillCandles, fillEarlyBuyers } from "./fill-candles.ts";
import { fillCurves, fillHolders, fillTokens } from "./fill-chain.ts";
import { fillRegistrations } from "./fill-registrations.ts";
import { fillPositions, fillTrades } from "./fill-trades.ts";
import { withoutIndexes } from "./indexes.ts";
import { makePonderTables, onchainSchema } from "./ponder-tables.ts";
import { checkpoint, type FixtureSize, timeline, unsafeBlocks } from "./size.ts";

export type SeedOptions = FixtureSize & { databaseUrl: string; log: (line: string) => void };

/** Fills an empty, migrated database: Ponder's tables by Ponder, then rows as half a year would have left them. */
export async function seed(
  processes: Processes,
  { databaseUrl, log, ...size }: SeedOptions,
): Promise<LaunchpadDeployment> {
  const deployment = await makePonderTables(processes, databaseUrl);
  const [registrations, chain] = [
    await openSeedConnection(databaseUrl),
    await openSeedConnection(databaseUrl),
  ];
  try {
    await dropTriggers(chain);
    await chain.query("create schema bench");
    await fill({ registrations, chain, size, launchpad: deployment.launchpad.toLowerCase(), log });
    await chain.query("drop schema bench cascade");
    const { end, endBlock } = timeline;
    const safe = checkpoint(end - unsafeBlocks, endBlock - unsafeBlocks);
    await chain.query(
      `update onchain._ponder_checkpoint
       set latest_checkpoint = $1, safe_checkpoint = $2, finalized_checkpoint = $2`,
      [checkpoint(end, endBlock), safe],
    );
  } finally {
    await Promise.all([registrations.end(), chain.end()]);
  }
  await timed("vacuum analyze", log, () => settle(databaseUrl));
  return deployment;
}

type FillOptions = {
  registrations: pg.Client;
  chain: pg.Client;
  size: FixtureSize;
  launchpad: string;
  log: SeedOptions["log"];
};

/** Both connections work at the same time, for two cores. */
async function fill({ registrations, chain, size, launchpad, log }: FillOptions): Promise<void> {
  const tables = [
    "trade",
    "position",
    "holder",
    "token",
    "token_symbol",
    "curve",
    "dex_pair",
    "account",
    "candle",
    "early_buyer",
  ];
  const made: Record<string, () => Promise<void>> = {};
  for (const table of tables) {
    made[table] = await withoutIndexes(chain, onchainSchema, table);
  }
  const indexes = async (...tables: string[]) => {
    for (const table of tables) await made[table]?.();
  };
  const progress = showProgress("registrations", log);
  const named = timed("registrations", log, () => fillRegistrations(registrations, size, progress.update));
  const searchable = named.then((makeIndexes) => timed("search index", log, makeIndexes));
  const filled = (async () => {
    await timed("trades", log, () => fillTrades(chain, size));
    await timed("candles", log, () => fillCandles(chain));
    await timed("early buyers", log, () => fillEarlyBuyers(chain));
    await timed("positions", log, () => fillPositions(chain, size));
    await named;
    await timed("curves", log, () => fillCurves(chain, size));
    await timed("holders", log, () => fillHolders(chain, size, launchpad));
    await timed("tokens", log, () => fillTokens(chain, size, launchpad));
    await timed("indexes", log, () => indexes(...tables));
  })();
  await Promise.all([searchable, filled]).finally(progress.end);
}

/** Ponder's triggers write down what a reorg would need, for an indexer that does not run here. */
async function dropTriggers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; on: string }>(
    `select quote_ident(tgname) as name, tgrelid::regclass::text as on from pg_trigger
     join pg_class on pg_class.oid = tgrelid where relnamespace = $1::regnamespace and not tgisinternal`,
    [onchainSchema],
  );
  for (const trigger of rows) await client.query(`drop trigger ${trigger.name} on ${trigger.on}`);
}

async function timed<Result>(
  what: string,
  log: SeedOptions["log"],
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  log(`  ${what}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  return result;
}
