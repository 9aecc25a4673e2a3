import { randomBytes } from "node:crypto";
import type pg from "pg";
import type { Address } from "viem";
import { statement } from "../offchain/connection.ts";
import { startOfBlock } from "../src/domain/ids.ts";
import type { Selection } from "./checks.ts";

export type SelectFrom = { client: pg.ClientBase; schema: string; chainId: number };

export type BalanceKey = Selection["balances"][number];

/** Counts the rows that can be compared. */
export async function countRows({ client, schema, chainId }: SelectFrom): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    statement`select (select count(*) from ${schema}.holder where chain_id = $1)
      + (select count(*) from ${schema}.token where chain_id = $1) as count`,
    [chainId],
  );
  return Number(rows[0]?.count ?? 0);
}

/** Returns the next page of holders after a key, in the order of the primary key. */
export async function nextBalances(
  { client, schema, chainId }: SelectFrom,
  after: BalanceKey,
  limit: number,
): Promise<BalanceKey[]> {
  const { rows } = await client.query<BalanceKey>(
    statement`select token, account from ${schema}.holder
      where chain_id = $1 and (token, account) > ($2, $3) order by token, account limit $4`,
    [chainId, after.token, after.account, limit],
  );
  return rows;
}

/** Returns the next page of tokens after an address. */
export async function nextTokens(
  { client, schema, chainId }: SelectFrom,
  after: Address,
  limit: number,
): Promise<Address[]> {
  const { rows } = await client.query<{ address: Address }>(
    statement`select address from ${schema}.token where chain_id = $1 and address > $2 order by address limit $3`,
    [chainId, after, limit],
  );
  return rows.map(({ address }) => address);
}

/**
 * Returns rows at random, each with the same chance: one for a token, nine for holders, as far as there are so many. Scans both tables
 * once, which takes as long as counting their rows.
 */
export async function selectRandom(
  { client, schema, chainId }: SelectFrom,
  count: number,
): Promise<Selection> {
  const tokenCount = Math.ceil(count / 10);
  const tokens = await client.query<{ address: Address }>(
    statement`select address from ${schema}.token where chain_id = $1 order by random() limit $2`,
    [chainId, tokenCount],
  );
  const balances = await client.query<BalanceKey>(
    statement`select token, account from ${schema}.holder where chain_id = $1 order by random() limit $2`,
    [chainId, count - tokenCount],
  );
  return { balances: balances.rows, tokens: tokens.rows.map(({ address }) => address) };
}

/** Returns who traded last, up to a block: at most `limit` balances, some perhaps more than once. */
export async function selectTraders(
  { client, schema, chainId }: SelectFrom,
  block: number,
  limit: number,
): Promise<BalanceKey[]> {
  const { rows } = await client.query<BalanceKey>(
    statement`select token, trader as account from ${schema}.trade
      where chain_id = $1 and id < $2 order by id desc limit $3`,
    [chainId, startOfBlock(block + 1), limit],
  );
  return rows;
}

const randomAddresses = (count: number) =>
  Array.from({ length: count }, () => `0x${randomBytes(20).toString("hex")}`);

/**
 * Draws tokens, some perhaps more than once: those whose addresses follow random ones. Each costs a look-up of the primary key, however
 * many tokens there are. The further a token's address is from the one before it, the greater its chance.
 */
export async function drawTokens({ client, schema, chainId }: SelectFrom, count: number): Promise<Address[]> {
  const { rows } = await client.query<{ address: Address | null }>(
    statement`select coalesce(
        (select address from ${schema}.token where chain_id = $1 and address >= random.address order by address limit 1),
        (select address from ${schema}.token where chain_id = $1 order by address limit 1)) as address
      from unnest($2::text[]) random (address)`,
    [chainId, randomAddresses(count)],
  );
  return rows.flatMap(({ address }) => address ?? []);
}

/** Draws a holder of each of these tokens, in the same way. */
export async function drawBalances(
  { client, schema, chainId }: SelectFrom,
  tokens: readonly Address[],
): Promise<BalanceKey[]> {
  const { rows } = await client.query<{ token: Address; account: Address | null }>(
    statement`select random.token, coalesce(
        (select account from ${schema}.holder
          where chain_id = $1 and token = random.token and account >= random.account order by account limit 1),
        (select account from ${schema}.holder
          where chain_id = $1 and token = random.token order by account limit 1)) as account
      from unnest($2::text[], $3::text[]) random (token, account)`,
    [chainId, tokens, randomAddresses(tokens.length)],
  );
  return rows.flatMap(({ token, account }) => (account === null ? [] : { token, account }));
}
