import pg from "pg";
import { ignore, pause } from "../../config/async.ts";
import { inTransaction, onPooledConnection } from "../../offchain/connection.ts";
import { createRegistrationStore } from "../../offchain/store.ts";
import { unsignedContent } from "../../test/service/registration.ts";
import { addressOf, chainId, checkpoints } from "../fixture/size.ts";

/** A block is written this often. */
const periodMs = 1_000;
const tradedPerBlock = 5;
/** New tokens are numbered from here, beyond the seeded ones. */
const firstNewNumber = 1_000_000_000;

/**
 * Changes the database once a second as a live chain would: it writes a block with trades and a new token in one transaction, as
 * Ponder does, and then registers the token with the service's own code. `stop` resolves to the number of blocks.
 *
 * @param createdTokens how many tokens were seeded
 */
export async function startWriter(databaseUrl: string, createdTokens: number) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const store = createRegistrationStore(pool);
  const stopping = new AbortController();
  const { rows } = await pool.query<{ latest: string }>(
    "select latest_checkpoint as latest from onchain._ponder_checkpoint",
  );
  const latest = rows[0]?.latest ?? "";
  const [lastTime, lastBlock] = [Number(latest.slice(0, 10)), Number(latest.slice(26, 42))];
  let blocks = 0;

  async function writeBlock(): Promise<void> {
    const number = lastBlock + blocks + 1;
    const time = lastTime + blocks + 1;
    const token = {
      mint: addressOf("token", firstNewNumber + number),
      name: `Brand New ${number}`,
      symbol: "NEW",
      creator: addressOf("creator", firstNewNumber + (number % 50)),
      burnPercent: 30 + (number % 41),
    };
    const indexes = Array.from({ length: tradedPerBlock }, (_, index) => index);
    // Spread over all seeded tokens; each is bought by another account.
    const traded = indexes.map((index) =>
      addressOf("token", (number * 7_919 + index * 104_729) % createdTokens),
    );
    const traders = indexes.map((index) => addressOf("trader", number + index));
    const { mint, name, symbol, creator, burnPercent } = token;
    await onPooledConnection(pool, (client) =>
      inTransaction(client, async () => {
        // Ponder's triggers write down what a reorg would need, for an indexer that doesn't run here.
        await client.query("set local session_replication_role = replica");
        await client.query(insertToken, [chainId, number, time, mint, creator, name, symbol, burnPercent]);
        await client.query(insertCurve, [chainId, number, time, mint, burnPercent]);
        for (const statement of buys) await client.query(statement, [chainId, number, time, traded, traders]);
        await client.query(
          `update onchain._ponder_checkpoint
           set latest_checkpoint = $1, safe_checkpoint = $2, finalized_checkpoint = $2`,
          checkpoints(time, number),
        );
      }),
    );
    await store.write({ chainId, ...token }, () => unsignedContent("A community that began a moment ago"));
    blocks++;
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      const next = pause(periodMs, stopping.signal);
      await writeBlock();
      await next;
    }
  })();
  // stop() rejects with the error.
  running.catch(ignore);

  return {
    async stop(): Promise<number> {
      stopping.abort();
      await running.finally(() => pool.end());
      return blocks;
    },
  };
}

/** A token without trades, and its curve. Columns that aren't named are zero, as in fixture.sql. */
const insertToken = `
  insert into onchain.token (chain_id, created_block, created_at, changed_at, address, creator, name, symbol, burn_percent,
    created_log_index, total_supply_raw, launch_supply_raw)
  values ($1, $2, $3, $3, $4, $5, $6, $7, $8, 2, (100 - $8::int) * 1e25, (100 - $8::int) * 1e25)`;

const insertCurve = `
  insert into onchain.curve (chain_id, opened_block, changed_at, token, burn_percent, virtual_bnb_reserves, virtual_token_reserves,
    real_token_reserves, total_to_sell, graduation_bnb_reserves_wei, opening_price_bnb_x36, price_bnb_x36, close_price_bnb_x36)
  values ($1, $2, $3, $4, $5, 1e17, 9e26, 6e26, 6e26, 15e16, trunc(1e53 / 9e26), trunc(1e53 / 9e26), trunc(1e53 / 9e26))`;

const bought = `(select token, account, place::int + 1 as log_index, 1e15 + $2 % 1000 * 1e12 as bnb
  from unnest($4::text[], $5::text[]) with ordinality as made (token, account, place)) bought`;

/** Write a buy of each token by an account, which becomes a holder. */
const buys = [
  `update onchain.curve c set last_trade_at = $3, changed_at = $3, price_bnb_x36 = price_bnb_x36 + 1e20,
     progress = case when graduated then 100 else (progress + 7)::numeric % 100 end,
     last_trade_id = lpad($2::text, 12, '0') || '-' || lpad(log_index::text, 6, '0'),
     buys_to_date = buys_to_date + 1, volume_to_date_wei = volume_to_date_wei + bnb,
     bought_to_date_wei = bought_to_date_wei + bnb, net_volume_to_date_wei = net_volume_to_date_wei + bnb
   from ${bought} where chain_id = $1 and c.token = bought.token`,
  `insert into onchain.trade (chain_id, id, token, trader, venue, side, bnb_amount_wei, token_amount_raw, price_bnb_x36, block,
     timestamp, tx, tx_index, log_index, bnb_reserves_wei, token_reserves_raw, buys_to_date, sells_to_date, volume_to_date_wei)
   select chain_id, last_trade_id, token, account, 'curve', 'buy', bnb, 1e24, bnb * 1e12, $2, $3, '0x', log_index,
     log_index, 1e17, 9e26, buys_to_date, sells_to_date, volume_to_date_wei
   from ${bought} join onchain.curve using (token) where chain_id = $1`,
  `insert into onchain.position as p (chain_id, token, account, buys, tokens_bought_raw, bnb_spent_wei, open_tokens_raw,
     open_cost_wei, first_trade_at, last_trade_at, changed_at)
   select $1, token, account, 1, 1e24, bnb, 1e24, bnb, $3, $3, $3 from ${bought}
   on conflict (chain_id, token, account) do update set buys = p.buys + 1, last_trade_at = excluded.last_trade_at,
     changed_at = excluded.changed_at`,
  `update onchain.token set holder_count = holder_count + 1, changed_at = $3 from ${bought}
   where chain_id = $1 and address = bought.token`,
];
