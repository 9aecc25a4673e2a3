import { literal, statement } from "../../offchain/statement.ts";
import type { DayOfChain } from "./tables.ts";

/*
 * Numbers beside addresses, since to group and join by a number takes a fraction of what text of 42 characters takes: the place
 * in the chain, block * 1000000 + log index, of the event that brought a token or a trader. No two tokens of a chain share one,
 * nor two traders, and it never changes.
 */

/** What an address is: it decides by which event it is numbered. */
export type Numbered = "token" | "trader";

export type IdColumn = {
  name: string;
  /** The column that has the address. */
  of: string;
  kind: Numbered;
};

/** SQL for the place in the chain of a token's creation, of a row of the token table. */
export const creationOf = (token: string) =>
  `(${statement`${token}`}.created_block * 1000000 + ${statement`${token}`}.created_log_index)`;

/** SQL for the number of the token that an expression names. */
export function tokenIdOf(schema: string, chain: string, address: string): string {
  return [
    `(select ${creationOf("created")} from ${statement`${schema}`}.token created`,
    `where created.chain_id = ${chain} and created.address = ${address})`,
  ].join(" ");
}

/** SQL for the addresses of the trades of a day, or of several, each with its number. */
export function idsOfDays(kind: Numbered, schema: string, { chainId, start, end }: DayOfChain): string {
  const [chain, from, to] = [literal(String(chainId)), literal(String(start)), literal(String(end))];
  const traded = statement`from (select distinct ${kind} as address from ${schema}.trade
      where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${to}) traded`;
  return `select address, ${numberOf[kind](schema, statement`${chain}`)} ${traded}`;
}

const numberOf: Record<Numbered, (schema: string, chain: string) => string> = {
  token: (schema, chain) => tokenIdOf(schema, chain, "traded.address"),
  // Of the first trade, whose id has both in digits.
  trader: (schema, chain) =>
    [
      `(select replace(first.id, '-', '')::int8 from ${statement`${schema}`}.trade first`,
      `where first.chain_id = ${chain} and first.trader = traded.address order by first.timestamp, first.id limit 1)`,
    ].join(" "),
};
