import type pg from "pg";
import { statement } from "../offchain/connection.ts";
import { type Difference, describe } from "./compare.ts";

type Client = Pick<pg.ClientBase, "query">;

export type TokenRepairs = {
  /** Tokens whose repair has now been requested. */
  requested: string[];
  /** Tokens that have been repaired, and differ nevertheless. */
  repeated: { token: string; fromBlock: number; repairedIn: string }[];
};

export type TokenRepairsOptions = { schema: string; chainId: number; differences: readonly Difference[] };

/**
 * Requests the repair of the tokens that values differ of, once for each token: if that does not help, its contract does not do what
 * its events say, or every endpoint leaves out the same logs. Does nothing for a schema that is not live, or is being repaired: its
 * successor shows whether the differences stay.
 */
export async function requestTokenRepairs(
  client: Client,
  { schema, chainId, differences }: TokenRepairsOptions,
): Promise<TokenRepairs> {
  const repairs: TokenRepairs = { requested: [], repeated: [] };
  if (differences.length === 0 || !(await isRepairable(client, schema))) return repairs;
  for (const [token, [first]] of Map.groupBy(differences, (difference) => difference.token)) {
    const reason = `A value differs from the contract's: ${describe(first as Difference)}.`;
    const { rowCount } = await client.query(
      statement`insert into offchain.repair_request (chain_id, from_block, token, cause, reason)
        select $1::int, coalesce((select created_block from ${schema}.token where chain_id = $1 and address = $2), 0),
          $2::text, 'difference', $3::text
        where not exists (select from offchain.repair_request where chain_id = $1 and token = $2)`,
      [chainId, token, reason],
    );
    if (rowCount === 1) repairs.requested.push(token);
    else repairs.repeated.push(...(await readRepaired(client, chainId, token)));
  }
  return repairs;
}

/** Whether a schema is live, or the only one, and needs no other repair, which may be all that it takes. */
async function isRepairable(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ is_repairable: boolean }>(
    `select coalesce((select schema from offchain.live_schema order by id desc limit 1), $1) = $1 and not exists (
       select from offchain.repair_request
       where $1 = any(stale) or (repaired_in is null and cause <> 'difference')) as is_repairable`,
    [schema],
  );
  return rows[0]?.is_repairable === true;
}

async function readRepaired(
  client: Client,
  chainId: number,
  token: string,
): Promise<TokenRepairs["repeated"]> {
  const { rows } = await client.query<{ from_block: string; repaired_in: string }>(
    `select from_block, repaired_in from offchain.repair_request
     where chain_id = $1 and token = $2 and repaired_in is not null`,
    [chainId, token],
  );
  return rows.map((row) => ({ token, fromBlock: Number(row.from_block), repairedIn: row.repaired_in }));
}

/** What to do about a token that differs after its repair. */
export const describeRepeated = (
  chainId: number,
  { token, fromBlock, repairedIn }: TokenRepairs["repeated"][number],
): string =>
  `chain ${chainId}: token ${token} differs from its contract although it was repaired in the schema ${repairedIn}: it is not ` +
  "repaired again by itself. Either its contract does not do what its events say, and nothing helps, or all endpoints leave out " +
  `the same logs: then add others to PONDER_RPC_URL_${chainId}, and run npm run forget -- --chain ${chainId} --from ${fromBlock}`;
