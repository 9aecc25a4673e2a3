import type { GraphqlCode } from "../refusal.ts";
import type { Row } from "./column-list.ts";
import { createError, type ReadRows } from "./read-rows.ts";

/** A block of a chain, after which rows are read. */
export type Pin = { chainId: number; block: number };

const problems: Record<string, [code: GraphqlCode, message: (block: number) => string]> = {
  ahead: [
    "block_not_indexed",
    (block) => `Block ${block} is not indexed (yet): try again, or name one that _meta has.`,
  ],
  old: [
    "block_too_old",
    (block) =>
      `Before the last final block (in _meta), only trades, transfers, liquidityChanges and bnbUsdAnswers can be read as of block ${block}. Balances are in GET /api/token/{mint}/holders?at=${block}.`,
  ],
};

/** Runs statements of {@link pinStatement}. Throws a GraphQLError if the block can't be read. */
export function readPinned(read: ReadRows, pin: Pin | undefined): ReadRows {
  if (pin === undefined) return read;
  return async (statement) => {
    const rows = await read(statement);
    const state = String(rows[0]?.[0] ?? "ahead");
    const problem = problems[state];
    if (problem !== undefined) throw createError(problem[0], problem[1](pin.block));
    return rows.flatMap(([, isRow, ...values]) => (isRow === true ? [values] : []));
  };
}

const pins = new WeakMap<Row, Pin>();

/** The block at which a row was read, and at which those that it leads to are read. */
export const pinOf = (row: Row): Pin | undefined => pins.get(row);

/** Notes at which block rows were read. Returns them. */
export function pinRows<Rows extends (Row | null)[]>(rows: Rows, pin: Pin | undefined): Rows {
  if (pin !== undefined) for (const row of rows) if (row !== null) pins.set(row, pin);
  return rows;
}
