import type pg from "pg";
import { addressOf } from "./seed/addresses.ts";
import { chainId } from "./seed/size.ts";

type NewToken = {
  mint: string;
  name: string;
  symbol: string;
  creator: string;
  burnPercent: number;
  block: number;
  time: number;
  /** The token from which the other columns are copied. */
  like: string;
};

/** Writes a token without trades, and its curve. */
export async function writeToken(client: pg.ClientBase, token: NewToken): Promise<void> {
  const { mint, name, symbol, creator, burnPercent, block, time, like } = token;
  await client.query(
    `insert into onchain.token (chain_id, address, creator, name, symbol, burn_percent, salt, total_supply_raw, launch_supply_raw, launchpad,
       holder_count, circulating_raw, balance_squares_raw, created_at, created_block, created_log_index, created_tx, changed_at)
     select chain_id, $1, $2, $3, $4, $5, salt, total_supply_raw, launch_supply_raw, launchpad, 0, 0, 0, $6, $7, 2, created_tx, $6
     from onchain.token where chain_id = $8 and address = $9`,
    [mint, creator, name, symbol, burnPercent, time, block, chainId, like],
  );
  await client.query(
    `insert into onchain.curve (chain_id, token, burn_percent, virtual_bnb_reserves, virtual_token_reserves,
       real_token_reserves, tokens_sold, total_to_sell, progress, graduated, price_bnb_x36, liquidity_wei, opened_block, opening_price_bnb_x36,
       graduation_bnb_reserves_wei, close_price_bnb_x36, buys_to_date, sells_to_date, volume_to_date_wei, volume_to_date_usd_x18,
       changed_at)
     select chain_id, $1, $2, 1e17, 9e26, 6e26, 0, 6e26, 0, false, opening_price_bnb_x36, 0, $5, opening_price_bnb_x36, 15e16,
       opening_price_bnb_x36, 0, 0, 0, 0, $6
     from onchain.curve where chain_id = $3 and token = $4`,
    [mint, burnPercent, chainId, like, block, time],
  );
}

/** Writes a buy of each token, each by another account, which becomes a holder. */
export async function writeTrades(
  client: pg.ClientBase,
  { block, time, traded }: { block: number; time: number; traded: string[] },
): Promise<void> {
  const values = [chainId, block, time, traded, traded.map((_, index) => addressOf("trader", block + index))];
  const made = `(select token, account, place::int + 1 as log_index, 1e15 + $2 % 1000 * 1e12 as bnb
    from unnest($4::text[], $5::text[]) with ordinality as made (token, account, place)) made`;
  await client.query(
    `update onchain.curve c set last_trade_at = $3, changed_at = $3, price_bnb_x36 = price_bnb_x36 + 1e20,
       progress = case when graduated then 100 else (progress + 7)::numeric % 100 end,
       last_trade_id = lpad($2::text, 12, '0') || '-' || lpad(log_index::text, 6, '0'),
       buys_to_date = buys_to_date + 1, volume_to_date_wei = volume_to_date_wei + bnb
     from ${made} where chain_id = $1 and c.token = made.token`,
    values,
  );
  await client.query(
    `insert into onchain.trade (chain_id, id, token, trader, venue, side, bnb_amount_wei, token_amount_raw, price_bnb_x36, block,
       timestamp, tx, tx_index, log_index, bnb_reserves_wei, token_reserves_raw, buys_to_date, sells_to_date, volume_to_date_wei,
       volume_to_date_usd_x18, launchpad_buys_to_date, launchpad_sells_to_date, launchpad_volume_to_date_wei,
       launchpad_volume_to_date_usd_x18)
     select chain_id, last_trade_id, token, account, 'curve', 'buy', bnb, 1e24, bnb * 1e12, $2, $3, '0x', log_index,
       log_index, 1e17, 9e26, buys_to_date, sells_to_date, volume_to_date_wei, 0, 0, 0, 0, 0
     from ${made} join onchain.curve using (token) where chain_id = $1`,
    values,
  );
  await client.query(
    `insert into onchain.position as p (chain_id, token, account, buys, sells, tokens_bought_raw, tokens_sold_raw, bnb_spent_wei,
       bnb_received_wei, received_raw, received_cost_wei, sent_raw, sent_cost_wei, open_tokens_raw, open_cost_wei,
       realised_wei, first_trade_at, last_trade_at)
     select $1, token, account, 1, 0, 1e24, 0, bnb, 0, 0, 0, 0, 0, 1e24, bnb, 0, $3, $3 from ${made} where $2 > 0
     on conflict (chain_id, token, account) do update set buys = p.buys + 1, last_trade_at = excluded.last_trade_at`,
    values,
  );
  await client.query(
    "update onchain.token set holder_count = holder_count + 1, changed_at = $1 where chain_id = $2 and address = any($3)",
    [time, chainId, traded],
  );
}
