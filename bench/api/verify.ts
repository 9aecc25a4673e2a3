import type pg from "pg";
import { createRandom } from "../../local/market/random.ts";
import { onConnection } from "../../offchain/connection.ts";
import type { Sort } from "../../src/api/tokens/list/order/sorts.ts";
import { chainId } from "../fixture/size.ts";
import { ask, type Combination, pathOf, searches } from "./requests.ts";

const perSearch = 10;
const seed = 1_234;

const newest = "created_block desc, created_log_index desc";
const orders: Record<Sort, string> = {
  newest,
  burn: `burn_percent desc, ${newest}`,
  volume: `volume desc, ${newest}`,
  trades: `trades desc, ${newest}`,
  progress: `progress desc, ${newest}`,
  graduated: `graduated_at desc, ${newest}`,
  holders: `holder_count desc, ${newest}`,
  marketcap: `market_cap desc, ${newest}`,
  trending: `trending desc, volume desc, ${newest}`,
  gainers: `(after / before)::float4 desc, ${newest}`,
  losers: `(before / after)::float4 desc, ${newest}`,
};

/**
 * Compares answers with those of plain SQL, which shares no code with the service. Throws at the first difference; resolves to the
 * number of answers compared. The database must not change meanwhile.
 */
export async function verify(url: string, databaseUrl: string, combinations: Combination[]): Promise<number> {
  return await onConnection(databaseUrl, async (client) => {
    // The join is on six columns, for which Postgres greatly underestimates the number of matches.
    await client.query("set enable_nestloop = off");
    await client.query(
      `create temporary table truth as
       select r.mint, r.creator, t.burn_percent, t.created_block, t.created_log_index,
         t.holder_count, c.progress, coalesce(c.graduated_at, 0) as graduated_at, (c.price_bnb_x36 * t.total_supply_raw)::float8 as market_cap,
         coalesce(volume, 0)::float8 as volume, coalesce(trades, 0) as trades, coalesce(trending, 0) as trending,
         coalesce(trades, 0) > 0 as has_moved, c.close_price_bnb_x36::float8 as after,
         coalesce((select div(x.bnb_reserves_wei * 1e36, x.token_reserves_raw) from onchain.trade x
           where trades > 0 and x.chain_id = t.chain_id and x.token = t.address and x.timestamp <= traded.since
           order by x.timestamp desc, x.id desc limit 1), c.opening_price_bnb_x36)::float8 as before,
         case when c.graduated then 'listed' when c.progress >= 80 then 'graduating' else 'new' end as board,
         lower(r.name) as name, lower(r.symbol) as symbol, lower(r.description) as description
       from offchain.registration r
       join onchain.token t on t.chain_id = r.chain_id and t.address = r.mint and t.creator = r.creator
         and t.name = r.name and t.symbol = r.symbol and t.burn_percent = r.burn_percent
       join onchain.curve c on c.chain_id = t.chain_id and c.token = t.address
       left join (
         select token, now - 86400 as since, sum(bnb_amount_wei) as volume, count(*) as trades,
           24 * count(distinct trader) filter (where timestamp > now - 3600)
             + 4 * count(distinct trader) filter (where timestamp > now - 21600) + count(distinct trader) as trending
         from onchain.trade, (select left(latest_checkpoint, 10)::bigint as now from onchain._ponder_checkpoint) at
         where timestamp > now - 86400 group by token, now
       ) traded on traded.token = t.address
       where r.chain_id = ${chainId}`,
    );
    const random = createRandom(seed);
    const sample = searches.flatMap((q) => {
      const candidates = combinations.filter((combination) => combination.q === q);
      return Array.from({ length: perSearch }, () => random.pick(candidates));
    });
    for (const combination of sample) await compare(client, url, combination);
    return sample.length;
  });
}

async function compare(client: pg.Client, url: string, combination: Combination): Promise<void> {
  const { q, creator, board, sort, page, limit } = combination;
  const conditions = [
    board === "all" ? "true" : `board = '${board}'`,
    creator === undefined ? "true" : `creator = '${creator}'`,
    q === undefined ? "true" : search(q),
    sort === "gainers" || sort === "losers" ? "has_moved" : "true",
  ];
  const { rows } = await client.query<{ total: number; mints: string[] | null }>(
    `with matching as (select * from truth where ${conditions.join(" and ")})
     select (select count(*)::int from matching) as total, (select array_agg(mint) from (
       select mint from matching order by ${orders[sort]} limit ${limit} offset ${(page - 1) * limit}) page) as mints`,
  );
  const truth = { total: rows[0]?.total, mints: rows[0]?.mints ?? [] };
  const { total, mints } = await ask(url, combination);
  if (JSON.stringify({ total, mints }) === JSON.stringify(truth)) return;
  throw new Error(
    `${pathOf(combination)} was answered with ${total} tokens, among them ${mints}; SQL says ${truth.total} and ${truth.mints}`,
  );
}

/** The search conditions of the API's documentation. No search of the benchmark contains characters that SQL has to escape. */
function search(q: string): string {
  if (q === "🚀") return `(strpos(name, '${q}') > 0 or strpos(symbol, '${q}') > 0)`;
  if ([...q].length <= 2) return `(starts_with(name, '${q}') or starts_with(symbol, '${q}'))`;
  const inText = ["name", "symbol", "description"].map((column) => `strpos(${column}, '${q}') > 0`);
  return `(${[...inText, `starts_with(mint, '${q}')`].join(" or ")})`;
}
