import type { GraphQLFieldResolver, GraphQLObjectType, GraphQLSchema } from "graphql";
import type { ApiSchema, ApiTable, Relation } from "../tables.ts";
import { type Row, toRow } from "./column-list.ts";
import { readIndexStatus } from "./index-status.query.ts";
import { readPage, readPagesOf } from "./read-pages.ts";
import type { ReadRows } from "./read-rows.ts";
import { pageSelection, rowSelection } from "./selection.ts";
import { type PageArguments, rowStatement } from "./statements.query.ts";

/** What the resolvers of one query share. */
export type ReadContext = { read: ReadRows; batcher: FieldBatcher };

export const createContext = (read: ReadRows): ReadContext => ({ read, batcher: createFieldBatcher() });

type Resolver<Arguments = object> = GraphQLFieldResolver<Row, ReadContext, Arguments>;

/**
 * Replaces the resolvers of Ponder's schema by ones that read only the selected columns, and the related rows of a whole list in one
 * statement. Ponder's own read all columns, and run a statement for each row of the list.
 */
export function resolveByBatches(schema: GraphQLSchema, { tables, query }: ApiSchema): void {
  const queryFields = (schema.getQueryType() as GraphQLObjectType).getFields();
  for (const [name, relation] of query) {
    const field = queryFields[name];
    if (field === undefined) throw new Error(`Invariant(${name}): Ponder's Query has no such field`);
    const table = tableOf(relation, tables);
    field.resolve = (relation.kind === "page" ? pageResolver(table) : keyResolver(table)) as Resolver;
  }
  const meta = queryFields._meta;
  if (meta !== undefined) meta.resolve = ((_, __, { read }) => readIndexStatus(read)) as Resolver;
  for (const { name, relations } of tables.values()) {
    const fields = (schema.getType(name) as GraphQLObjectType).getFields();
    for (const [relationName, relation] of relations) {
      const field = fields[relationName];
      if (field === undefined)
        throw new Error(`Invariant(${name}.${relationName}): Ponder has no such field`);
      const table = tableOf(relation, tables);
      field.resolve = (relation.kind === "page" ? relatedPageResolver : relatedRowResolver)(
        relation,
        table,
      ) as Resolver;
    }
  }
}

/** A page of a top-level list. */
function pageResolver(table: ApiTable): Resolver<PageArguments> {
  return (_, args, { read }, info) => readPage(read, { table, args, selection: pageSelection(info, table) });
}

/** A top-level row by its key. */
function keyResolver(table: ApiTable): Resolver<Row> {
  return async (_, args, { read }, info) => {
    const key = table.key.map((name) => table.columns.get(name)?.encode(args[name]));
    const request = { table, by: table.key, columns: rowSelection(info, table) };
    return (await readByKeys(read, [key], request))[0];
  };
}

/** A page of rows related to a row. */
function relatedPageResolver(relation: Relation, table: ApiTable): Resolver<PageArguments> {
  return (row, args, { read, batcher }, info) =>
    batcher.add(info.fieldNodes, row, (rows) =>
      readPagesOf(read, rows, relation, { table, args, selection: pageSelection(info, table) }),
    );
}

/** The one row that a row refers to. */
function relatedRowResolver({ own, columns }: Relation, table: ApiTable): Resolver {
  return (row, _, { read, batcher }, info) =>
    batcher.add(
      info.fieldNodes,
      own.map((name) => row[name]),
      (keys) => readByKeys(read, keys, { table, by: columns, columns: rowSelection(info, table) }),
    );
}

function tableOf({ table }: Relation, tables: ApiSchema["tables"]): ApiTable {
  const found = tables.get(table);
  if (found === undefined) throw new Error(`Invariant(${table}): no such table`);
  return found;
}

type Batch<Item, Answer> = { items: Item[]; answers: PromiseWithResolvers<Answer[]> };

/** Collects what the rows of one list need, so that it is read with one statement. */
type FieldBatcher = {
  /**
   * @param key identifies the items that belong together
   * @param read gets all items added in the same turn of the event loop, and returns their answers in the same order
   */
  add<Item, Answer>(key: object, item: Item, read: (items: Item[]) => Promise<Answer[]>): Promise<Answer>;
};

/** Creates a batcher for one GraphQL query. */
function createFieldBatcher(): FieldBatcher {
  const open = new Map<object, Batch<unknown, unknown>>();
  return {
    async add<Item, Answer>(key: object, item: Item, read: (items: Item[]) => Promise<Answer[]>) {
      let batch = open.get(key) as Batch<Item, Answer> | undefined;
      if (batch === undefined) {
        const { items, answers } = { items: [] as Item[], answers: Promise.withResolvers<Answer[]>() };
        batch = { items, answers };
        open.set(key, batch as Batch<unknown, unknown>);
        // Waits for all promises that are already resolved, so that rows of several pages share a batch.
        void Promise.resolve().then(() =>
          process.nextTick(() => {
            open.delete(key);
            read(items).then(answers.resolve, answers.reject);
          }),
        );
      }
      const index = batch.items.push(item) - 1;
      return (await batch.answers.promise)[index] as Answer;
    },
  };
}

type KeysRequest = {
  table: ApiTable;
  /** The columns that make up the key. */
  by: string[];
  /** The columns to read. */
  columns: string[];
};

/** Reads the row of each key, in the order of the keys; null if there is none. */
async function readByKeys(
  read: ReadRows,
  requested: unknown[][],
  { table, by, columns }: KeysRequest,
): Promise<(Row | null)[]> {
  const isComplete = (key: unknown[]) => key.every((value) => value !== null);
  const { keys, indexes } = distinctKeys(requested.filter(isComplete));
  if (keys.length === 0) return requested.map(() => null);
  const found = await read(rowStatement(table, columns, { columns: by, keys }));
  const rows = new Map(found.map((values) => [Number(values[0]) - 1, toRow(columns, values, 1)]));
  let next = 0;
  return requested.map((key) => (isComplete(key) ? (rows.get(indexes[next++] as number) ?? null) : null));
}

/** Removes duplicate keys, and returns for each original key its index among the distinct ones. */
function distinctKeys(keys: unknown[][]): { keys: unknown[][]; indexes: number[] } {
  const known = new Map<string, number>();
  const distinct: unknown[][] = [];
  const indexes = keys.map((key) => {
    const name = JSON.stringify(key.map(String));
    let index = known.get(name);
    if (index === undefined) {
      index = distinct.push(key) - 1;
      known.set(name, index);
    }
    return index;
  });
  return { keys: distinct, indexes };
}
