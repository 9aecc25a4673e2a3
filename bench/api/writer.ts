import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { createRegistrationStore } from "../../offchain/store.ts";
import { addressOf, chainId, checkpoint, unsafeBlocks } from "../fixture/size.ts";

/** A block is written this often. */
const periodMs = 1_000;
const tradedPerBlock = 5;
/** New tokens are numbered from here, beyond the seeded ones. */
const firstNewNumber = 1_000_000_000;

type Block = {
  number: number;
  time: number;
  token: { mint: string; name: string; symbol: string; creator: string; burnPercent: number };
  /** Tokens that are bought once each. */
  traded: string[];
};

/**
 * Changes the database once a second as a live chain would: it writes a block with trades and a new token in one transaction, as
 * Ponder does, and then registers the token with the service's own code. `stop` resolves to the number of blocks.
 *
 * @param createdTokens how many tokens were seeded
 */
export async function startWriter(
  databaseUrl: string,
  createdTokens: number,
): Promise<{ stop(): Promise<number> }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, application_name: "bench_writer" });
  const store = createRegistrationStore(pool);
  const stopping = new AbortController();
  const { rows } = await pool.query<{ latest: string }>(
    "select latest_checkpoint as latest from onchain._ponder_checkpoint",
  );
  const latest = rows[0]?.latest ?? "";
  const [lastTime, lastBlock] = [Number(latest.slice(0, 10)), Number(latest.slice(26, 42))];
  let blocks = 0;

  async function writeBlock(): Promise<void> {
    const block = makeBlock(lastBlock + blocks + 1, lastTime + blocks + 1, createdTokens);
    const client = await pool.connect();
    try {
      await client.query("begin");
      await writeToken(client, block);
      await writeTrades(client, block);
      const safe = checkpoint(block.time - unsafeBlocks, block.number - unsafeBlocks);
      await client.query(
        `update onchain._ponder_checkpoint
         set latest_checkpoint = $1, safe_checkpoint = $2, finalized_checkpoint = $2`,
        [checkpoint(block.time, block.number), safe],
      );
      await client.query("commit");
    } finally {
      client.release();
    }
    await store.write({ chainId, ...block.token }, () => ({
      description: "A community that began a moment ago",
      imageUrl: null,
      twitterUrl: null,
      telegramUrl: null,
      websiteUrl: null,
      launchpadAddress: null,
      verified: false,
      registeredBy: null,
      signature: null,
      issuedAt: null,
    }));
    blocks++;
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      const next = performance.now() + periodMs;
      await writeBlock();
      await delay(Math.max(0, next - performance.now()), undefined, { signal: stopping.signal }).catch(
        endPause,
      );
    }
  })();
  running.catch(reportedByStop);

  return {
    async stop() {
      stopping.abort();
      await running.finally(() => pool.end());
      return blocks;
    },
  };
}

function makeBlock(number: number, time: number, createdTokens: number): Block {
  return {
    number,
    time,
    token: {
      mint: addressOf("token", firstNewNumber + number),
      name: `Brand New ${number}`,
      symbol: "NEW",
      creator: addressOf("creator", firstNewNumber + (number % 50)),
      burnPercent: 30 + (number % 41),
    },
    // Spread over all seeded tokens.
    traded: Array.from({ length: tradedPerBlock }, (_, index) =>
      addressOf("token", (number * 7_919 + index * 104_729) % createdTokens),
    ),
  };
}

/** Writes a token without trades, and its curve: copies of another token's rows, except for these columns. */
async function writeToken(client: pg.ClientBase, { number, time, token, traded }: Block): Promise<void> {
  const { mint, name, symbol, creator, burnPercent } = token;
  const copy = (table: string, key: string, columns: object) =>
    client.query(
      `insert into onchain.${table} select (jsonb_populate_record(row, $1::jsonb)).*
       from onchain.${table} row where chain_id = $2 and ${key} = $3`,
      [JSON.stringify(columns), chainId, traded[0]],
    );
  await copy("token", "address", {
    address: mint,
    name,
    symbol,
    creator,
    burn_percent: burnPercent,
    holder_count: 0,
    circulating_raw: 0,
    balance_squares_raw: 0,
    creator_balance_raw: null,
    created_at: time,
    created_block: number,
    created_log_index: 2,
    changed_at: time,
  });
  await copy("curve", "token", {
    token: mint,
    burn_percent: burnPercent,
    virtual_bnb_reserves: 1e17,
    virtual_token_reserves: "900000000000000000000000000",
    real_token_reserves: "600000000000000000000000000",
    tokens_sold: 0,
    progress: 0,
    graduated: false,
    graduated_at: null,
    graduated_by: null,
    pair: null,
    last_trade_at: null,
    last_trade_id: null,
    liquidity_wei: 0,
    opened_block: number,
    buys_to_date: 0,
    sells_to_date: 0,
    volume_to_date_wei: 0,
    bought_to_date_wei: 0,
    creator_bought_to_date_wei: 0,
    opening_bought_wei: 0,
    net_volume_to_date_wei: 0,
    changed_at: time,
  });
  await client.query(
    `update onchain.curve set price_bnb_x36 = opening_price_bnb_x36, close_price_bnb_x36 = opening_price_bnb_x36
     where chain_id = $1 and token = $2`,
    [chainId, mint],
  );
}

/** Writes a buy of each token, each by another account, which becomes a holder. */
async function writeTrades(client: pg.ClientBase, { number, time, traded }: Block): Promise<void> {
  const traders = traded.map((_, index) => addressOf("trader", number + index));
  const values = [chainId, number, time, traded, traders];
  const made = `(select token, account, place::int + 1 as log_index, 1e15 + $2 % 1000 * 1e12 as bnb
    from unnest($4::text[], $5::text[]) with ordinality as made (token, account, place)) made`;
  await client.query(
    `update onchain.curve c set last_trade_at = $3, changed_at = $3, price_bnb_x36 = price_bnb_x36 + 1e20,
       progress = case when graduated then 100 else (progress + 7)::numeric % 100 end,
       last_trade_id = lpad($2::text, 12, '0') || '-' || lpad(log_index::text, 6, '0'),
       buys_to_date = buys_to_date + 1, volume_to_date_wei = volume_to_date_wei + bnb,
       bought_to_date_wei = bought_to_date_wei + bnb, net_volume_to_date_wei = net_volume_to_date_wei + bnb
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
       realised_wei, first_trade_at, last_trade_at, changed_at)
     select $1, token, account, 1, 0, 1e24, 0, bnb, 0, 0, 0, 0, 0, 1e24, bnb, 0, $3, $3, $3 from ${made} where $2 > 0
     on conflict (chain_id, token, account) do update set buys = p.buys + 1, last_trade_at = excluded.last_trade_at,
       changed_at = excluded.changed_at`,
    values,
  );
  await client.query(
    "update onchain.token set holder_count = holder_count + 1, changed_at = $1 where chain_id = $2 and address = any($3)",
    [time, chainId, traded],
  );
}

/** An abort ends the pause early; the loop checks for it. */
const endPause = () => {};
/** Prevents an unhandled rejection: stop() rejects with the error. */
const reportedByStop = () => {};
