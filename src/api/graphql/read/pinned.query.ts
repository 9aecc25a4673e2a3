import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { startOfBlock } from "../../../domain/ids.ts";
import { checkpoints, isReorganizing, ponderMeta, reorgTable } from "../../ponder/index-state.query.ts";
import type { ApiTable } from "../tables.ts";
import type { Parameters, Statement } from "./column-list.ts";
import type { Pin } from "./read-rows.ts";

/*
 * Reads tables as they were after a block. Rows of events never change, so the later ones are left out, whatever the block. All other
 * tables have earlier versions of their rows in Ponder's tables for reorgs, from the last final block on: as many as the blocks since
 * then made changes, however large the table is.
 */

/** A part of a pinned table, and the conditions for its rows. */
export type Source = { from: string; conditions: string[] };

const dialect = new PgDialect();
const textOf = (part: SQL) => dialect.sqlToQuery(part).sql;

/** Whether a table's rows are events: its ids begin with the block, and its rows never change. */
const hasEvents = ({ key }: ApiTable) => key.join() === "chainId,id";

/** The digits of a block in a checkpoint. */
const toDigits = (block: number) => String(block).padStart(16, "0");

const sqlColumns = ({ columns }: ApiTable, names: string[]) =>
  names.map((name) => `"${columns.get(name)?.sqlName}"`).join(", ");

/** Returns what to read to get a table's rows as they were after a block; without one, as they are. */
export function sourcesOf(table: ApiTable, pin: Pin | undefined, parameters: Parameters): Source[] {
  const { sqlName } = table;
  if (pin === undefined) return [{ from: sqlName, conditions: [] }];
  if (hasEvents(table)) {
    const [chain, end] = [parameters.add(pin.chainId), parameters.add(startOfBlock(pin.block + 1))];
    // The time, by which lists of a token or an account are indexed, so that later rows are not read.
    const last = `select "timestamp" from ${sqlName} where "chain_id" = ${chain} and "id" < ${end} order by "id" desc limit 1`;
    return [{ from: sqlName, conditions: [`"id" < ${end}`, `"timestamp" <= (${last})`] }];
  }
  const key = sqlColumns(table, table.key);
  return [
    { from: sqlName, conditions: [`(${key}) not in (select ${key} from changed)`] },
    // 0 is an insert: the row did not exist.
    { from: "changed", conditions: ["operation <> 0"] },
  ];
}

/** Completes a statement over {@link sourcesOf}: its rows begin with whether the block could be read, which `readPinned` checks. */
export function pinStatement(
  table: ApiTable,
  pin: Pin | undefined,
  text: string,
  parameters: Parameters,
): Statement {
  if (pin === undefined) return { text, values: parameters.values };
  const [chain, block] = [parameters.add(pin.chainId), parameters.add(toDigits(pin.block))];
  const key = sqlColumns(table, table.key);
  const changed = `with changed as materialized (select distinct on (${key}) * from ${textOf(reorgTable(table.sqlTables[0]))}
    where chain_id = ${chain} and substr(checkpoint, 27, 16) > ${block} order by ${key}, operation_id)`;
  // In the same snapshot as the rows. Nothing reverts the rows of the safe checkpoint, and all versions since then are kept.
  const tooOld = `when substr(at.safe_checkpoint, 27, 16) > ${block} then 'old'`;
  const state = `select case when substr(at.latest_checkpoint, 27, 16) < ${block} then 'ahead'
    when substr(at.safe_checkpoint, 27, 16) < ${block} and ${textOf(isReorganizing)} then 'ahead'
    ${hasEvents(table) ? "" : tooOld} else 'ok' end
    from ${textOf(checkpoints)} at left join ${textOf(ponderMeta)} meta on meta.key = 'app' where at.chain_id = ${chain}`;
  return {
    text: `${hasEvents(table) ? "" : changed}
      select guard.state, page.* from (select (${state}) as state) as guard
      left join (select true, found.* from (${text}) as found) as page on guard.state = 'ok'`,
    values: parameters.values,
  };
}
