import { literal, statement } from "../../offchain/statement.ts";
import type { DayOfChain } from "./tables.ts";

/*
 * Tokens and traders have numbers in addition to addresses, because grouping and joining by a number takes a fraction of the time
 * that 42 characters of text take. The number is the position in the chain, block * 1000000 + log index, of the event in which the
 * token or trader first appeared. It is unique among a chain's tokens, and among its traders, and never changes.
 */

/** The kinds of addresses that are numbered, each by another event. */
export type NumberedKind = "token" | "trader";

export type IdColumn = {
  name: string;
  /** The column with the address. */
  of: string;
  kind: NumberedKind;
};

/** Returns SQL for the position in the chain of a token's creation, given a row of the token table. */
export const creationPosition = (token: string) =>
  `(${statement`${token}`}.created_block * 1000000 + ${statement`${token}`}.created_log_index)`;

/** Returns SQL for a token's number, given an expression for its address. */
export function tokenIdOf(schema: string, chain: string, address: string): string {
  return [
    `(select ${creationPosition("created")} from ${statement`${schema}`}.token created`,
    `where created.chain_id = ${chain} and created.address = ${address})`,
  ].join(" ");
}

/** Returns SQL for the addresses in the trades of one or more days, each with its number. */
export function idsOfDays(kind: NumberedKind, schema: string, { chainId, start, end }: DayOfChain): string {
  const [chain, from, to] = [literal(String(chainId)), literal(String(start)), literal(String(end))];
  const traded = statement`from (select distinct ${kind} as address from ${schema}.trade
      where chain_id = ${chain} and timestamp >= ${from} and timestamp < ${to}) traded`;
  return `select address, ${numberOf[kind](schema, statement`${chain}`)} ${traded}`;
}

const numberOf: Record<NumberedKind, (schema: string, chain: string) => string> = {
  token: (schema, chain) => tokenIdOf(schema, chain, "traded.address"),
  // From the id of the first trade, which has block and log index in digits.
  trader: (schema, chain) =>
    [
      `(select replace(first.id, '-', '')::int8 from ${statement`${schema}`}.trade first`,
      `where first.chain_id = ${chain} and first.trader = traded.address order by first.timestamp, first.id limit 1)`,
    ].join(" "),
};
