import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import type { ApiTable } from "../tables.ts";

/** What a query selects of a page. */
export type PageSelection = {
  /** The columns that its rows need, including those that refer to other rows. */
  columns: string[];
  items: boolean;
  pageInfo: boolean;
  totalCount: boolean;
};

type Fragments = Record<string, FragmentDefinitionNode>;
/** The parts of GraphQL's `info` that say what is selected. */
export type Selected = { fieldNodes: readonly FieldNode[]; fragments: Fragments };

// Keyed by nodes of parsed queries, which are cached across requests.
const pages = new WeakMap<FieldNode, PageSelection>();
const rows = new WeakMap<FieldNode, string[]>();

/** Returns what is selected of a page of this table. Fields that a directive may skip count as selected. */
export function pageSelection(info: Selected, table: ApiTable): PageSelection {
  return memoized(pages, info, (selected) => {
    const fields = fieldsOf(selected);
    const has = (name: string) => fields.some((field) => field.name.value === name);
    const items = fields.filter((field) => field.name.value === "items");
    return {
      columns: columnsOf({ ...selected, fieldNodes: items }, table),
      items: items.length > 0,
      pageInfo: has("pageInfo"),
      totalCount: has("totalCount"),
    };
  });
}

/** Returns the selected columns of a row, including those that refer to other rows. */
export function rowSelection(info: Selected, table: ApiTable): string[] {
  return memoized(rows, info, (selected) => columnsOf(selected, table));
}

/** Returns the names of the selected fields or, if `name` is given, of those in the fields of this name. */
export function selectedNames(info: Selected, name?: string): Set<string> {
  const fields = fieldsOf(info);
  if (name === undefined) return new Set(fields.map((field) => field.name.value));
  return selectedNames({ ...info, fieldNodes: fields.filter((field) => field.name.value === name) });
}

function columnsOf(selected: Selected, table: ApiTable): string[] {
  const columns = new Set<string>();
  for (const { name } of fieldsOf(selected)) {
    // In Ponder, a relation takes precedence over a column of the same name.
    const relation = table.relations.get(name.value);
    const column = relation === undefined ? table.columns.get(name.value) : undefined;
    if (column !== undefined) columns.add(name.value);
    if (column?.kind === "eventId") columns.add("chainId");
    for (const own of relation?.own ?? []) columns.add(own);
  }
  return [...columns];
}

/** Returns the fields selected in these, with fragments expanded. */
function fieldsOf({ fieldNodes, fragments }: Selected): FieldNode[] {
  const fields: FieldNode[] = [];
  const add = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet);
      else add(fragments[selection.name.value]?.selectionSet);
    }
  };
  for (const { selectionSet } of fieldNodes) add(selectionSet);
  return fields;
}

function memoized<Value>(
  memo: WeakMap<FieldNode, Value>,
  info: Selected,
  read: (info: Selected) => Value,
): Value {
  const [node, more] = info.fieldNodes;
  if (node === undefined || more !== undefined) return read(info);
  let value = memo.get(node);
  if (value === undefined) {
    value = read(info);
    memo.set(node, value);
  }
  return value;
}
