import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { argument, defaultVariables, type Variables } from "./arguments.ts";
import { checkEqual } from "./column-values.ts";
import { addTo, readFilter } from "./filter.ts";
import { checkIntrospection } from "./introspection.ts";
import { readPageArguments } from "./page-arguments.ts";
import { rowsMatching, rowsRead, sizeOf } from "./rows-read.ts";
import type { TableStatistics } from "./table-statistics.query.ts";
import type { ApiSchema, ApiTable, Relation } from "./tables.ts";

/** Weights of what a query asks of the database, in rows returned. */
export const queryCostWeights = {
  /** One more page query: a page inside a page is read once for each row around it. */
  page: 5,
  /** Rows that are filtered, sorted, counted or skipped, for the price of one that is returned. */
  readRows: 100,
  /** The description of GraphQL's schema, which is long. */
  introspection: 1_000,
} as const;

export type CostOptions = {
  variables: Variables;
  schema: ApiSchema;
  statistics: TableStatistics;
};

export type QueryCost = {
  /** In rows returned. */
  total: number;
  /** Of that, for rows that are read and not returned. */
  reading: number;
  /** The page that reads most such rows. */
  dearest: { field: string; table: ApiTable; cost: number } | undefined;
  /** Rows by key: the same row may be shown as many times. */
  rowsByKey: number;
  /** Columns under another name, which may show the same value once more. */
  renamedColumns: number;
};

const nothing: QueryCost = { total: 0, reading: 0, dearest: undefined, rowsByKey: 0, renamedColumns: 0 };

/**
 * What a query may cost at most: depth and token limits don't bound it, since 1,000 tokens with 1,000 trades each are a
 * million rows in one short line.
 *
 * The caller bounds the size of the query first. Fragments must not contain themselves.
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
  let most = nothing;
  for (const operation of operations) {
    const variables = { ...defaultVariables(operation), ...options.variables };
    const bill = { ...nothing };
    addSelection(operation.selectionSet, { times: 1 }, { ...options, variables, fragments, bill });
    most = {
      ...(bill.total >= most.total ? bill : most),
      rowsByKey: Math.max(bill.rowsByKey, most.rowsByKey),
      renamedColumns: Math.max(bill.renamedColumns, most.renamedColumns),
    };
  }
  return most;
}

type Scope = CostOptions & { fragments: Map<string, FragmentDefinitionNode>; bill: QueryCost };

/** Where a selection stands. */
type Place = {
  /** How many times it is read. */
  times: number;
  /** The table of its row; undefined at the top. */
  row?: ApiTable;
  /** Of a page: the table, how many rows it has, and how many are counted for `totalCount`. */
  page?: { table: ApiTable; limit: number; matching: () => number };
};

function addSelection(selections: SelectionSetNode, place: Place, scope: Scope): void {
  for (const selection of selections.selections) {
    if (selection.kind === Kind.FIELD) {
      addField(selection, place, scope);
    } else {
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : scope.fragments.get(selection.name.value)?.selectionSet;
      if (inner !== undefined) addSelection(inner, place, scope);
    }
  }
}

function addField(field: FieldNode, place: Place, scope: Scope): void {
  const name = field.name.value;
  const { times, page } = place;
  if (page !== undefined) {
    if (name === "totalCount") {
      addReading(field, page.table, (times * page.matching()) / queryCostWeights.readRows, scope);
    }
    if (name !== "items" || field.selectionSet === undefined) return;
    addSelection(field.selectionSet, { times: times * page.limit, row: page.table }, scope);
    return;
  }
  if (name.startsWith("__")) {
    checkIntrospection(field, scope.fragments);
    if (field.selectionSet !== undefined) scope.bill.total += times * queryCostWeights.introspection;
    return;
  }
  const relation = (place.row?.relations ?? scope.schema.query).get(name);
  const table = relation && scope.schema.tables.get(relation.table);
  if (relation === undefined || table === undefined || field.selectionSet === undefined) {
    // A column, or what validation refuses; at the top Ponder's own state.
    if (place.row === undefined) scope.bill.total += times;
    else if (field.alias !== undefined) scope.bill.renamedColumns++;
    return;
  }
  if (relation.kind === "page") {
    addPage(field, { ...place, table, relation }, scope);
    return;
  }
  for (const { name: key } of field.arguments ?? []) {
    const column = table.columns.get(key.value);
    if (column !== undefined) {
      checkEqual(argument(field, key.value, scope.variables), column, `${key.value} of ${name}`);
    }
  }
  // A look-up by key, or one of a batch.
  scope.bill.total += times;
  scope.bill.rowsByKey += times;
  addSelection(field.selectionSet, { times, row: table }, scope);
}

type PagePlace = Place & { table: ApiTable; relation: Relation & { kind: "page" } };

function addPage(field: FieldNode, { times, table, relation }: PagePlace, scope: Scope): void {
  const { where, orderBy, limit, offset, cursor, values } = readPageArguments(field, table, scope.variables);
  const { statistics, bill } = scope;
  const filter = readFilter(where, table);
  // The row that it hangs on, one doesn't know which.
  const equal = new Map(relation.columns.map((column) => [column, [undefined]]));
  addTo(filter, { equal, ranges: new Set(), rest: false, anyOf: [] });

  const read = rowsRead({ table, filter, orderBy, limit, cursor }, statistics);
  const skipped = Math.min(offset, sizeOf(table, statistics));
  bill.total += times * (queryCostWeights.page + limit + values);
  addReading(field, table, (times * (read + skipped)) / queryCostWeights.readRows, scope);

  const page = { table, limit, matching: () => rowsMatching(table, filter, statistics) };
  if (field.selectionSet !== undefined) addSelection(field.selectionSet, { times, page }, scope);
}

function addReading(field: FieldNode, table: ApiTable, cost: number, { bill }: Scope): void {
  bill.total += cost;
  bill.reading += cost;
  if (cost > (bill.dearest?.cost ?? 0)) bill.dearest = { field: field.name.value, table, cost };
}
