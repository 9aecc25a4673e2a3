import type { GraphQLFieldResolver, GraphQLSchema } from "graphql";
import { daySeconds, isoDay } from "../../market/time.ts";
import { graphqlLimits, pageLimits } from "../limits.ts";
import { type Row, toRow } from "../read/column-list.ts";
import { readIndexStatus } from "../read/index-status.query.ts";
import { createError, type ReadRows } from "../read/read-rows.ts";
import { fieldOf, type ReadContext } from "../read/resolvers.ts";
import { selectedNames } from "../read/selection.ts";
import { QueryRefusal } from "../refusal.ts";
import { type ApiSchema, type ApiTable, tableOf } from "../tables.ts";
import { type Days, groupKeys, hasRunningTotals, readDays, runningSums } from "./group-arguments.ts";
import {
  dayCandlesStatement,
  positionTotalsStatement,
  runningGroupsStatement,
  tradeGroupsStatement,
} from "./groups.query.ts";

type Resolver<Arguments> = GraphQLFieldResolver<unknown, ReadContext, Arguments>;

/** Resolves the fields that `addGroups` adds. */
export function resolveGroups(schema: GraphQLSchema, { tables }: ApiSchema): void {
  fieldOf(schema, "Query", "tradeGroups").resolve = tradeGroupsResolver(tableOf("trade", tables));
  fieldOf(schema, "Query", "candlesByDay").resolve = candlesByDay;
  fieldOf(schema, "Query", "positionTotals").resolve = positionTotalsResolver(tableOf("position", tables));
}

type DayArguments = { from?: string | null; to?: string | null };
type Where = Record<string, unknown> & { chainId: number };
type TradeGroupsArguments = DayArguments & {
  where: Where;
  by: string[];
  limit?: number | null;
  offset?: number | null;
};

function tradeGroupsResolver(table: ApiTable): Resolver<TradeGroupsArguments> {
  return async (_, { where, by, from, to, limit, offset }, { read }, info) => {
    const days = await daysOf(read, { from, to, chainId: where.chainId, label: "tradeGroups" });
    const selected = new Set([...selectedNames(info, "items"), ...selectedNames(info, "total")]);
    const sums = [...selected].filter((name) => !groupKeys.includes(name));
    const page = { limit: limit ?? pageLimits.default, offset: offset ?? 0 };
    if (hasRunningTotals({ where, by, selected })) {
      const rows = await read(runningGroupsStatement(table, where, days));
      const groups = rows.map((values) => toGroup(toRow(["day", ...runningSums], values, 0)));
      return toPage(groups.slice(page.offset), page, totalOf(groups));
    }
    const { columns, ...statement } = tradeGroupsStatement({ table, where, days, by, sums, ...page });
    const rows = (await read(statement)).map((values) => toRow(columns, values, 0));
    const [total = {}, ...groups] = rows;
    checkRead(total, "trades", "shorten the time, or name a token or a trader");
    return toPage(groups.map(toGroup), page, toGroup(total));
  };
}

function toPage(groups: Row[], { limit, offset }: { limit: number; offset: number }, total: Row) {
  const pageInfo = { hasNextPage: groups.length > limit, hasPreviousPage: offset > 0 };
  return { items: groups.slice(0, limit), total, pageInfo };
}

/** A group without trades, which only the total may be, has sums of nothing in place of null. */
function toGroup(row: Row): Row {
  const { day, trades } = row;
  const named = day === undefined || day === null ? row : { ...row, day: isoDay(Number(day) * daySeconds) };
  return trades === 0 ? { ...named, volumeWei: "0", volumeUsdX18: "0" } : named;
}

/** Adds up groups of running sums. */
function totalOf(groups: Row[]): Row {
  const sum = (name: string) =>
    groups.every((group) => group[name] !== null)
      ? String(groups.reduce((total, group) => total + BigInt(String(group[name])), 0n))
      : null;
  return Object.fromEntries(runningSums.map((name) => [name, sum(name)]));
}

function positionTotalsResolver(table: ApiTable): Resolver<{ where: Where }> {
  return async (_, { where }, { read }, info) => {
    const names = [...new Set(["positions", ...selectedNames(info)])].filter((name) => name !== "__typename");
    const { columns, ...statement } = positionTotalsStatement(table, where, names);
    const [values = []] = await read(statement);
    const totals = toRow(columns, values, 0);
    checkRead(totals, "positions", "name a token or an account");
    return totals;
  };
}

const candlesByDay: Resolver<DayArguments & { chainId: number; token: string }> = async (
  _,
  { chainId, token, from, to },
  { read },
) => {
  const days = await daysOf(read, { from, to, chainId, label: "candlesByDay" });
  const { columns, ...statement } = dayCandlesStatement({ chainId, token: token.toLowerCase(), days });
  const rows = (await read(statement)).map((values) => toRow(columns, values, 0));
  return rows.map((row) => ({ ...row, day: isoDay(Number(row.openTime)) }));
};

/** Returns the days to sum. By default, they end with that of the last indexed block. */
async function daysOf(
  read: ReadRows,
  { from, to, chainId, label }: DayArguments & { chainId: number; label: string },
): Promise<Days> {
  const isOpen = to === undefined || to === null;
  const today = isOpen ? await readToday(read, chainId) : 0;
  try {
    return readDays(from, to, { today, label });
  } catch (error) {
    throw error instanceof QueryRefusal ? createError(error.code, error.message) : error;
  }
}

async function readToday(read: ReadRows, chainId: number): Promise<number> {
  const { status } = await readIndexStatus(read);
  const timestamp =
    Object.values(status).find(({ id }) => id === chainId)?.block.timestamp ?? Date.now() / 1_000;
  return Math.floor(timestamp / daySeconds);
}

function checkRead({ read }: Row, what: string, advice: string): void {
  const most = graphqlLimits.groupedRows;
  if (Number(read ?? 0) <= most) return;
  const message = `This reads more than ${most.toLocaleString("en")} ${what}, and no more may be summed at once: ${advice}.`;
  throw createError("query_too_expensive", message);
}
