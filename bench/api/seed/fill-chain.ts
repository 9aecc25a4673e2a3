import type pg from "pg";
import { addressSql, fractionSql, hexSql } from "./addresses.ts";
import { createdAtSql, graduatesSql } from "./fill-trades.ts";
import { chainId, type FixtureSize, timeline, traders } from "./size.ts";

/*
 * What follows from bench.token and the trades. Amounts are plausible, and no more: nothing here is computed from them.
 */

/** Fills onchain.curve. Twice in a hundred a token that has not graduated is near to it. */
export async function fillCurves(client: pg.Client, size: FixtureSize): Promise<void> {
  const createdAt = createdAtSql(size, "index");
  await client.query(
    `create unlogged table bench.traded as
     select token, min(timestamp) as first_at, max(timestamp) as last_at, max(id) as last_id,
       count(*) filter (where side = 'buy') as buys, count(*) filter (where side = 'sell') as sells,
       sum(bnb_amount_wei) as volume
     from onchain.trade group by token`,
  );
  await client.query("analyze bench.traded");
  const progress = `case when graduates then 100
    when ${fractionSql("index", 12)} < 0.021 then 80 + trunc((19.9999 * ${fractionSql("index", 13)})::numeric, 4)
    else trunc((79.9999 * ${fractionSql("index", 13)} ^ 3)::numeric, 4) end`;
  await client.query(
    `insert into onchain.curve (chain_id, token, burn_percent, virtual_bnb_reserves, virtual_token_reserves,
       real_token_reserves, tokens_sold, total_to_sell, progress, graduated, graduated_at, pair, price_bnb_x36,
       last_trade_at, last_trade_id, liquidity_wei, graduated_by, opened_block, opening_price_bnb_x36, graduation_bnb_reserves_wei, close_price_bnb_x36,
       buys_to_date, sells_to_date, volume_to_date_wei, volume_to_date_usd_x18, changed_at)
     select ${chainId}, address, burn_percent, 1e17 + trunc(5e14 * progress), 9e26 - trunc(3e24 * progress),
       6e26 - trunc(6e24 * progress), trunc(6e24 * progress), 6e26, progress::float8, graduates,
       case when graduates then (first_at + last_at) / 2 end, case when graduates then ${addressSql("pair", "index")} end,
       price, last_at, last_id, trunc(5e14 * progress), case when graduates then case when index % 5 = 0 then creator else ${addressSql("trader", "index")} end end,
       ${createdAt} - ${timeline.start} + ${timeline.firstBlock}, trunc(1e53 / 9e26), 15e16,
       price, coalesce(buys, 0), coalesce(sells, 0), coalesce(volume, 0), 0, coalesce(last_at, ${createdAt})
     from (
       select *, trunc((1e17 + 5e14 * progress) * 1e36 / (9e26 - 3e24 * progress)) as price
       from (
       select *, (${progress})::numeric as progress
       from (
         select b.*, t.first_at, t.last_at, t.last_id, t.buys, t.sells, t.volume, t.token is not null and ${graduatesSql("index")} as graduates
         from bench.token b left join bench.traded t on t.token = b.address
       ) known
       ) described
     ) priced`,
  );
  await client.query(
    `insert into onchain.dex_pair (chain_id, address, token, bnb_reserves_wei, token_reserves_raw, token_is_token0)
     select chain_id, pair, token, 5e16, 2e26, token < pair from onchain.curve where graduated`,
  );
}

/** Fills onchain.holder: who bought in every third trade, every third creator, and the launchpad of what has not graduated. */
export async function fillHolders(client: pg.Client, size: FixtureSize, launchpad: string): Promise<void> {
  await client.query(
    `insert into onchain.holder (chain_id, token, account, balance_raw, kind, changed_at)
     select ${chainId}, token, trader, 1e20 + (hashtextextended(trader || token, 1) & 1099511627775) * 1e13,
       'account'::onchain.holder_kind, max(timestamp)
     from onchain.trade where log_index % 3 = 0 and side = 'buy' group by token, trader`,
  );
  await client.query(
    `insert into onchain.holder (chain_id, token, account, balance_raw, kind, changed_at)
     select ${chainId}, address, creator, trunc(1e25 * ${fractionSql("index", 14)}::numeric) + 1, 'account'::onchain.holder_kind, ${createdAtSql(size, "index")}
     from bench.token where index % 3 = 0`,
  );
  await client.query(
    `create unlogged table bench.held as
     select token, count(*)::int as holders, sum(balance_raw) as circulating, sum(balance_raw * balance_raw) as squares,
       max(balance_raw) filter (where account = creator) as by_creator
     from onchain.holder join bench.token on address = token group by token`,
  );
  await client.query("analyze bench.held");
  await client.query(
    `insert into onchain.holder (chain_id, token, account, balance_raw, kind, changed_at)
     select ${chainId}, token, case when graduated then pair else '${launchpad}' end,
       case when graduated then 2e26 else real_token_reserves + 4e26 end,
       (case when graduated then 'pair' else 'launchpad' end)::onchain.holder_kind, changed_at
     from onchain.curve`,
  );
}

/** Fills onchain.token, onchain.token_symbol and onchain.account. */
export async function fillTokens(client: pg.Client, size: FixtureSize, launchpad: string): Promise<void> {
  const createdAt = createdAtSql(size, "index");
  await client.query(
    `insert into onchain.token (chain_id, address, creator, name, symbol, burn_percent, salt, total_supply_raw,
       launch_supply_raw, launchpad, holder_count, circulating_raw, balance_squares_raw, creator_balance_raw, insiders, insider_balance_raw,
       insider_received_raw, sniper_balance_raw, bundler_balance_raw, created_at, created_block, created_log_index, created_tx, changed_at)
     select ${chainId}, address, creator, name, symbol, burn_percent, ${hexSql("salt", "index", 64)},
       (100 - burn_percent) * 1e25, (100 - burn_percent) * 1e25, '${launchpad}', coalesce(holders, 0), coalesce(circulating, 0),
       coalesce(squares, 0), by_creator, 0, 0, 0, 0, 0, ${createdAt},
       ${createdAt} - ${timeline.start} + ${timeline.firstBlock}, (index % 3) * 10 + 2, ${hexSql("creation", "index", 64)},
       coalesce(last_at, ${createdAt})
     from bench.token left join bench.held on held.token = address left join bench.traded on traded.token = address
     order by index`,
  );
  await client.query(
    `insert into onchain.token_symbol (chain_id, symbol_hash, tokens)
     select ${chainId}, '0x' || encode(sha256(convert_to(lower(symbol), 'UTF8')), 'hex'), count(*) from bench.token group by lower(symbol)`,
  );
  await client.query(
    `create unlogged table bench.trader as
     select trader, count(*) as trades, count(*) filter (where side = 'sell') as sells, sum(bnb_amount_wei) as volume,
       coalesce(sum(realised_wei), 0) as realised
     from onchain.trade group by trader`,
  );
  await client.query(
    `create unlogged table bench.creator as
     select creator, count(*) as tokens, count(*) filter (where c.graduated) as graduated
     from bench.token t join onchain.curve c on c.chain_id = ${chainId} and c.token = t.address group by creator`,
  );
  await client.query(
    `insert into onchain.account (chain_id, address, first_seen_at, tokens_created, tokens_graduated, tokens_sold_out, trades,
       sells, volume_wei, realised_wei, profitable_sells)
     select ${chainId}, address, ${timeline.start}, coalesce(made.tokens, 0), coalesce(made.graduated, 0), 0,
       coalesce(traded.trades, 0), coalesce(traded.sells, 0), coalesce(traded.volume, 0), coalesce(traded.realised, 0), 0
     from (
       select creator as address from bench.creator
       union select trader from bench.trader
       union select ${addressSql("trader", "number")} from generate_series(0, ${traders(size) - 1}) as number
     ) everyone
     left join bench.creator made on made.creator = address left join bench.trader traded on traded.trader = address`,
  );
  await client.query(
    `update onchain.launchpad set creators = n.creators, graduated_creators = n.graduated_creators, traders = n.traders,
       sellers = n.sellers
     from (
       select count(*) filter (where tokens_created > 0) as creators,
         count(*) filter (where tokens_graduated > 0) as graduated_creators, count(*) filter (where trades > 0) as traders,
         count(*) filter (where sells > 0) as sellers
       from onchain.account where chain_id = ${chainId}
     ) n where chain_id = ${chainId}`,
  );
}
