import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LaunchpadChain, startLaunchpadChain } from "../support/launchpad-chain.ts";
import { type Service, startService } from "../support/service.ts";

/*
 * What the API asks of tables that grow with the chain must be answered from an index, in its order. Small tables
 * are scanned whatever the indexes, so scans and sorts are switched off: where one remains, no index serves.
 */

let chain: LaunchpadChain;
let service: Service;
let client: pg.Client;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  await chain.trade(7, { blocks: 30, actionsPerBlock: 10, creations: 0.02 });
  service = await startService([chain]);
  await service.indexer.untilReady();
  client = new pg.Client({ connectionString: service.database.url, options: "-c search_path=onchain" });
  await client.connect();
  await client.query("set enable_seqscan = off; set enable_sort = off; set enable_incremental_sort = off");
});

afterAll(async () => {
  await client?.end();
  await service?.stop();
  await chain?.stop();
});

const address = `'0x${"0".repeat(40)}'`;

// Ponder orders by the column asked for, then by the key, all in the direction asked for.
test.each([
  ["tokens, newest first, of all chains", "token order by created_at desc, chain_id desc, address desc"],
  [
    "tokens, newest first, of one chain",
    "token where chain_id = 56 order by created_at desc, chain_id desc, address desc",
  ],
  [
    "tokens in the order of creation",
    "token where chain_id = 56 order by created_block desc, created_log_index desc",
  ],
  [
    "tokens of a creator",
    `token where chain_id = 56 and creator = ${address} order by created_at desc, chain_id desc, address desc`,
  ],
  [
    "tokens by burned share, then newest",
    "token where chain_id = 56 order by burn_percent desc, created_block desc, created_log_index desc",
  ],
  [
    "curves close to graduation",
    "curve where chain_id = 56 and graduated = false order by progress desc, chain_id desc, token desc",
  ],
  [
    "curves that graduated last",
    "curve where chain_id = 56 and graduated = true order by graduated_at desc, chain_id desc, token desc",
  ],
  ["curves traded last", "curve where chain_id = 56 order by last_trade_at desc, chain_id desc, token desc"],
  ["trades, newest first, of all chains", "trade order by timestamp desc, chain_id desc, id desc"],
  [
    "trades of a token",
    `trade where chain_id = 56 and token = ${address} order by timestamp desc, chain_id desc, id desc`,
  ],
  [
    "trades of a trader",
    `trade where chain_id = 56 and trader = ${address} order by timestamp desc, chain_id desc, id desc`,
  ],
  [
    "holders of a token",
    `holder where chain_id = 56 and token = ${address} order by balance desc, chain_id desc, token desc, account desc`,
  ],
  [
    "holdings of an account",
    `holder where chain_id = 56 and account = ${address} order by balance desc, chain_id desc, token desc`,
  ],
  ["pairs of a token", `dex_pair where chain_id = 56 and token = ${address}`],
  ["a listing by its address", `listing where chain_id = 56 and address = ${address}`],
])("%s: from an index", async (_, query) => {
  const { rows } = await client.query(`explain select * from ${query} limit 20`);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Index (Only )?Scan/);
  expect(plan).not.toMatch(/Seq Scan|Sort/);
});
