import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { defaultVariables, readArgument, type Variables } from "./arguments.ts";
import { checkEqualityValue, checkEventChain, checkWhere, checkWholeNumber } from "./column-values.ts";
import { checkCursor } from "./cursor.ts";
import { estimateMatchingRows, estimateRowsRead, tableSize } from "./estimate-rows.ts";
import { hasChainId, mergeInto, readFilter } from "./filter.ts";
import { isGroupField, readGroupArguments } from "./groups/group-arguments.ts";
import { graphqlLimits, pageLimits } from "./limits.ts";
import { pagesPerStatement } from "./read/read-pages.ts";
import { selectedNames } from "./read/selection.ts";
import { QueryRefusal } from "./refusal.ts";
import type { TableStatistics } from "./table-statistics.query.ts";
import type { ApiSchema, ApiTable, Relation } from "./tables.ts";

/** Weights of what a query makes the database do, in units of one returned row. */
export const queryCostWeights = {
  /** Each page that is read: a page nested in a page is read once for each row of the outer one. */
  page: 5,
  /** This many rows filtered, sorted, counted or skipped cost as much as one that is returned. */
  readRows: 100,
  /** Each statement that reads earlier versions of rows: it looks through those of the blocks that are not final yet. */
  versions: 100,
  /** Each row for which such a statement reads others: it looks through those versions again. */
  versionsPerRow: 10,
  /** This many rows summed by group cost as much as one that is returned: they are read, sorted and added. */
  summedRows: 40,
  /** Introspection, whose answer is long. */
  introspection: 1_000,
} as const;

export type CostOptions = {
  variables: Variables;
  schema: ApiSchema;
  statistics: TableStatistics;
};

export type QueryCost = {
  /** In units of one returned row. */
  total: number;
  /** The part of it for rows that are read but not returned. */
  reading: number;
  /** The page that reads the most such rows. */
  mostExpensive: { field: string; table: ApiTable; cost: number } | undefined;
  /** Look-ups by key: the same row may appear this many times. */
  keyLookups: number;
  /** Aliased columns, each of which may repeat a value in the answer. */
  aliasedColumns: number;
};

const noCost: QueryCost = {
  total: 0,
  reading: 0,
  mostExpensive: undefined,
  keyLookups: 0,
  aliasedColumns: 0,
};

/**
 * Computes an upper bound of a query's cost. Depth and token limits don't bound it: 1,000 tokens with 1,000 trades each are a million
 * rows in one short line.
 *
 * The caller must have limited the query's size. Fragments must not contain themselves.
 *
 * @returns the cost of the most expensive operation
 * @throws QueryRefusal for arguments that can't be answered
 */
export function queryCost(document: DocumentNode, options: CostOptions): QueryCost {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  let max = noCost;
  for (const operation of operations) {
    const variables = { ...defaultVariables(operation), ...options.variables };
    const bill = { ...noCost };
    addSelection(operation.selectionSet, { times: 1 }, { ...options, variables, fragments, bill });
    max = {
      ...(bill.total >= max.total ? bill : max),
      keyLookups: Math.max(bill.keyLookups, max.keyLookups),
      aliasedColumns: Math.max(bill.aliasedColumns, max.aliasedColumns),
    };
  }
  return max;
}

type Scope = CostOptions & { fragments: Map<string, FragmentDefinitionNode>; bill: QueryCost };

/** The surroundings of a selection. */
type SelectionContext = {
  /** How many times it is read. */
  times: number;
  /** Whether it is read as of a block. */
  isPinned?: boolean;
  /** The table of the row that it selects from; undefined at the top level. */
  row?: ApiTable;
  /** If it selects from a page: the page's table and number of rows, how many rows `totalCount` counts, and for what versions. */
  page?: { table: ApiTable; limit: number; matching: () => number; versions: number };
};

function addSelection(selections: SelectionSetNode, context: SelectionContext, scope: Scope): void {
  for (const selection of selections.selections) {
    if (selection.kind === Kind.FIELD) {
      addField(selection, context, scope);
    } else {
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : scope.fragments.get(selection.name.value)?.selectionSet;
      if (inner !== undefined) addSelection(inner, context, scope);
    }
  }
}

function addField(field: FieldNode, context: SelectionContext, scope: Scope): void {
  const name = field.name.value;
  const { times, page } = context;
  if (page !== undefined) {
    if (name === "totalCount") {
      addReading(field, page.table, (times * page.matching()) / queryCostWeights.readRows, scope);
      // In a statement of its own.
      scope.bill.total += page.versions;
    }
    if (name !== "items" || field.selectionSet === undefined) return;
    const { isPinned = false } = context;
    addSelection(field.selectionSet, { times: times * page.limit, row: page.table, isPinned }, scope);
    return;
  }
  if (name.startsWith("__")) {
    checkIntrospection(field, scope.fragments);
    if (field.selectionSet !== undefined) scope.bill.total += times * queryCostWeights.introspection;
    return;
  }
  if (context.row === undefined && isGroupField(name)) {
    addGroups(field, scope);
    return;
  }
  const relation = (context.row?.relations ?? scope.schema.query).get(name);
  const table = relation && scope.schema.tables.get(relation.table);
  if (relation === undefined || table === undefined || field.selectionSet === undefined) {
    // A column, or something that validation refuses; at the top level Ponder's own status.
    if (context.row === undefined) scope.bill.total += times;
    else if (field.alias !== undefined) scope.bill.aliasedColumns++;
    return;
  }
  if (relation.kind === "page") {
    addPage(field, { ...context, table, relation }, scope);
    return;
  }
  for (const { name: key } of field.arguments ?? []) {
    const column = table.columns.get(key.value);
    if (column !== undefined && key.value !== "block") {
      const [value, label] = [readArgument(field, key.value, scope.variables), `${key.value} of ${name}`];
      checkEqualityValue(value, column, label);
      if (column.kind === "eventId") {
        checkEventChain(value, readArgument(field, "chainId", scope.variables), label);
      }
    }
  }
  const isPinned = context.isPinned || readBlock(field, scope.variables);
  // A look-up by key, possibly in a batch.
  scope.bill.total += times + (isPinned ? versionsCost(context, 1) : 0);
  scope.bill.keyLookups += times;
  addSelection(field.selectionSet, { times, row: table, isPinned }, scope);
}

type PageContext = SelectionContext & { table: ApiTable; relation: Relation & { kind: "page" } };

function addPage(field: FieldNode, context: PageContext, scope: Scope): void {
  const { times, table, relation } = context;
  const { where, orderBy, limit, offset, hasCursor, listValues } = readPageArguments(
    field,
    table,
    scope.variables,
  );
  const { statistics, bill } = scope;
  const filter = readFilter(where, table);
  // The parent row's key, whose values are unknown.
  const equal = new Map(relation.columns.map((column) => [column, [undefined]]));
  mergeInto(filter, { equal, ranges: new Set(), hasUnindexed: false, anyOf: [] });

  const read = estimateRowsRead({ table, filter, orderBy, limit, hasCursor }, statistics);
  const skipped = Math.min(offset, tableSize(table, statistics));
  bill.total += times * (queryCostWeights.page + limit + listValues);
  addReading(field, table, (times * (read + skipped)) / queryCostWeights.readRows, scope);

  const isPinned = context.isPinned || readBlock(field, scope.variables);
  if (isPinned && context.row === undefined && !hasChainId(where)) {
    throw new QueryRefusal(
      "invalid_argument",
      `${field.name.value} with block needs the block's chain in where itself, not in a list or in AND or OR: where: { chainId: 56 }.`,
    );
  }
  const versions = isPinned ? versionsCost(context, Math.ceil(times / pagesPerStatement(limit))) : 0;
  bill.total += versions;
  const page = { table, limit, versions, matching: () => estimateMatchingRows(table, filter, statistics) };
  if (field.selectionSet !== undefined) addSelection(field.selectionSet, { times, page, isPinned }, scope);
}

/** What looking through earlier versions of rows costs so many statements. */
const versionsCost = ({ row, times }: SelectionContext, statements: number) =>
  queryCostWeights.versions * statements + (row === undefined ? 0 : queryCostWeights.versionsPerRow * times);

/** Returns whether a field asks for a block. Throws a QueryRefusal for one that isn't a block's number. */
function readBlock(field: FieldNode, variables: Variables): boolean {
  const block = readArgument(field, "block", variables) ?? undefined;
  if (block === undefined) return false;
  const number = typeof block === "object" && "number" in block ? block.number : undefined;
  checkWholeNumber(number, `block of ${field.name.value}`, 2 ** 31 - 1);
  return true;
}

/** The rows that are summed, up to the limit from which on the field is refused, and those that it returns. */
function addGroups(field: FieldNode, scope: Scope): void {
  const { schema, statistics, variables, bill } = scope;
  const info = { fieldNodes: [field], fragments: Object.fromEntries(scope.fragments) };
  const selected = () => [...selectedNames(info, "items"), ...selectedNames(info, "total")];
  const { table, where, rows, read, listValues } = readGroupArguments({ field, selected, variables }, schema);
  const matching = () => estimateMatchingRows(table, readFilter(where, table), statistics);
  const summed = read ?? Math.min(graphqlLimits.groupedRows, matching());
  bill.total += queryCostWeights.page + rows + listValues + summed / queryCostWeights.summedRows;
}

function addReading(field: FieldNode, table: ApiTable, cost: number, { bill }: Scope): void {
  bill.total += cost;
  bill.reading += cost;
  if (cost > (bill.mostExpensive?.cost ?? 0)) bill.mostExpensive = { field: field.name.value, table, cost };
}

/** Fields of GraphQL's own schema that are lists, and may lead to further such lists. */
const lists = new Set(["fields", "interfaces", "possibleTypes", "inputFields"]);

/** From this nesting of such lists on, a query is refused. The queries of editors have one level. */
const maxListDepth = 3;

/**
 * Refuses an introspection query that goes round in circles, as its answer grows with each round.
 *
 * graphql-js 16.9 has the same rule, but Ponder's version doesn't.
 */
function checkIntrospection(field: FieldNode, fragments: Map<string, FragmentDefinitionNode>): void {
  function check(selections: SelectionSetNode, depth: number): void {
    for (const selection of selections.selections) {
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? fragments.get(selection.name.value)?.selectionSet
          : selection.selectionSet;
      if (inner === undefined) continue;
      const below = selection.kind === Kind.FIELD && lists.has(selection.name.value) ? depth + 1 : depth;
      if (below >= maxListDepth) {
        throw new QueryRefusal(
          "query_too_large",
          `Nest the lists of GraphQL's own schema (fields, inputFields and the like) at most ${maxListDepth - 1} deep.`,
        );
      }
      check(inner, below);
    }
  }
  if (field.selectionSet !== undefined) check(field.selectionSet, 0);
}

type PageArguments = {
  where: unknown;
  orderBy: string | undefined;
  limit: number;
  offset: number;
  /** Whether the page begins or ends at a cursor. */
  hasCursor: boolean;
  /** The number of values in the lists of `where`. */
  listValues: number;
};

/** Reads a page's arguments as Ponder does. Throws a QueryRefusal for those that would make Ponder fail. */
function readPageArguments(field: FieldNode, table: ApiTable, variables: Variables): PageArguments {
  const name = field.name.value;
  const argument = (key: string) => readArgument(field, key, variables);
  const where = argument("where");
  const listValues = checkWhere(where, table, name);

  const orderBy = argument("orderBy");
  if (orderBy !== undefined && !(typeof orderBy === "string" && table.columns.has(orderBy))) {
    throw new QueryRefusal(
      "invalid_argument",
      `orderBy of ${name} must be one of its columns, in quotes: ${[...table.columns.keys()].join(", ")}.`,
    );
  }
  // Ponder takes everything except "asc" as descending.
  const direction = argument("orderDirection");
  if (direction !== undefined && direction !== null && direction !== "asc" && direction !== "desc") {
    throw new QueryRefusal(
      "invalid_argument",
      `orderDirection of ${name} must be "asc" or "desc", not ${JSON.stringify(direction).slice(0, 50)}.`,
    );
  }
  const limit = checkWholeNumber(argument("limit") ?? pageLimits.default, `limit of ${name}`, pageLimits.max);
  const offset = checkWholeNumber(argument("offset") ?? 0, `offset of ${name}`, 2 ** 31 - 1);

  const cursors = ["after", "before"].filter((key) => argument(key) !== undefined && argument(key) !== null);
  if (cursors.length > 1) {
    throw new QueryRefusal("invalid_argument", `Give ${name} either after or before, not both.`);
  }
  if (cursors.length === 1 && offset > 0) {
    throw new QueryRefusal("invalid_argument", `Give ${name} either a cursor or an offset, not both.`);
  }
  for (const key of cursors) checkCursor(argument(key), { table, orderBy, label: `${key} of ${name}` });
  return { where, orderBy, limit, offset, hasCursor: cursors.length > 0, listValues };
}
