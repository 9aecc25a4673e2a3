import { curve, dexPair } from "ponder:schema";
import { type SQL, sql } from "drizzle-orm";

/** The chain's DEX fee in millionths of the amount in; null if unknown. */
export type DexFee = { dexFee: bigint | null };

type Sale = DexFee & { chainId: number; mint: SQL; tokens: SQL };

/**
 * Wei that selling base units of a token would bring after fees, computed as for a sell quote. Tokens beyond what the curve can
 * take back count for nothing. Null for a graduated token if the fee is unknown.
 */
export function exitValue(sale: Sale): SQL {
  return sql`(select ${exit(sale)} from ${market(sale)})`;
}

/** Selects `value`, in wei at the current price, and `exit`, as {@link exitValue}, with a single look-up. For use in a `cross join`. */
export function valueAndExit(sale: Sale): SQL {
  // `offset 0` keeps the planner from turning this into a join, which may read all curves.
  return sql`lateral (select ${valueAtPrice(sale.tokens, sql`coalesce(m.price_bnb_x36, 0)`)} as value, ${exit(sale)} as exit
    from ${market(sale)} offset 0)`;
}

/** Wei, rounded down, of base units at a price with 36 decimals. */
export function valueAtPrice(tokens: SQL, price: SQL): SQL {
  return sql`div(${tokens} * ${price}, 1e36::numeric)`;
}

/** Always one row, whose columns are null for a token without a curve. */
const market = ({ chainId, mint }: Sale) =>
  sql`(select) one left join ${curve} m on m.chain_id = ${chainId} and m.token = ${mint}`;

function exit({ tokens, dexFee }: Sale): SQL {
  const onCurve = proceeds(sql`least(${tokens}, m.tokens_sold)`, {
    in: sql`m.virtual_token_reserves`,
    out: sql`m.virtual_bnb_reserves`,
    fee: 0n,
  });
  const onPair = (fee: bigint) => sql`coalesce((
    select ${proceeds(tokens, { in: sql`d.token_reserves_raw`, out: sql`d.bnb_reserves_wei`, fee })}
    from ${dexPair} d where d.chain_id = m.chain_id and d.address = m.pair and d.token = m.token), 0)`;
  return sql`case when m.token is null then 0 when not m.graduated then ${onCurve}
    else ${dexFee === null ? sql`null::numeric` : onPair(dexFee)} end`;
}

/** `getAmountOut` of src/domain in SQL, in integers and therefore just as exact. */
function proceeds(tokens: SQL, { in: reserveIn, out, fee }: { in: SQL; out: SQL; fee: bigint }): SQL {
  const afterFee = sql`${String(1_000_000n - fee)}::numeric`;
  return sql`case when ${tokens} > 0 and ${reserveIn} > 0 and ${out} > 0
    then div(${tokens} * ${afterFee} * ${out}, ${reserveIn} * 1000000 + ${tokens} * ${afterFee}) else 0 end`;
}
