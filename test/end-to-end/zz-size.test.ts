import pg from "pg";
import { test } from "vitest";
import { describeSharedQuestion, readSharedQuestion, sharedQuestions } from "../../examples/analysis/questions.ts";
import { startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { createRestClient } from "../service/rest-client.ts";
import { startService } from "../service/service.ts";
import { updateViewsOnce } from "../service/views.ts";

test("size", async () => {
  const chain = await startLaunchpadChain();
  const service = await startService([chain]);
  await service.indexer.untilReady();
  const c = new pg.Client({ connectionString: service.database.adminUrl ?? service.database.url });
  await c.connect();
  const t0 = 1_700_000_000;
  const addr = (x: string) => `'0x' || lpad(to_hex((${x})::bigint), 40, '0')`;
  await c.query(`set session_replication_role = replica; select setseed(0.4);
    insert into onchain.token (chain_id, address, creator, name, symbol, burn_percent, salt, total_supply_raw, launch_supply_raw, launchpad,
        holder_count, circulating_raw, balance_squares_raw, insiders, insider_balance_raw, insider_received_raw, sniper_balance_raw,
        bundler_balance_raw, created_at, created_block, created_log_index, created_tx, changed_at, symbol_look_hash, name_look_hash)
      select 56, ${addr("1000000 + n")}, ${addr("n % 3000")}, 'Token ' || n, 'T' || n, 50, '0x', 5e26, 1e27, ${addr("99999999")},
        1, 1, 1, 0, 0, 0, 0, 0, ${t0} + n * 700, n * 1500, 0, '0x', ${t0}, '0x01', '0x' || n from generate_series(0, 19999) n;
    insert into onchain.curve (chain_id, token, burn_percent, virtual_bnb_reserves, virtual_token_reserves,
        real_token_reserves, tokens_sold, total_to_sell, progress, graduated, graduated_at, price_bnb_x36, last_trade_at,
        opening_price_bnb_x36, graduation_bnb_reserves_wei, close_price_bnb_x36, buys_to_date, sells_to_date, volume_to_date_wei,
        volume_to_date_usd_x18, liquidity_wei, bought_to_date_wei, creator_bought_to_date_wei, opening_bought_wei, net_volume_to_date_wei,
        changed_at, pair, opened_block)
      select 56, ${addr("1000000 + n")}, 50, 1, 1, 1, 1, 3e26, n % 100, n % 50 = 0, case when n % 50 = 0 then ${t0} + n * 700 + 5000 end, 1, ${t0} + n * 700,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ${t0}, case when n % 50 = 0 then ${addr("5000000 + n")} end, n * 1500 from generate_series(0, 19999) n;
    insert into onchain.trade (chain_id, id, token, trader, venue, side, bnb_amount_wei, token_amount_raw, price_bnb_x36, block,
        timestamp, tx, tx_index, log_index, bnb_reserves_wei, token_reserves_raw, buys_to_date, sells_to_date,
        volume_to_date_wei, volume_to_date_usd_x18, launchpad_buys_to_date, launchpad_sells_to_date,
        launchpad_volume_to_date_wei, launchpad_volume_to_date_usd_x18, realised_wei, realised_usd_x18, bnb_usd_x8)
      select 56, lpad((n * 30)::text, 12, '0') || '-000001', ${addr("1000000 + floor(20000 * (n / 1000000.0) * (1 - power(random(), 4)))")}, ${addr("floor(60000 * power(random(), 3))")},
        case when random() < 0.2 then 'dex' else 'curve' end::onchain.venue, side::onchain.side, floor(1e18 * power(random(), 8)), floor(1e24 * random()) + 1, 1e25, n * 30,
        ${t0} + n * 14, '0x' || md5(n::text) || md5(n::text), 0, 1, 1e18, 5e26, n, n, n, n, n, n, n, n,
        case side when 'sell' then floor(1e16 * (random() - 0.5)) end, case side when 'sell' then floor(1e18 * (random() - 0.5)) end, 60000000000
      from (select n, case when random() < 0.4 then 'sell' else 'buy' end as side from generate_series(0, 999999) n) x;
    insert into onchain.early_buyer (chain_id, token, account, block, bought_raw)
      select 56, ${addr("1000000 + n")}, ${addr("(n * 7 + j * 13) % 500")}, n * 1500 + j % 3, 1e25 from generate_series(0, 19999) n, generate_series(0, 3) j;
    insert into onchain.holder (chain_id, token, account, balance_raw, kind, changed_at)
      select distinct on (token, trader) 56, token, trader, 1, 'account'::onchain.holder_kind, timestamp from onchain.trade where chain_id = 56;
    insert into onchain.liquidity_change (chain_id, id, token, pair, provider, kind, bnb_amount_wei, token_amount_raw,
        bnb_reserves_wei, token_reserves_raw, block, timestamp, tx, tx_index, log_index)
      select 56, lpad((n * 1500)::text, 12, '0') || '-900000', ${addr("1000000 + n")}, ${addr("5000000 + n")}, ${addr("n % 10")}, 'add', 1e17, 1e24, 1, 1, n * 1500, ${t0} + n * 700, '0x', 0, 0 from generate_series(0, 19999, 50) n;
  `);
  await c.query("vacuum analyze");
  const sizes = await c.query("select pg_size_pretty(pg_total_relation_size('onchain.trade')) s, (select count(distinct trader) from onchain.trade) traders, (select count(*) from onchain.holder) holders");
  console.log(JSON.stringify(sizes.rows[0]));
  await updateViewsOnce(service.database.url);
  const rest = await createRestClient(service.indexer.url);
  const end = t0 + 14_000_000;
  for (const question of sharedQuestions) {
    const sql = await readSharedQuestion(question);
    const times: string[] = [];
    for (const days of [7, 30, 162]) {
      const at = performance.now();
      const { status, body } = await rest.post("/sql", { sql, params: [56, end - days * 86_400, end] });
      times.push(`${days} days: ${Math.round(performance.now() - at)} ms ${status === 200 ? body.rows.length : body.code}`);
    }
    console.log(question, times.join("; "));
  }
  for (const q of ["active-traders", "cohorts", "concentration"] as const) {
    const { sql } = await describeSharedQuestion(q);
    const text = sql.replaceAll("$1", "56").replaceAll("$2", String(end - 7 * 86400)).replaceAll("$3", String(end));
    await c.query("set statement_timeout = '100s'; set work_mem = '16MB'");
    const plan = await c.query(`explain (analyze, buffers) ${text}`).catch((e) => ({ rows: [{ e: e.message }] }));
    console.log(q, plan.rows.map((r: Record<string, string>) => Object.values(r)[0]).join("\n"));
  }
  await c.end();
  await service.stop();
  await chain.stop();
}, 900_000);
