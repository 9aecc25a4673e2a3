import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { argument, defaultVariables, type Variables } from "./arguments.ts";

/** Weights of what a query asks of the database, in rows read. */
export const queryCostWeights = {
  /** Rows of a page without a `limit` argument, as Ponder has it. */
  defaultLimit: 50,
  /** One more page query: a page inside a page is read once for each row around it. */
  page: 5,
  /** A totalCount counts every row that matches. */
  totalCount: 100,
  /** Rows that an offset skips, for the price of one that is returned. */
  skippedRows: 100,
  /** An order that no index has, or a condition that no index answers: rows are read that nobody sees. */
  unindexed: 500,
} as const;

/** Columns that an index has for each way in which they are reached. */
const indexedOrders = new Set(
  "createdAt createdBlock timestamp balance progress lastTradeAt graduatedAt burnPercent openTime id address token account".split(
    " ",
  ),
);

/** Conditions of equality that an index answers or that leave most rows in. */
const indexedConditions = new Set(
  "AND OR chainId address token account trader creator interval id kind venue graduated".split(" "),
);

/** Most conditions in one `where`, those inside AND and OR included. */
export const mostConditions = 50;

export type CostOptions = {
  variables: Variables;
  /** The names of the fields that answer with a page. */
  pages: Set<string>;
};

/**
 * What a query may cost at most, in rows read: depth and token limits don't bound it, since 1,000 tokens
 * with 1,000 trades each are a million rows in one short line.
 *
 * The caller bounds the size of the query first. Fragments must not contain themselves.
 *
 * @returns the cost of the most expensive operation; Infinity when it has more than {@link mostConditions}
 */
export function queryCost(document: DocumentNode, { variables, pages }: CostOptions): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  return Math.max(
    0,
    ...operations.map((operation) => {
      const given = { ...defaultVariables(operation), ...variables };
      const scope = { fragments, variables: given, pages };
      return selectionCost(operation.selectionSet, { page: 1, row: 1 }, scope);
    }),
  );
}

type Scope = CostOptions & { fragments: Map<string, FragmentDefinitionNode> };

/** How many times a selection is read: its own page's fields once a page, those in `items` once a row. */
type Times = { page: number; row: number };

function selectionCost(selections: SelectionSetNode, times: Times, scope: Scope): number {
  let cost = 0;
  for (const selection of selections.selections) {
    if (selection.kind === Kind.FIELD) {
      cost += fieldCost(selection, times, scope);
    } else {
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : scope.fragments.get(selection.name.value)?.selectionSet;
      if (inner !== undefined) cost += selectionCost(inner, times, scope);
    }
  }
  return cost;
}

function fieldCost(field: FieldNode, times: Times, scope: Scope): number {
  const name = field.name.value;
  if (name === "totalCount") return times.page * queryCostWeights.totalCount;
  // A column, or what the page knows of itself.
  if (field.selectionSet === undefined || name === "pageInfo") return 0;
  if (name === "items") return selectionCost(field.selectionSet, { page: times.row, row: times.row }, scope);

  if (scope.pages.has(name)) {
    const limit = number(argument(field, "limit", scope.variables), queryCostWeights.defaultLimit);
    const inner = { page: times.page, row: times.page * limit };
    return times.page * pageCost(field, limit, scope) + selectionCost(field.selectionSet, inner, scope);
  }
  // A single row: a key look-up, or one of a batch.
  return times.page + selectionCost(field.selectionSet, { page: times.page, row: times.page }, scope);
}

function pageCost(field: FieldNode, limit: number, { variables }: Scope): number {
  const offset = number(argument(field, "offset", variables), 0);
  const orderBy = argument(field, "orderBy", variables);
  const where = conditions(argument(field, "where", variables));
  if (where.length > mostConditions) return Number.POSITIVE_INFINITY;

  const unindexed = where.filter((condition) => !indexedConditions.has(condition)).length;
  const unordered = typeof orderBy === "string" && !indexedOrders.has(orderBy) ? 1 : 0;
  return (
    queryCostWeights.page +
    limit +
    offset / queryCostWeights.skippedRows +
    (unindexed + unordered) * queryCostWeights.unindexed
  );
}

/** The names in a filter, AND and OR and what is inside them included; it stops where there are too many. */
function conditions(where: unknown): string[] {
  const found: string[] = [];
  const open: unknown[] = [where];
  while (open.length > 0 && found.length <= mostConditions) {
    const filter = open.pop();
    if (typeof filter !== "object" || filter === null) continue;
    for (const [name, value] of Object.entries(filter)) {
      found.push(name);
      if (name === "AND" || name === "OR") open.push(...(Array.isArray(value) ? value : [value]));
    }
  }
  return found;
}

function number(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : otherwise;
}
