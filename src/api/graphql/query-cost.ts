import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

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
} as const;

type Variables = Record<string, unknown>;

/**
 * What a query may cost at most, in rows read: depth and token limits don't bound it, since 1,000 tokens
 * with 1,000 trades each are a million rows in one short line.
 *
 * @returns the cost of the most expensive operation; a fragment cycle (which validation refuses) ends there
 */
export function queryCost(document: DocumentNode, variables: Variables): number {
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
      return selectionCost(operation.selectionSet, 1, { fragments, variables: given, open: new Set() });
    }),
  );
}

type Scope = { fragments: Map<string, FragmentDefinitionNode>; variables: Variables; open: Set<string> };

/** @param rows how many times the selection is read: once for each row around it */
function selectionCost(selections: SelectionSetNode, rows: number, scope: Scope): number {
  let cost = 0;
  for (const selection of selections.selections) {
    if (selection.kind === Kind.FIELD) {
      cost += fieldCost(selection, rows, scope);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      cost += selectionCost(selection.selectionSet, rows, scope);
    } else {
      const name = selection.name.value;
      const fragment = scope.fragments.get(name);
      if (fragment === undefined || scope.open.has(name)) continue;
      cost += selectionCost(fragment.selectionSet, rows, { ...scope, open: new Set([...scope.open, name]) });
    }
  }
  return cost;
}

function fieldCost(field: FieldNode, rows: number, scope: Scope): number {
  if (field.name.value === "totalCount") return rows * queryCostWeights.totalCount;
  // A column, or the items of the page around it, which counted them.
  if (field.selectionSet === undefined) return 0;
  if (["items", "pageInfo"].includes(field.name.value)) return selectionCost(field.selectionSet, rows, scope);
  // A single row: a key look-up, or one of a batch.
  if (!isPage(field.selectionSet, scope)) return rows + selectionCost(field.selectionSet, rows, scope);

  const limit = argument(field, "limit", queryCostWeights.defaultLimit, scope);
  const offset = argument(field, "offset", 0, scope);
  const perPage = queryCostWeights.page + limit + offset / queryCostWeights.skippedRows;
  return rows * perPage + pageContentCost(field.selectionSet, rows, limit, scope);
}

// totalCount is asked once for each page, what is inside items once for each row.
function pageContentCost(selections: SelectionSetNode, pages: number, limit: number, scope: Scope): number {
  let cost = 0;
  for (const field of fieldsOf(selections, scope)) {
    const isItems = field.name.value === "items";
    cost += fieldCost(field, isItems ? pages * limit : pages, scope);
  }
  return cost;
}

function isPage(selections: SelectionSetNode, scope: Scope): boolean {
  return fieldsOf(selections, scope).some((field) =>
    ["items", "pageInfo", "totalCount"].includes(field.name.value),
  );
}

/** The fields of a selection, those of its fragments included. */
function fieldsOf(selections: SelectionSetNode, scope: Scope): FieldNode[] {
  return selections.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet, scope);
    const name = selection.name.value;
    const fragment = scope.fragments.get(name);
    if (fragment === undefined || scope.open.has(name)) return [];
    return fieldsOf(fragment.selectionSet, { ...scope, open: new Set([...scope.open, name]) });
  });
}

function argument(field: FieldNode, name: string, otherwise: number, { variables }: Scope): number {
  const value = field.arguments?.find((candidate) => candidate.name.value === name)?.value;
  if (value?.kind === Kind.INT) return Math.max(0, Number(value.value));
  if (value?.kind === Kind.VARIABLE) {
    const given = Number(variables[value.name.value] ?? otherwise);
    return Number.isFinite(given) ? Math.max(0, given) : otherwise;
  }
  return otherwise;
}

function defaultVariables(operation: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
    ),
  );
}
