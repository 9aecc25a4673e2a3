import pg from "pg";
import { sized } from "../run/long-run.ts";

/** Of the rows beside those of the list of tokens, whose joins Postgres plans otherwise for few, every fourth shows most bad plans. */
const step = sized({ usual: 4, long: 1 });

/** How many rows of a kind, and how many holders of one token, {@link fillTables} makes beside 20,000 tokens. */
export const filledRows = 20_000 / step;

/** Fills the tables so that a bad plan shows, with all tokens registered. */
export async function fillTables(url: string): Promise<void> {
  const filler = new pg.Client({ connectionString: url });
  await filler.connect();
  const mint = "'0x' || lpad(to_hex(n), 40, '0')";
  const tokens = "generate_series(0, 19999) n";
  const rows = `generate_series(0, 19999, ${step}) n`;
  const allButFirst = `generate_series(${step}, 19999, ${step}) n`;
  const filled = filler.query(`
    -- Without this, Ponder's triggers would record each row in case of a reorg.
    set session_replication_role = replica;
    insert into onchain.token (chain_id, address, creator, name, symbol, burn_percent, salt, total_supply_raw, launch_supply_raw, launchpad,
        holder_count, circulating_raw, balance_squares_raw, insiders, insider_balance_raw, insider_received_raw, sniper_balance_raw,
        bundler_balance_raw, created_at, created_block, created_log_index, created_tx, changed_at,
        symbol_look_hash, name_look_hash)
      select 56, ${mint}, '0x' || lpad(to_hex(n % 1000), 40, 'c'), 'Token ' || n, 'T' || n, 30 + n % 41, '0x', 1, 1, '0x',
        1, 1, 1, 0, 0, 0, 0, 0, n, n, 0, '0x', n, '0x01', '0x' || n from ${tokens};
    insert into onchain.token_symbol (chain_id, symbol_hash, tokens)
      select 56, '0x' || lpad(to_hex(n), 64, '0'), 1 from ${tokens};
    insert into onchain.curve (chain_id, token, burn_percent, virtual_bnb_reserves, virtual_token_reserves,
        real_token_reserves, tokens_sold, total_to_sell, progress, graduated, graduated_at, price_bnb_x36, last_trade_at,
        opening_price_bnb_x36, graduation_bnb_reserves_wei, close_price_bnb_x36, buys_to_date, sells_to_date, volume_to_date_wei,
        volume_to_date_usd_x18, liquidity_wei, bought_to_date_wei, creator_bought_to_date_wei, opening_bought_wei, net_volume_to_date_wei,
        changed_at)
      select 56, ${mint}, 50, 1, 1, 1, 1, 1, n % 100, n % 10 = 0, case when n % 10 = 0 then n end, 1, n,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, n from ${tokens};
    -- One token traded by many accounts, and one account that traded many tokens.
    insert into onchain.trade (chain_id, id, token, trader, venue, side, bnb_amount_wei, token_amount_raw, price_bnb_x36, block,
        timestamp, tx, tx_index, log_index, bnb_reserves_wei, token_reserves_raw, buys_to_date, sells_to_date,
        volume_to_date_wei, volume_to_date_usd_x18, launchpad_buys_to_date, launchpad_sells_to_date,
        launchpad_volume_to_date_wei, launchpad_volume_to_date_usd_x18)
      select 56, lpad(n::text, 12, '0') || '-90000' || log, case log when 0 then '0x' || repeat('0', 40) else ${mint} end,
        case log when 0 then ${mint} else 'someone' end, 'curve', 'buy', 1, 1, 1, n, n, '0x', 0, log, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1 from ${rows}, generate_series(0, 1) log;
    insert into onchain.liquidity_change (chain_id, id, token, pair, provider, token_account, kind, bnb_amount_wei, token_amount_raw,
        bnb_reserves_wei, token_reserves_raw, block, timestamp, tx, tx_index, log_index)
      select 56, lpad(n::text, 12, '0') || '-90000' || log, case log when 0 then '0x' || repeat('0', 40) else ${mint} end,
        '0x', 'someone', 'someone', 'add', 1, 1, 1, 1, n, n, '0x', 0, log from ${rows}, generate_series(0, 1) log;
    insert into onchain.transfer (chain_id, id, token, "from", "to", amount_raw, block, timestamp, tx, tx_index, log_index)
      select 56, lpad(n::text, 12, '0') || '-90000' || log, case log when 0 then '0x' || repeat('0', 40) else ${mint} end,
        case log when 1 then 'someone' else ${mint} end, case log when 2 then 'someone' else ${mint} end, 1, n, n, '0x', 0, log
        from ${rows}, generate_series(0, 2) log;
    insert into onchain.candle (chain_id, token, interval, open_time, open_bnb_x36, high_bnb_x36, low_bnb_x36, close_bnb_x36, volume_wei,
        volume_raw, trades)
      select 56, '0x' || repeat('0', 40), '1m', 60 * n, 1, 1, 1, 1, 1, 1, 1 from ${rows}
      union all select 56, ${mint}, '1m', 0, 1, 1, 1, 1, 1, 1, 1 from ${allButFirst};
    insert into onchain.position (chain_id, token, account, buys, sells, tokens_bought_raw, tokens_sold_raw, bnb_spent_wei,
        bnb_received_wei, received_raw, received_cost_wei, sent_raw, sent_cost_wei, open_tokens_raw, open_cost_wei, realised_wei,
        first_trade_at, last_trade_at, changed_at)
      select 56, '0x' || repeat('0', 40), ${mint}, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, n, n, n from ${rows}
      union all select 56, ${mint}, 'someone', 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, n, nullif(n, n / ${step} % 2 * n), n from ${allButFirst};
    insert into onchain.account (chain_id, address, first_seen_at, tokens_created, tokens_graduated, tokens_sold_out, trades, sells,
        volume_wei, realised_wei, profitable_sells, changed_at)
      select 56, ${mint}, n, 1, 1, 1, n, 1, n, n, 1, n from ${rows};
    insert into offchain.token_activity (schema, chain_id, token, volume_24h_wei, trades_24h, traders_24h, last_trade_at)
      select 'onchain', 56, ${mint}, n, n, n, n from ${tokens} on conflict do nothing;
    insert into offchain.token_activity_state (schema, chain_id, measured_at, measured_block, settled_at, build)
      values ('onchain', 56, 19999, 19999, 19999, '') on conflict (schema, chain_id) do nothing;
    insert into onchain.bnb_usd_answer (chain_id, id, feed, round_id, answer_usd_x8, timestamp)
      select 56, lpad(n::text, 12, '0') || '-000000', '0x', n, 1, n from ${rows};
    insert into onchain.early_buyer (chain_id, token, account, block, bought_raw)
      select 56, ${mint}, 'someone', n, n from ${rows}
      union all select 56, '0x' || repeat('0', 40), ${mint}, n, n from generate_series(0, 99) n;
    insert into onchain.holder (chain_id, token, account, balance_raw, kind, changed_at)
      select 56, '0x' || repeat('0', 40), ${mint}, n, 'account'::onchain.holder_kind, 20 * n from ${rows}
      union all select 56, ${mint}, 'someone', 1, 'account'::onchain.holder_kind, n from ${allButFirst};
    insert into onchain.past_balance (chain_id, token, account, from_day, until_day, balance_raw)
      select 56, '0x' || repeat('0', 40), ${mint}, day, day + 1, n from ${rows}, generate_series(0, 2) day
      union all select 56, ${mint}, 'someone', 0, 1, 1 from ${allButFirst};
    insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent, version, search)
      select chain_id, address, name, symbol, creator, burn_percent, created_block,
        U&'\\0001' || lower(name) || U&'\\0001' || lower(symbol) || U&'\\0002' from onchain.token;
    insert into offchain.hidden_token (chain_id, mint, reason) select 56, 'hidden' || n, '' from ${rows};
    insert into offchain.hidden_registration (id, chain_id, mint, name, symbol, creator, burn_percent, version)
      select 100000 + n, 56, 'hidden' || n, '', '', '', 50, n from ${rows};
    insert into offchain.registration_history (registration_id, replaced_at, verified) select n, now(), true from ${rows};
    insert into offchain.stream_event (schema, chain_id, position, kind, mint, creator, fingerprint, data, current)
      select 'onchain', 56, lpad(n::text, 12, '0') || '-000000', 'trade', ${mint}, ${mint}, '', '{}', n > 19900 from ${rows};
    analyze`);
  await filled.finally(() => filler.end());
}
